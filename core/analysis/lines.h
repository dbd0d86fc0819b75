#pragma once
#include <set>
#include <vector>

#include "core/analysis/filtered_layer.h"

namespace headscope {

/// One line from a query's token to a key's.
struct Line {
  int head = 0, row = 0, column = 0;  ///< row and column of the FilteredLayer
  float weight = 0;                   ///< without its sign
  bool negative = false;
  float number() const { return negative ? -weight : weight; }
};

struct LineSet {
  std::vector<Line> lines;  ///< weakest first: drawn in this order the strong ones are on top
  float largest =
      0;  ///< weight of the strongest, of a long map of the first that all but a few are weaker than
  std::size_t left_out = 0;  ///< weaker ones above 0 that are not among them
};

/// How many are drawn at most, on screen and in figures: more could not be distinguished, and with software
/// rendering they would slow down dragging.
constexpr std::size_t max_lines = 2000;

/// The `limit` strongest lines of the heads that are not hidden; cells that are masked or filtered out have
/// none. O(heads n_q n_k).
LineSet strongest_lines(const FilteredLayer& shown, const std::set<int>& hidden_heads, std::size_t limit);

/// The `limit` strongest lines of one row, or of one column where row is -1. O(heads n).
LineSet lines_of_token(const FilteredLayer& shown, const std::set<int>& hidden_heads, int row, int column,
                       std::size_t limit);

/// How a line looks: both grow with the weight, relative to the largest that is drawn.
struct LineLook {
  double width = 0;    ///< in heights of the token's text
  double opacity = 0;  ///< 0 to 1
};
LineLook line_look(float weight, float largest);

}  // namespace headscope
