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

/// The fonts of a text size on a screen; sizes in pixels of ImGui's coordinates.
struct StyleFonts {
  float font_size = 16;
  float framebuffer_scale = 1;  ///< framebuffer pixels to one of ImGui's
  ImFont* tiny = nullptr;       ///< crowded ticks; the four differ in size only
  ImFont* small = nullptr;      ///< ticks
  ImFont* regular = nullptr;
  ImFont* large = nullptr;
  ImFont* number = nullptr;         ///< of a caption; has ASCII alone
  std::array<ImFont*, 5> digits{};  ///< numbers in cells, the smallest first; have ASCII and "−" alone

  /// While presenting (app/state/lesson/presentation.h), else nullptr; has the characters of the document
  /// alone.
  ImFont* caption = nullptr;
};

/// Sizes and colours that depend on theme, text size and screen.
struct Style : StyleFonts {
  WindowTheme theme;
  bool presented = false;  ///< a view (app/state/lesson/presentation.h)
  bool lens = false;       ///< likewise, with the lens
};

/// The width of the thinnest line of a mark.
inline float mark_line(const Style& style) {
  if (!style.presented) return 1;
  const float line = style.font_size / (style.theme.contrast ? 8 : 14);
  return line < 1 ? 1 : static_cast<float>(static_cast<int>(line + 0.5F));
}

}  // namespace headscope
