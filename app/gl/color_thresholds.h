#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "app/panels/ui/heatmap_painter.h"
#include "core/scene/colormap.h"

namespace headscope::gl {

/// For each of the 256 colours the smallest float that ColorRange::index maps to it, or infinity: the shader
/// compares with these, so that a graphics card's rounding of a division or logarithm can't change a colour.
/// [0] is -infinity.
std::array<float, 256> color_thresholds(const ColorRange& range);

/// Whether a cell covers many pixels: such a picture has few colours and repeated rows, and is faster to fill
/// than to shade.
bool has_large_cells(const PooledMap& pooled, const HeatmapRequest& request);

/// The same picture as shaders/heatmap.frag draws, [height, width] BGRA bytes row by row from the top.
void fill_picture(const PooledMap& pooled, const HeatmapRequest& request, std::vector<std::uint32_t>& pixels);

}  // namespace headscope::gl
