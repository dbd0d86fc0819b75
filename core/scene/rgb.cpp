#include "core/scene/rgb.h"

#include <cmath>

namespace headscope {

Rgb blend(Rgb from, Rgb to, double share) {
  const auto channel = [share](std::uint8_t a, std::uint8_t b) {
    return static_cast<std::uint8_t>(std::lround(a + share * (b - a)));
  };
  return {channel(from.r, to.r), channel(from.g, to.g), channel(from.b, to.b)};
}

Rgb ink_on(Rgb background) {
  const auto linear = [](std::uint8_t channel) { return std::pow(channel / 255.0, 2.2); };
  const double luminance =
      0.2126 * linear(background.r) + 0.7152 * linear(background.g) + 0.0722 * linear(background.b);
  return luminance > 0.18 ? Rgb{0, 0, 0} : Rgb{255, 255, 255};
}

}  // namespace headscope
