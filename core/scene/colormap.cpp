#include "core/scene/colormap.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace headscope {
namespace {

using Colors = std::array<Rgb, 256>;

constexpr int terms = 17;

/// Red, green and blue as Chebyshev series over the map, from -1 at its dark end to 1 at its bright end.
struct Fit {
  std::array<std::array<double, terms>, 3> channels;
};

// Least largest error fits to matplotlib's maps (S. van der Walt, N. Smith; J. Nuñez et al., public domain),
// within 1/255 of them everywhere; what falls below 0 is clipped, as in cividis' dark end.
constexpr Fit viridis_fit{
    {{{0.40869, 0.29834, 0.25499, 0.08024, -0.03314, -0.01966, -0.00176, 0.00658, 0.00211, -0.00363, -0.00142,
       0.00183, 0.00092, -0.00061, -0.00070, 0.00034, 0.00043},
      {0.51873, 0.45465, -0.05736, -0.00487, -0.00846, 0.00073, 0.00215, 0.00082, -0.00031, 0.00008, 0.00021,
       -0.00035, 0.00028, -0.00030, 0.00016, -0.00037, 0.00012},
      {0.37589, -0.14674, -0.17067, 0.02112, 0.01482, 0.02879, 0.01467, 0.00484, 0.00413, 0.00115, -0.00072,
       -0.00100, -0.00109, -0.00088, -0.00058, -0.00039, 0.00022}}}};
constexpr Fit magma_fit{
    {{{0.59094, 0.55120, -0.11838, -0.06208, 0.01653, 0.00769, 0.00758, -0.00554, -0.00362, 0.00205, 0.00137,
       -0.00032, 0.00010, -0.00061, 0.00017, 0.00083, -0.00043},
      {0.36995, 0.48016, 0.14403, 0.02044, -0.01946, -0.00738, -0.00336, 0.00797, 0.00456, -0.00748, 0.00124,
       0.00102, -0.00097, 0.00176, -0.00100, -0.00072, 0.00170},
      {0.41414, 0.24585, -0.04370, 0.15318, 0.00674, -0.02737, 0.00042, -0.00749, 0.00760, 0.00536, -0.00563,
       -0.00069, 0.00117, -0.00104, 0.00209, -0.00089, -0.00113}}}};
constexpr Fit cividis_fit{
    {{{0.43997, 0.60222, -0.08064, 0.06430, -0.02234, -0.01454, 0.03496, -0.04852, 0.05062, -0.05076, 0.04222,
       -0.03430, 0.02336, -0.01635, 0.00858, -0.00508, 0.00116},
      {0.50188, 0.38047, 0.01846, 0.00467, 0.00071, 0.00014, 0.00038, 0.00046, 0.00010, 0.00056, 0.00010,
       0.00032, 0.00031, 0.00008, 0.00052, -0.00010, -0.00021},
      {0.37687, -0.05309, -0.09770, -0.01751, -0.02088, 0.01953, -0.01118, 0.00330, 0.00485, -0.00007,
       0.00477, -0.00222, 0.00541, 0.00089, 0.00119, 0.00201, -0.00209}}}};

std::uint8_t to_byte(double x) {
  return static_cast<std::uint8_t>(std::lround(255 * std::clamp(x, 0.0, 1.0)));
}

/// Clenshaw's recurrence for the sum of c_k T_k(u).
double chebyshev(const std::array<double, terms>& c, double u) {
  double next = 0, after = 0;
  for (std::size_t k = terms - 1; k > 0; --k) {
    const double current = c[k] + 2 * u * next - after;
    after = next;
    next = current;
  }
  return c[0] + u * next - after;
}

Colors evaluate(const Fit& fit) {
  Colors colors;
  for (std::size_t i = 0; i < colors.size(); ++i) {
    const double u = static_cast<double>(i) / 127.5 - 1;
    colors[i] = {to_byte(chebyshev(fit.channels[0], u)), to_byte(chebyshev(fit.channels[1], u)),
                 to_byte(chebyshev(fit.channels[2], u))};
  }
  return colors;
}

/// CIE L*a*b* under D65 to sRGB (IEC 61966-2-1), clipped to what a screen can show.
Rgb from_lab(double L, double a, double b) {
  const auto inverse = [](double t) { return t > 6.0 / 29 ? t * t * t : 3 * 36.0 / 841 * (t - 4.0 / 29); };
  const double fy = (L + 16) / 116;
  const double x = 0.95047 * inverse(fy + a / 500), y = inverse(fy), z = 1.08883 * inverse(fy - b / 200);
  const auto encode = [](double v) {
    return v <= 0.0031308 ? 12.92 * v : 1.055 * std::pow(v, 1 / 2.4) - 0.055;
  };
  return {to_byte(encode(3.2404542 * x - 1.5371385 * y - 0.4985314 * z)),
          to_byte(encode(-0.9692660 * x + 1.8760108 * y + 0.0415560 * z)),
          to_byte(encode(0.0556434 * x - 0.2040259 * y + 1.0572252 * z))};
}

Colors make_greys() {
  Colors colors;
  for (std::size_t i = 0; i < colors.size(); ++i)
    colors[i] = from_lab(100 - 100 * static_cast<double>(i) / 255, 0, 0);
  return colors;
}

/// Blue, near white, red: lightness falls by equal steps and chroma grows on both sides alike.
Colors make_diverging() {
  constexpr double middle_lightness = 97, end_lightness = 37, chroma = 52;
  constexpr double blue = 285, red = 36;  // hues in degrees
  Colors colors;
  for (std::size_t i = 0; i < colors.size(); ++i) {
    const double t = static_cast<double>(i) / 127.5 - 1;
    const double hue = (t < 0 ? blue : red) * std::numbers::pi / 180;
    const double c = chroma * std::sin(std::abs(t) * std::numbers::pi / 2);
    colors[i] = from_lab(middle_lightness - (middle_lightness - end_lightness) * std::abs(t),
                         c * std::cos(hue), c * std::sin(hue));
  }
  return colors;
}

/// HSV to sRGB, hue in [0, 1).
Rgb from_hsv(double hue, double saturation, double value) {
  const auto channel = [&](double n) {
    const double k = std::fmod(n + hue * 6, 6);
    return to_byte(value - value * saturation * std::clamp(std::min(k, 4 - k), 0.0, 1.0));
  };
  return {channel(5), channel(3), channel(1)};
}

}  // namespace

