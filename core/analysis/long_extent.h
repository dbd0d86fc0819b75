#pragma once
#include <cstdint>
#include <vector>

#include "core/analysis/filtered_layer.h"

namespace headscope {

/// What is shown of a head of a long map, pooled or in part: its weights, and those that its colours cover. A
/// query that may attend to few keys has large weights because of the mask alone; next to a causal map's
/// first row, whose only weight is 1, the others could not be distinguished. So among the shown queries,
/// those with less than a quarter of the keys of another one do not count for the colours; neither do single
/// cells, one in thousands, that are more than twice as large as all others. The smallest of this many
/// weights is close to 0: linear colours begin at 0.
LongExtent long_extent(const FilteredLayer& shown, int head);

/// The shown rows of a head that count for its colours.
std::vector<bool> rows_of_colors(const FilteredLayer& shown, int head);

/// Histogram of the numbers of a long map, binned by the first bits of their floats.
class CellSizes {
 public:
  /// Adds those that are not negative; states may be nullptr: all are shown.
  void add(const float* numbers, const std::uint8_t* states, Index n);
  /// The upper end of the colours, where `largest` is the largest: `largest`, or, if single cells in
  /// thousands are more than twice as large as all others, the largest of the others.
  float end_of_colors(float largest) const;

 private:
  std::vector<Index> counts_ = std::vector<Index>(std::size_t{1} << 15);
  Index cells_ = 0;
};

}  // namespace headscope
