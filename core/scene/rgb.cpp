#include "core/scene/rgb.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace headscope {

Rgb blend(Rgb from, Rgb to, double share) {
  const auto channel = [share](std::uint8_t a, std::uint8_t b) {
    return static_cast<std::uint8_t>(std::lround(a + share * (b - a)));
  };
  return {channel(from.r, to.r), channel(from.g, to.g), channel(from.b, to.b)};
}

Rgb from_oklch(double lightness, double chroma, double hue) {
  constexpr double step = 0.002, rounding = 1e-9;
  const double angle = hue * std::numbers::pi / 180, cosine = std::cos(angle), sine = std::sin(angle);
  const auto cube = [](double x) { return x * x * x; };  // called for each line of a view
  for (;; chroma = std::max(0.0, chroma - step)) {
    const double a = chroma * cosine, b = chroma * sine;
    const double l = cube(lightness + 0.3963377774 * a + 0.2158037573 * b),
                 m = cube(lightness - 0.1055613458 * a - 0.0638541728 * b),
                 s = cube(lightness - 0.0894841775 * a - 1.2914855480 * b);
    const std::array linear{4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
                            -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
                            -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s};
    const auto inside = [](double x) { return x >= -rounding && x <= 1 + rounding; };
    if (chroma > 0 && !std::ranges::all_of(linear, inside)) continue;
    const auto byte = [](double x) {
      x = std::clamp(x, 0.0, 1.0);
      const double encoded = x <= 0.0031308 ? 12.92 * x : 1.055 * std::pow(x, 1 / 2.4) - 0.055;
      return static_cast<std::uint8_t>(std::lround(255 * encoded));
    };
    return {byte(linear[0]), byte(linear[1]), byte(linear[2])};
  }
}

Rgb ink_on(Rgb background) {
  const auto linear = [](std::uint8_t channel) { return std::pow(channel / 255.0, 2.2); };
  const double luminance =
      0.2126 * linear(background.r) + 0.7152 * linear(background.g) + 0.0722 * linear(background.b);
  return luminance > 0.18 ? Rgb{0, 0, 0} : Rgb{255, 255, 255};
}

}  // namespace headscope
