#pragma once
#include <cstdint>

namespace headscope {

/// sRGB, 0 to 255 per channel.
struct Rgb {
  std::uint8_t r = 0, g = 0, b = 0;
  bool operator==(const Rgb&) const = default;
};

/// `share` of the way from one colour to another, 0 to 1, channel by channel.
Rgb blend(Rgb from, Rgb to, double share);

/// From OKLCH (Ottosson 2020), lightness and chroma from 0 to 1, hue in degrees; with as much less chroma as
/// sRGB needs.
Rgb from_oklch(double lightness, double chroma, double hue);

/// Black or white, whichever is easier to read on `background`, by its relative luminance (WCAG 2): both
/// contrast equally at about 0.18.
Rgb ink_on(Rgb background);

}  // namespace headscope
