#pragma once
#include <array>

#include "core/scene/view.h"

struct ImFont;

namespace headscope {

/// A theme in the window's colours, or in pure black and white.
struct WindowTheme {
  WindowTheme(Theme of = Theme::light, bool high_contrast = false) : theme(of), contrast(high_contrast) {}
  operator Theme() const { return theme; }
  Theme theme;
  bool contrast;
};

/// The fonts for a text size and screen; sizes in pixels of ImGui's coordinates.
struct StyleFonts {
  float font_size = 16;
  float framebuffer_scale = 1;  ///< framebuffer pixels per ImGui pixel
  ImFont* small = nullptr;      ///< ticks; the three differ only in size
  ImFont* regular = nullptr;
  ImFont* large = nullptr;
  ImFont* number = nullptr;         ///< of a caption; ASCII only
  std::array<ImFont*, 5> digits{};  ///< numbers in cells, smallest first; ASCII and "−" only

  /// While presenting (app/state/lesson/presentation.h), otherwise nullptr; only has the document's
  /// characters.
  ImFont* caption = nullptr;
};

/// Sizes and colours that depend on theme, text size and screen.
struct Style : StyleFonts {
  WindowTheme theme;
  bool presented = false;  ///< the view is presented (app/state/lesson/presentation.h)
  bool lens = false;       ///< presented with the lens
};

/// The width of the thinnest line of a mark.
inline float mark_line(const Style& style) {
  if (!style.presented) return 1;
  const float line = style.font_size / (style.theme.contrast ? 8 : 14);
  return line < 1 ? 1 : static_cast<float>(static_cast<int>(line + 0.5F));
}

}  // namespace headscope
