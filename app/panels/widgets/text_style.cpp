#include <algorithm>
#include <cmath>

#include "app/panels/widgets/placed_text.h"

namespace headscope {

// Strokes are fitted to the pixels of the screen in sizes of whole pixels.

MapTextStyle text_style(double size, ImU32 color, float align_x, float align_y) {
  return {std::max(1.0F, std::round(static_cast<float>(size))), color, align_x, align_y};
}

MapTextStyle number_style(double size) {
  return {std::max(1.0F, std::floor(static_cast<float>(size) + 0.01F)), 0, 0.5F, 0.5F, true};
}

MapTextStyle board_text_style(double size) {
  return text_style(size, 0);
}

ImFont* font_of(const MapTextStyle&) {
  return ImGui::GetFont();
}

}  // namespace headscope
