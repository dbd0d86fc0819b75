#include "app/before_imgui_1_92/panels/font_sizes.h"
#include "app/panels/widgets/placed_text.h"

namespace headscope {

MapTextStyle text_style(double size, ImU32 color, float align_x, float align_y) {
  return {sharp_size(static_cast<float>(size), 1.04F), color, align_x, align_y};
}

MapTextStyle number_style(double size) {
  return {sharp_number_size(static_cast<float>(size)), 0, 0.5F, 0.5F, true};
}

/// Sharp letters are worth a greater difference: boards measure in the same size.
MapTextStyle board_text_style(double size) {
  return {sharp_size(static_cast<float>(size), 1.12F), 0, 0, 0.5F};
}

ImFont* font_of(const MapTextStyle& style) {
  return &font_of(style.size, style.number);
}

}  // namespace headscope
