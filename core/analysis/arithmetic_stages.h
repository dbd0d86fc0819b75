#pragma once
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/analysis/cell_arithmetic.h"
#include "core/analysis/steps_look.h"
#include "core/base/translate.h"

namespace headscope {

// The arithmetic of a cell, stage by stage, for screen, figure and text alike. A stage shows the numbers it
// reads and those it computes, with enough digits that the printed inputs give the printed result up to
// rounding of the last digits.

/// A matrix of the run, or some of its rows.
struct StageMatrix {
  std::string role;            ///< its colour: see figure/role_colors.h; empty: none
  std::string name;            ///< TeX
  std::string shape;           ///< "[10, 64]", the whole matrix's
  MatrixOf<double> values;     ///< the rows that are shown
  std::vector<Index> row_ids;  ///< their numbers in the whole matrix, ascending; empty: all
  std::vector<std::string> rows = {}, columns = {};  ///< labels; empty: none
  Index row = -1, other_row = -1;                    ///< selected ones, indices into `values`; -1: none
  Index column = -1;                                 ///< a folded matrix is folded around it
  Index span = 1;                                    ///< how many columns are selected, starting at `column`
  int decimals = 4;
  Index maximum = 6;                                                       ///< columns shown when folded
  enum class Click { nothing, component, output } click = Click::nothing;  ///< what clicking a column sets
};

/// A list of terms, one per row, with their sum below.
struct StageTerms {
  static constexpr const char* output_bias = "b_O";  ///< a row label
  struct Column {
    std::string name;  ///< TeX
    std::string role;
    std::vector<double> values;  ///< one per row
    int decimals = 4;
    std::string total = {};  ///< printed below; empty: nothing is printed
    bool adds = false;       ///< the total is the sum, so rows that are folded away have a sum too
    std::string sign = {};   ///< between the column before and this one
  };
  std::vector<std::string> labels;  ///< of the rows
  std::string total_label;          ///< TeX
  std::vector<Column> columns;
  Index row = -1;  ///< the selected one
};

/// A formula with its numbers.
struct StageFormula {
  std::string tex;
};

/// The heads side by side, one of them selected.
struct StageSegments {
  int count = 1, chosen = 0;
  std::string name, role;  ///< TeX of the whole
  std::string label;       ///< of the selected head
};

/// The next part starts a new line.
struct StageBreak {};

using StagePart = std::variant<StageMatrix, StageTerms, StageFormula, StageSegments, StageBreak>;

/// A number of the cell itself, as it is printed.
struct StageValue {
  double value;
  int decimals;
};

/// A thumbnail of a stage's result, shown in the chain of all stages.
struct StageThumbnail {
  std::string symbol;              ///< TeX
  std::string shape;               ///< "[10]"
  MatrixOf<double> values;         ///< one per line
  std::vector<std::string> roles;  ///< one per line
  Index column = -1, span = 1;     ///< the selected columns
};

struct ArithmeticStage {
  std::string name;     ///< StepsOptions::stage
  std::string title;    ///< translated
  std::string formula;  ///< TeX, its parts in the colours of their matrices
  std::string text;     ///< what happens and why, translated
  std::string reason;   ///< a short version for where `text` does not fit; translated; empty: none
  std::vector<StagePart> parts;
  /// Those of the formula of the stages scale and temperature, from the operands to the result.
  std::vector<StageValue> numbers = {};
  StageThumbnail thumbnail;

  template <typename... Parts>
  void add(Parts&&... more) {
    (parts.emplace_back(std::forward<Parts>(more)), ...);
  }
  /// And ends their line.
  template <typename... Parts>
  void add_line(Parts&&... more) {
    add(std::forward<Parts>(more)..., StageBreak{});
  }
};

/// The stages of a cell, in the order of its source; those that do nothing here (no mask, temperature 1, no
/// dropout, one layer) are left out. Throws as cell_arithmetic().
std::vector<ArithmeticStage> arithmetic_stages(const Trace& trace, const BlockTrace& block,
                                               const CellPlace& place, const StepsLook& look,
                                               const Translator& tr);

/// The names of all stages.
std::vector<std::string> stage_names();
/// The title of a stage of the block's cells, English, to be translated; nullptr if no stage has that name.
const char* stage_title(const std::string& name, const Trace& trace, const BlockTrace& block);
/// The index in `stages` of the stage of that name, or of the last one before it if it is left out; an empty
/// name gives the first.
std::size_t stage_place(const std::vector<std::string>& stages, const std::string& name);
/// For attention that was computed elsewhere: which stages its file does not provide, translated; otherwise
/// empty.
std::string left_out(const BlockTrace& block, const Translator& tr);
/// The names of the stages that a cell of a layer of the block has, without their numbers.
std::vector<std::string> present_stages(const Trace& trace, const BlockTrace& block, int layer);

}  // namespace headscope
