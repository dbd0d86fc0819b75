#include "core/figure/canvas/svg_text.h"

#include <fmt/format.h>

namespace headscope {

std::string svg_color(Rgb color) {
  return fmt::format("#{:02x}{:02x}{:02x}", color.r, color.g, color.b);
}

std::string svg_number(double value, int decimals) {
  std::string text = fmt::format("{:.{}f}", value, decimals);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

std::string svg_box(const Rect& rect, int decimals) {
  return fmt::format("x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"", svg_number(rect.x, decimals),
                     svg_number(rect.y, decimals), svg_number(rect.width, decimals),
                     svg_number(rect.height, decimals));
}

}  // namespace headscope
