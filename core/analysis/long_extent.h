#pragma once
#include <cstdint>
#include <vector>

#include "core/analysis/filtered_layer.h"

namespace headscope {

/// What is shown of a head of a long map, in groups or a part: its weights, and those that its colours are
/// of. A query that may attend to few keys has large weights by its mask alone; beside a causal map's first
/// row, whose only weight is 1, nothing could be told of the others. So of what is shown, queries with less
/// than a quarter of the keys that another one has leave the colours to the others; so do single cells, one
/// in thousands, that are more than twice as large as all others. The smallest of so many weights is next to
/// nothing: linear colours begin at 0.
LongExtent long_extent(const FilteredLayer& shown, int head);

/// The rows of a head that are shown and have a say in its colours.
std::vector<bool> rows_of_colors(const FilteredLayer& shown, int head);

/// How often numbers of about the same size occur in a long map, told apart by the first bits of their
/// floats.
class CellSizes {
 public:
  /// Those that are not negative; states may be nullptr: all are shown.
  void add(const float* numbers, const std::uint8_t* states, Index n);
  /// What colours should reach to where `largest` is the largest: so far, or, where single cells in thousands
  /// are more than twice as large as all others, as far as those.
  float end_of_colors(float largest) const;

 private:
  std::vector<Index> counts_ = std::vector<Index>(std::size_t{1} << 15);
  Index cells_ = 0;
};

}  // namespace headscope
