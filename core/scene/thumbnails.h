#pragma once
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

#include "core/analysis/filtered_layer.h"
#include "core/scene/colormap.h"

namespace headscope {

/// The maps of all layers pooled, to show them at once: if a map has more than `size` cells to a side, each
/// cell is the largest weight of those it represents.
struct Thumbnails {
  struct Layer {
    Index n_q = 0, n_k = 0;                         ///< of the small maps
    Tensor weights;                                 ///< [heads, n_q, n_k]
    std::vector<std::vector<std::uint8_t>> states;  ///< CellState, one per head or one for all, or none
    std::vector<ColorRange> ranges;                 ///< one per head
    const std::uint8_t* state(int head) const;
  };
  std::vector<Layer> layers;
  int heads() const;  ///< of the layer that has the most
};

/// Of all thumbnails, layer by layer and head by head.
std::vector<ColorRange> all_ranges(const Thumbnails& thumbnails);
/// The range of all maps if they share one.
std::optional<ColorRange> shared_range(const std::vector<ColorRange>& ranges);

/// Throws Stopped. If a layer's heads share a range, all layers do. Of a rollout those of the heads that it
/// mixes, and after them its own.
std::shared_ptr<const Thumbnails> make_thumbnails(const std::shared_ptr<const BlockTrace>& block,
                                                  const Filter& filter, const RangeChoice& range, Index size,
                                                  std::stop_token stop = {});

}  // namespace headscope
