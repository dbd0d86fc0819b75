#pragma once
#include "core/scene/view.h"

struct ImFont;

namespace headscope {

/// Sizes and colours that depend on theme, text size and screen; in pixels of ImGui's coordinates.
struct Style {
  Theme theme = Theme::light;
  float font_size = 16;
  float framebuffer_scale = 1;  ///< framebuffer pixels to one of ImGui's
  ImFont* tiny = nullptr;       ///< crowded ticks; the four differ in size only
  ImFont* small = nullptr;      ///< ticks
  ImFont* regular = nullptr;
  ImFont* large = nullptr;
};

}  // namespace headscope
