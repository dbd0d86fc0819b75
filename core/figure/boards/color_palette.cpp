#include "core/figure/boards/color_palette.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <queue>

namespace headscope {
namespace {

struct Weighted {
  std::array<double, 3> color;  // red, green, blue
  double weight;
};

Rgb rgb_of(const std::array<double, 3>& color) {
  const auto byte = [](double v) { return static_cast<std::uint8_t>(std::clamp(std::lround(v), 0L, 255L)); };
  return {byte(color[0]), byte(color[1]), byte(color[2])};
}

/// Colours that become one.
struct ColorBox {
  std::span<Weighted> colors;
  std::array<double, 3> mean{};
  std::size_t widest = 0;  // the channel in which they differ most
  double error = 0;        // weighted sum of squares from the mean, in that channel

  explicit ColorBox(std::span<Weighted> of) : colors(of) {
    double weight = 0;
    std::array<double, 3> sum{}, squares{};
    for (const Weighted& c : colors) {
      weight += c.weight;
      for (std::size_t i = 0; i < 3; ++i) {
        sum[i] += c.weight * c.color[i];
        squares[i] += c.weight * c.color[i] * c.color[i];
      }
    }
    for (std::size_t i = 0; i < 3; ++i) {
      mean[i] = sum[i] / weight;
      const double here = squares[i] - sum[i] * mean[i];
      if (here > error) error = here, widest = i;
    }
  }
  bool operator<(const ColorBox& other) const { return error < other.error; }
};

/// Median cut (Heckbert 1982) at the mean of the widest channel, the box with the largest error first (Wu
/// 1991).
void append_means(std::vector<Rgb>& palette, std::vector<Weighted>& colors, std::size_t maximum) {
  std::priority_queue<ColorBox> boxes;
  boxes.emplace(std::span(colors));
  while (boxes.size() < maximum && boxes.top().error > 0) {
    const ColorBox box = boxes.top();
    const auto high = std::partition(box.colors.begin(), box.colors.end(), [&](const Weighted& c) {
      return c.color[box.widest] <= box.mean[box.widest];
    });
    const std::size_t cut = high - box.colors.begin();
    if (cut == 0 || cut == box.colors.size()) break;  // all alike up to rounding
    boxes.pop();
    boxes.emplace(box.colors.first(cut));
    boxes.emplace(box.colors.subspan(cut));
  }
  for (; !boxes.empty(); boxes.pop()) palette.push_back(rgb_of(boxes.top().mean));
}

}  // namespace

void ColorCount::add(const Picture& picture) {
  std::uint32_t last = 0;
  std::uint64_t* count = nullptr;  // colours come in runs
  for (std::size_t i = 0; i + 3 < picture.rgba.size(); i += 4) {
    const std::uint32_t color = picture.rgba[i] << 16 | picture.rgba[i + 1] << 8 | picture.rgba[i + 2];
    if (count == nullptr || color != last) count = &pixels_[color];
    last = color;
    ++*count;
  }
}

void ColorCount::add(Rgb color, std::uint64_t pixels) {
  pixels_[color.r << 16 | color.g << 8 | color.b] += pixels;
}

std::vector<Rgb> ColorCount::palette(std::size_t maximum) const {
  std::vector<std::pair<std::uint64_t, std::uint32_t>> counted;
  for (const auto& [color, pixels] : pixels_) counted.emplace_back(pixels, color);
  std::ranges::sort(counted, std::greater{});
  const std::size_t kept = counted.size() <= maximum ? counted.size() : maximum / 8;
  std::vector<Rgb> palette;
  std::vector<Weighted> rest;
  for (const auto& [pixels, color] : counted) {
    const Rgb rgb{static_cast<std::uint8_t>(color >> 16 & 255U), static_cast<std::uint8_t>(color >> 8 & 255U),
                  static_cast<std::uint8_t>(color & 255U)};
    if (palette.size() < kept)
      palette.push_back(rgb);
    else  // By the root, so that small areas count too.
      rest.push_back({{static_cast<double>(rgb.r), static_cast<double>(rgb.g), static_cast<double>(rgb.b)},
                      std::sqrt(pixels)});
  }
  if (palette.empty() && rest.empty()) return {Rgb{}};
  if (!rest.empty()) append_means(palette, rest, maximum - kept);
  return palette;
}

}  // namespace headscope
