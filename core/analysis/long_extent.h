#pragma once
#include "core/analysis/filtered_layer.h"

namespace headscope {

/// What is shown of a head of a long map, in groups or a part: its weights, and those that its colours are
/// of. A query that may attend to few keys has large weights by its mask alone; beside a causal map's first
/// row, whose only weight is 1, nothing could be told of the others. So of what is shown, queries with less
/// than a quarter of the keys that another one has leave the colours to the others; so do single cells, one
/// in thousands, that are more than twice as large as all others. The smallest of so many weights is next to
/// nothing: linear colours begin at 0.
LongExtent long_extent(const FilteredLayer& shown, int head);

}  // namespace headscope
