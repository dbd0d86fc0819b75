#pragma once
#include <string>
#include <variant>
#include <vector>

#include "core/analysis/cell_arithmetic.h"
#include "core/analysis/steps_look.h"
#include "core/base/translate.h"

namespace headscope {

// What a cell's arithmetic looks like, stage by stage: for screen, figure and text alike. A stage shows the
// numbers that it reads and those that it makes, with so many digits that what is printed gives the next
// printed number but for the rounding of the last digits.

/// A matrix of the run, or some of its rows.
struct StageMatrix {
  std::string role;            ///< its colour: see figure/role_colors.h; empty: none
  std::string name;            ///< TeX
  std::string shape;           ///< "[10, 64]", that of the whole
  MatrixOf<double> values;     ///< the rows that are shown
  std::vector<Index> row_ids;  ///< which rows of the whole they are, ascending; empty: all
  std::vector<std::string> rows = {}, columns = {};  ///< labels; empty: none
  Index row = -1, other_row = -1;                    ///< chosen ones, indices into `values`; -1: none
  Index column = -1;                                 ///< what folds is folded about it
  Index span = 1;                                    ///< how many columns are chosen from `column` on
  int decimals = 4;
  Index most = 6;  ///< columns that are shown where it is folded
  enum class Click { nothing, component, output } click = Click::nothing;  ///< what a column's choice sets
};

/// A list of terms with their sum: a row each, the sum below.
struct StageTerms {
  static constexpr const char* output_bias = "b_O";  ///< the label of a row
  struct Column {
    std::string name;  ///< TeX
    std::string role;
    std::vector<double> values;  ///< a row each
    int decimals = 4;
    std::string total = {};  ///< printed below; empty: nothing stands there
    bool adds = false;       ///< the total is the sum, so that rows that are folded away have a sum too
    std::string sign = {};   ///< between the column before and this one
  };
  std::vector<std::string> labels;  ///< of the rows
  std::string total_label;          ///< TeX
  std::vector<Column> columns;
  Index row = -1;  ///< the chosen one
};

/// A formula with its numbers.
struct StageFormula {
  std::string tex;
};

/// The heads side by side, one of them chosen.
struct StageSegments {
  int count = 1, chosen = 0;
  std::string name, role;  ///< TeX of the whole
  std::string label;       ///< of the chosen one
};

/// What follows begins a line.
struct StageBreak {};

using StagePart = std::variant<StageMatrix, StageTerms, StageFormula, StageSegments, StageBreak>;

/// What a stage makes, as small as it can be: its place in the chain of all stages.
struct StageThumbnail {
  std::string symbol;              ///< TeX
  std::string shape;               ///< "[10]"
  MatrixOf<double> values;         ///< a line each
  std::vector<std::string> roles;  ///< of each line
  Index column = -1, span = 1;     ///< the chosen columns
};

struct ArithmeticStage {
  std::string name;     ///< View::stage
  std::string title;    ///< translated
  std::string formula;  ///< TeX, its parts in the colours of their matrices
  std::string text;     ///< what happens and why, translated
  std::string reason;   ///< the least of it, for where the text has no room; translated; empty: none
  std::vector<StagePart> parts;
  StageThumbnail thumbnail;
};

/// The stages of a cell, in the order of its source; those that do nothing here (no mask, temperature 1, no
/// dropout, one layer) are left out. Throws as cell_arithmetic().
std::vector<ArithmeticStage> arithmetic_stages(const Trace& trace, const BlockTrace& block,
                                               const CellPlace& place, const StepsLook& look,
                                               const Translator& tr);

/// The names of all stages.
std::vector<std::string> stage_names();
/// The title of a stage of the block's cells, English, to be translated; nullptr: no stage has that name.
const char* stage_title(const std::string& name, const Trace& trace, const BlockTrace& block);
/// The place in `stages` of the one of that name, or of the last one before it where it is left out; empty:
/// the first.
std::size_t stage_place(const std::vector<std::string>& stages, const std::string& name);
/// Of attention that was computed elsewhere: which stages its file does not give, translated; else empty.
std::string left_out(const BlockTrace& block, const Translator& tr);
/// The names of those that a cell of the block has, without their numbers.
std::vector<std::string> present_stages(const Trace& trace, const BlockTrace& block);

}  // namespace headscope
