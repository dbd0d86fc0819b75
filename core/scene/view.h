#pragma once
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/analysis/filter.h"
#include "core/inputs/inputs.h"
#include "core/scene/view_kinds.h"
#include "core/scene/zoom.h"

namespace headscope {

enum class Colormap { viridis, magma, cividis, greys, blues };
/// How the ends of the colour bar are chosen.
enum class Range {
  unit,        ///< 0 to 1
  shared,      ///< smallest to largest over all heads shown
  head,        ///< each head's own smallest to largest (the notebook's)
  logarithm,   ///< logarithmic, from 1e-4 of the largest (or the smallest if larger) to the largest
  fixed,       ///< View::limits, whatever the weights are
  percentile,  ///< each head's own 2nd to 98th percentile, as seaborn's robust=True
  row,         ///< each row from 0 to its own largest
};
/// Whether each head, or row, has a range of its own.
constexpr bool is_per_head(Range range) {
  return range == Range::head || range == Range::percentile || range == Range::row;
}
/// The ends of the colour bar under Range::fixed: low < high.
struct ColorLimits {
  static constexpr double maximum = 1e6;  ///< of either; the minimum is -maximum
  double low = 0, high = 1;
  bool valid() const { return low < high && low >= -maximum && high <= maximum; }
  bool operator==(const ColorLimits&) const = default;
};
enum class Theme { light, dark };
enum class Numbers { off, automatic };  ///< automatic: where they fit
/// Which part of the table of heads is shown.
enum class TableHalf { both, numbers, similarity, scatter };
/// What the points of the scatter of heads are coloured by.
enum class ScatterColor { layer, group };
/// What the steps of the arithmetic show: one cell's steps, what a layer costs, the softmax block by block.
enum class StepsPage { cell, cost, streaming };

/// How the same numbers are shown: what a figure takes from the screen. Never changes a number.
struct View {
  ViewKind kind = ViewKind::grid;
  BlockKind block = BlockKind::self;  ///< if the trace has it; otherwise its first
  int layer = 0;                      ///< from 0
  std::optional<int> head;            ///< from 0: the one that the head view and the comparison show
  Zoom zoom;                          ///< of the head view
  Colormap colormap = Colormap::viridis;
  Range range = Range::head;
  ColorLimits limits;  ///< of Range::fixed
  /// The first query and the first key, on which heads often put the weight that they do not need (Xiao et
  /// al. 2024, attention sinks), do not count for the ends of the colours.
  bool ignore_first_token = false;
  Numbers numbers = Numbers::automatic;
  int rows = 0;  ///< 0: chosen to fit
  int columns = 0;
  std::string title;       ///< of figures; empty: a default that says what they show
  bool show_title = true;  ///< otherwise figures have none
  Theme theme = Theme::light;
  Filter filter;
  /// Order of the heads: "" by number, "name" (the user's), "similarity", or the name of a column of
  /// head_columns().
  std::string sort;
  bool sort_descending = true;
  bool means = false;          ///< for long texts: pooled cells are means, otherwise maxima
  int groups = 1;              ///< into how many groups of similar heads the tree is cut; 1: not cut
  std::set<int> hidden_heads;  ///< from 0; never all of them
  TableHalf table = TableHalf::both;
  /// Columns of head_columns() for the axes of the scatter.
  std::string scatter_x = "previous", scatter_y = "first";
  ScatterColor scatter_color = ScatterColor::layer;
  /// For the predictions of each layer and head: which next token (as named_token(); empty: the likeliest),
  /// and at which query, from 0 (none: the last).
  std::string token;
  std::optional<int> position;
  StepsPage page = StepsPage::cell;  ///< of the steps of the arithmetic
  bool words = false;                ///< pieces of a word are shown as one token: see with_words()
  /// Of an encoder–decoder as a whole: the comparison's B instead of A, if there is one.
  bool of_b = false;
  std::string stage;  ///< of a cell's steps: the name of the last one shown; empty: the first

  bool operator==(const View&) const = default;
};

/// Their names in files, with aliases.
std::span<const EnumName<Colormap>> enum_names(Colormap);
std::span<const EnumName<Range>> enum_names(Range);
std::span<const EnumName<Theme>> enum_names(Theme);
std::span<const EnumName<Numbers>> enum_names(Numbers);
std::span<const EnumName<TableHalf>> enum_names(TableHalf);
std::span<const EnumName<ScatterColor>> enum_names(ScatterColor);
std::span<const EnumName<StepsPage>> enum_names(StepsPage);

/// Resets layers and heads of a view that do not exist.
void fit_view(View& view, int layers, int heads);
/// Removes what is beyond n_q queries and n_k keys from a filter: tokens were removed.
void fit_filter(Filter& filter, int n_q, int n_k);

}  // namespace headscope
