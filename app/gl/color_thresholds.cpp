#include "app/gl/color_thresholds.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "app/gl/opengl.h"

namespace headscope::gl {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

// Maps floats to integers in the same order, so that steps between them can be counted.
std::int64_t to_steps(float value) {
  const auto bits = std::bit_cast<std::int32_t>(value);
  return bits >= 0 ? bits : -static_cast<std::int64_t>(bits & 0x7fffffff);
}

float from_steps(std::int64_t steps) {
  const auto magnitude = static_cast<std::int32_t>(steps >= 0 ? steps : -steps);
  const float value = std::bit_cast<float>(magnitude);
  return steps >= 0 ? value : -value;
}

/// The smallest value whose colour index is at least `index`, searched outwards from `guess`.
float threshold(const ColorRange& range, int index, float guess) {
  const std::int64_t bottom = to_steps(-infinity), top = to_steps(infinity);
  const auto reached = [&](std::int64_t steps) { return range.index(from_steps(steps)) >= index; };
  std::int64_t low = to_steps(guess), high = low;  // invariant sought: low not reached, high reached
  for (std::int64_t stride = 2; reached(low); stride *= 4) {
    if (low == bottom) return -infinity;
    high = low;
    low = std::max(bottom, low - stride);
  }
  for (std::int64_t stride = 2; !reached(high); stride *= 4) {
    if (high == top) return infinity;
    low = high;
    high = std::min(top, high + stride);
  }
  while (high - low > 1) {
    const std::int64_t middle = low + (high - low) / 2;
    (reached(middle) ? high : low) = middle;
  }
  return from_steps(high);
}

}  // namespace

std::array<float, 256> color_thresholds(const ColorRange& range) {
  std::array<float, 256> thresholds{};
  thresholds[0] = -infinity;
  for (int i = 1; i < 256; ++i) {
    const double share = i / 256.0;
    const double guess = range.logarithm && range.low > 0 && range.high > 0
                             ? range.low * std::pow(static_cast<double>(range.high) / range.low, share)
                             : range.low + (static_cast<double>(range.high) - range.low) * share;
    thresholds[i] = threshold(range, i, static_cast<float>(guess));
  }
  return thresholds;
}

namespace {

std::uint32_t texel(Rgb color) {
  const std::array<std::uint8_t, 4> bytes = has_window_order
                                                ? std::array<std::uint8_t, 4>{color.b, color.g, color.r, 255}
                                                : std::array<std::uint8_t, 4>{color.r, color.g, color.b, 255};
  return std::bit_cast<std::uint32_t>(bytes);
}

}  // namespace

bool has_large_cells(const PooledMap& pooled, const HeatmapRequest& request) {
  return 8 * static_cast<long>(pooled.columns) * pooled.rows <=
         static_cast<long>(request.width) * request.height;
}

void fill_picture(const PooledMap& pooled, const HeatmapRequest& request,
                  std::vector<std::uint32_t>& pixels) {
  const int hatch = request.hatch, thick = request.hatch_line();
  const std::uint32_t background = texel(request.masked.background), line = texel(request.masked.line);
  const std::size_t width = request.width;
  pixels.resize(width * request.height);
  std::vector<std::uint32_t> cells(pooled.columns);
  std::vector<char> hatched(cells.size());
  for (int y = 0, filled_row = -1; y < request.height; ++y) {
    std::uint32_t* to = pixels.data() + y * width;
    const int row = pooled.pixel_row[y];
    const bool new_row = row != filled_row;
    if (row < 0) {
      std::fill_n(to, width, background);
    } else if (new_row || std::ranges::find(hatched, 1) != hatched.end()) {
      for (std::size_t c = 0; new_row && c < cells.size(); ++c) {
        const float value = pooled.values[row * cells.size() + c];
        hatched[c] = value == all_masked;
        cells[c] = value == all_masked || value == none_shown
                       ? background
                       : texel((*request.colors)[request.range.index(value)]);
      }
      for (std::size_t x = 0; x < width; ++x) {
        const int column = pooled.pixel_column[x];
        const std::size_t c = column;
        const bool on_line = column >= 0 && hatched[c] != 0 && (static_cast<int>(x) + y) % hatch < thick;
        to[x] = column < 0 ? background : on_line ? line : cells[c];
      }
    } else {
      std::copy_n(to - width, width, to);
    }
    filled_row = row;
  }
}

}  // namespace headscope::gl
