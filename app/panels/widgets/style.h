#pragma once
#include "core/scene/view.h"

namespace headscope {

/// A theme in the window's colours, or in pure black and white.
struct WindowTheme {
  WindowTheme(Theme of = Theme::light, bool high_contrast = false) : theme(of), contrast(high_contrast) {}
  operator Theme() const { return theme; }
  Theme theme;
  bool contrast;
};

/// Sizes of text from line to line, in ImGui's pixels.
struct TextSizes {
  float font_size = 16;
  float framebuffer_scale = 1;    ///< framebuffer pixels per ImGui pixel
  float small = 14, large = 21;   ///< ticks; titles
  float caption = 0, number = 0;  ///< of a caption, and the numbers in it; 0: as large as titles
  bool operator==(const TextSizes&) const = default;
};

/// Sizes and colours that depend on theme, text size and screen.
struct Style : TextSizes {
  float screen_scale = 1;  ///< ImGui's pixels for one of a screen with 96 to an inch
  int fonts = 0;           ///< differs where texts may have been measured differently in the same size
  WindowTheme theme;
  bool presented = false;  ///< the view is presented (app/state/lesson/presentation.h)
  bool lens = false;       ///< presented with the lens
  float finger = 0;        ///< on a phone, how high what a finger hits is; 0: there are a mouse and keys
};

/// The width of the thinnest line of a mark.
inline float mark_line(const Style& style) {
  if (!style.presented) return 1;
  const float line = style.font_size / (style.theme.contrast ? 8 : 14);
  return line < 1 ? 1 : static_cast<float>(static_cast<int>(line + 0.5F));
}

}  // namespace headscope
