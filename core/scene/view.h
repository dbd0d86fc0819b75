#pragma once
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/analysis/filter.h"
#include "core/inputs/inputs.h"
#include "core/scene/zoom.h"

namespace headscope {

enum class Colormap { viridis, magma, cividis, greys };
/// What the ends of the colour bar are.
enum class Range {
  unit,       ///< 0 to 1
  shared,     ///< smallest to largest over all heads shown
  head,       ///< each head's own smallest to largest (the notebook's)
  logarithm,  ///< logarithmic, from 1e-4 of the largest (or the smallest if larger) to the largest
  fixed,      ///< View::limits, whatever the weights are
};
/// The ends of the colour bar under Range::fixed: low < high.
struct ColorLimits {
  static constexpr double most = 1e6;  ///< of either, and -most the least
  double low = 0, high = 1;
  bool valid() const { return low < high && low >= -most && high <= most; }
  bool operator==(const ColorLimits&) const = default;
};
enum class Theme { light, dark };
enum class Numbers { off, automatic };  ///< automatic: where they fit
enum class ViewKind { grid, head, lines, layers, compare, head_table, steps, lens, contributions, model };
/// What of the table of heads is shown.
enum class TableHalf { both, numbers, similarity, scatter };
/// What the points of the scatter of heads have their colours by.
enum class ScatterColor { layer, group };
/// What the steps of the arithmetic show: one cell's way, what a layer costs, the softmax block by block.
enum class StepsPage { cell, cost, streaming };

/// How the same numbers are shown: what a figure takes over from the screen. Never changes a number.
struct View {
  ViewKind kind = ViewKind::grid;
  BlockKind block = BlockKind::self;  ///< where the trace has it; else its first
  int layer = 0;                      ///< from 0
  std::optional<int> head;            ///< from 0: the one that the head view shows, and the comparison
  Zoom zoom;                          ///< of the head view
  Colormap colormap = Colormap::viridis;
  Range range = Range::head;
  ColorLimits limits;  ///< of Range::fixed
  Numbers numbers = Numbers::automatic;
  int rows = 0;  ///< 0: chosen to fit
  int columns = 0;
  std::string title;       ///< of figures; empty: one that says what they show
  bool show_title = true;  ///< else figures have none
  Theme theme = Theme::light;
  Filter filter;
  /// Order of the heads: "" by number, "name" (that somebody gave them), "similarity", or the name of a
  /// column of head_columns().
  std::string sort;
  bool sort_descending = true;
  bool means = false;          ///< of long texts a cell is the mean of its group of cells, else the largest
  int groups = 1;              ///< into how many groups of similar heads the tree is cut; 1: not at all
  std::set<int> hidden_heads;  ///< toggled off, from 0; never all of them
  TableHalf table = TableHalf::both;
  /// Columns of head_columns() that the scatter has along its axes.
  std::string scatter_x = "previous", scatter_y = "first";
  ScatterColor scatter_color = ScatterColor::layer;
  /// Of what each layer and head says of a next token: which (as named_token(); empty: the likeliest), and at
  /// which query, from 0 (none: the last).
  std::string token;
  std::optional<int> position;
  StepsPage page = StepsPage::cell;  ///< of the steps of the arithmetic
  bool words = false;                ///< pieces of a word are shown as one token: see with_words()
  /// Of an encoder–decoder as a whole: the comparison's B instead of A, where there is one.
  bool of_b = false;
  std::string stage;  ///< of a cell's way: the name of the last one shown; empty: the first

  bool operator==(const View&) const = default;
};

/// Leads a view back to layers and heads that there are.
void fit_view(View& view, int layers, int heads);
/// Takes out of a filter what lies beyond n_q queries and n_k keys: tokens were taken away.
void fit_filter(Filter& filter, int n_q, int n_k);

}  // namespace headscope
