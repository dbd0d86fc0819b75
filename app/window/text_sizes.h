#pragma once
#include "app/panels/widgets/style.h"

namespace headscope {

/// For regular text `em` high, with `raster` framebuffer pixels per ImGui pixel.
TextSizes ordinary_sizes(float em, float raster);
/// For a view presented in a window `height` pixels high.
TextSizes presented_sizes(float height, float raster);

}  // namespace headscope