const std::array<Rgb, 256>& colors(Colormap colormap) {
  static const Colors viridis = evaluate(viridis_fit), magma = evaluate(magma_fit),
                      cividis = evaluate(cividis_fit), greys = make_greys();
  switch (colormap) {
    case Colormap::magma:
      return magma;
    case Colormap::cividis:
      return cividis;
    case Colormap::greys:
      return greys;
    case Colormap::viridis:
      break;
  }
  return viridis;
}

const std::array<Rgb, 256>& diverging_colors() {
  static const Colors diverging = make_diverging();
  return diverging;
}

Rgb head_color(int h, int heads) {
  // Chosen to be told apart on white and on black, also side by side as lines.
  static constexpr std::array<Rgb, 10> ten{{{0x2a, 0x78, 0xd6},
                                            {0xeb, 0x76, 0x0f},
                                            {0x1f, 0x9e, 0x54},
                                            {0xd6, 0x30, 0x3b},
                                            {0x8e, 0x5b, 0xd0},
                                            {0x94, 0x62, 0x3f},
                                            {0xe0, 0x5a, 0xac},
                                            {0x7c, 0x84, 0x8c},
                                            {0xa3, 0x9b, 0x12},
                                            {0x12, 0xa5, 0xb8}}};
  if (heads <= 10) return ten[static_cast<std::size_t>(std::clamp(h, 0, 9))];
  return from_hsv(static_cast<double>(h % heads) / heads, 0.75, 0.85);
}

float ColorRange::position(float value) const {
  if (!(value > low)) return 0;  // NaN too
  if (value >= high) return 1;
  const float p = logarithm ? std::log2(value / low) / std::log2(high / low) : (value - low) / (high - low);
  return std::clamp(p, 0.0F, 1.0F);
}

int ColorRange::index(float value) const {
  return std::min(255, static_cast<int>(position(value) * 256));
}

MaskedStyle masked_style(Theme theme) {
  if (theme == Theme::dark) return {{0x3a, 0x3d, 0x42}, {0x5c, 0x61, 0x68}};
  return {{0xe4, 0xe5, 0xe7}, {0xb9, 0xbc, 0xc1}};
}

}  // namespace headscope
