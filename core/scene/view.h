#pragma once
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/analysis/filter.h"
#include "core/inputs/inputs.h"
#include "core/scene/cause_options.h"
#include "core/scene/prediction_options.h"
#include "core/scene/range_choice.h"
#include "core/scene/steps_options.h"
#include "core/scene/table_options.h"
#include "core/scene/view_kinds.h"
#include "core/scene/zoom.h"
#include "core/source/cell_value.h"
#include "core/source/rollout_options.h"
#include "core/source/trace.h"

namespace headscope {

enum class Colormap { viridis, magma, cividis, greys, blues };
enum class Theme { light, dark };
enum class Numbers { off, automatic };  ///< automatic: where they fit

/// How the same numbers are shown: what a figure takes from the screen. Never changes a number.
struct View {
  ViewKind kind = ViewKind::grid;
  BlockKind block = BlockKind::self;  ///< if the trace has it; otherwise its first
  int layer = 0;                      ///< from 0
  std::optional<int> head;            ///< from 0: the one that the head view and the comparison show
  Zoom zoom;                          ///< of the head view
  Colormap colormap = Colormap::viridis;
  RangeChoice range;
  CellValue cells = CellValue::weight;  ///< of a logit, of the token of `predictions`
  RolloutOptions rollout;               ///< one map for each layer in place of its heads'
  Numbers numbers = Numbers::automatic;
  int rows = 0;  ///< 0: chosen to fit
  int columns = 0;
  std::string title;       ///< of figures; empty: a default that says what they show
  bool show_title = true;  ///< otherwise figures have none
  Theme theme = Theme::light;
  Filter filter;
  HeadSort sort;
  bool means = false;          ///< for long texts: pooled cells are means, otherwise maxima
  std::set<int> hidden_heads;  ///< from 0; never all of them
  TableOptions table;
  PredictionOptions predictions;
  CauseOptions causes;
  CircuitOptions circuits;
  StepsOptions steps;
  bool words = false;  ///< pieces of a word are shown as one token: see with_words()
  /// Of an encoder–decoder as a whole: the comparison's B instead of A, if there is one.
  bool of_b = false;

  const ViewKindRow& row() const { return view_kind(kind); }
  bool operator==(const View&) const = default;
};

/// Whether it shows what is taken from one run into another: the comparison's two sides.
inline bool asks_b(const View& view) {
  return view.row().changes_runs && needs_other(view.causes.change);
}

/// Their names in files, with aliases.
std::span<const EnumName<Colormap>> enum_names(Colormap);
std::span<const EnumName<Theme>> enum_names(Theme);
std::span<const EnumName<Numbers>> enum_names(Numbers);

/// Resets layers and heads of a view that do not exist; a layer without maps gives way to the next with some.
void fit_view(View& view, const BlockShape& shape);
/// Removes what is beyond n_q queries and n_k keys from a filter: tokens were removed.
void fit_filter(Filter& filter, int n_q, int n_k);

}  // namespace headscope
