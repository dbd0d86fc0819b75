#pragma once
#include <cstdint>
#include <vector>

#include "app/panels/map/heatmap_painter.h"

namespace headscope::gl {

/// Whether a cell covers many pixels: such a picture has few colours and repeated rows, and is faster to fill
/// than to shade.
bool has_large_cells(const PooledMap& pooled, const HeatmapRequest& request);

/// The same picture as shaders/heatmap.frag draws, [height, width] BGRA bytes row by row from the top.
void fill_picture(const PooledMap& pooled, const HeatmapRequest& request, std::vector<std::uint32_t>& pixels);

}  // namespace headscope::gl
