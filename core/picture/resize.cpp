#include "core/picture/resize.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace headscope {
namespace {

double sinc(double x) {
  return x == 0 ? 1 : std::sin(std::numbers::pi * x) / (std::numbers::pi * x);
}

double lanczos_filter(double x) {
  return std::abs(x) < 3 ? sinc(x) * sinc(x / 3) : 0;
}

double triangle_filter(double x) {
  return std::max(0.0, 1 - std::abs(x));
}

// Keys 1981, equation 4, with a = -0.5.
double cubic_filter(double x) {
  constexpr double a = -0.5;
  x = std::abs(x);
  if (x < 1) return ((a + 2) * x - (a + 3)) * x * x + 1;
  if (x < 2) return (((x - 5) * x + 8) * x - 4) * a;
  return 0;
}

double box_filter(double x) {
  return x > -0.5 && x <= 0.5 ? 1 : 0;
}

double hamming_filter(double x) {
  return std::abs(x) < 1 ? sinc(x) * (0.54 + 0.46 * std::cos(std::numbers::pi * x)) : 0;
}

struct FilterShape {
  double (*at)(double);
  double support;
};
// In the order of Resample, from `lanczos` on.
constexpr FilterShape filter_shapes[] = {
    {lanczos_filter, 3}, {triangle_filter, 1}, {cubic_filter, 2}, {box_filter, 0.5}, {hamming_filter, 1}};

// Weights are whole multiples of 2^-22, so that the sums do not depend on the machine.
constexpr int weight_bits = 22;

std::uint8_t level_of(std::int64_t sum) {
  return static_cast<std::uint8_t>(std::clamp<std::int64_t>(sum >> weight_bits, 0, 255));
}

struct FixedTaps {
  int first = 0;
  std::vector<std::int32_t> weights;
};
std::vector<FixedTaps> fixed_taps(const std::vector<Taps>& taps) {
  std::vector<FixedTaps> result;
  for (const Taps& one : taps) {
    FixedTaps& to = result.emplace_back(FixedTaps{one.first, {}});
    for (const double weight : one.weights)
      to.weights.push_back(static_cast<std::int32_t>(std::lround(weight * (1 << weight_bits))));
  }
  return result;
}

/// One output pixel of samples `stride` bytes apart.
void add_taps(const FixedTaps& taps, const std::uint8_t* from, std::size_t stride, std::uint8_t* to) {
  std::int64_t sums[3];
  std::fill_n(sums, 3, std::int64_t{1} << (weight_bits - 1));
  for (const std::int32_t weight : taps.weights) {
    for (std::size_t part = 0; part < 3; ++part) sums[part] += std::int64_t{weight} * from[part];
    from += stride;
  }
  for (std::size_t part = 0; part < 3; ++part) to[part] = level_of(sums[part]);
  to[3] = 255;
}

Picture blank_picture(int width, int height) {
  Picture picture{width, height, {}};
  picture.rgba.resize(4 * static_cast<std::size_t>(width) * height);
  return picture;
}

// The pixel that the middle of each output pixel lies in; places are added up, as PIL does.
std::vector<int> nearest_places(int in, int out) {
  const double step = static_cast<double>(in) / out;
  std::vector<int> places;
  double place = step * 0.5;
  for (int i = 0; i < out; ++i, place += step) places.push_back(std::min(static_cast<int>(place), in - 1));
  return places;
}

}  // namespace

std::vector<Taps> antialiased_taps(int in, int out, Resample resample) {
  const FilterShape& filter = filter_shapes[static_cast<std::size_t>(resample) - 1];
  const double scale = static_cast<double>(in) / out, wider = std::max(1.0, scale);
  const double support = filter.support * wider;
  std::vector<Taps> taps;
  for (int i = 0; i < out; ++i) {
    const double center = (i + 0.5) * scale;
    const int first = std::max(0, static_cast<int>(center - support + 0.5));
    const int end = std::min(in, static_cast<int>(center + support + 0.5));
    Taps& one = taps.emplace_back(Taps{first, {}});
    double sum = 0;
    for (int j = first; j < end; ++j) sum += one.weights.emplace_back(filter.at((j - center + 0.5) / wider));
    if (sum != 0)
      for (double& weight : one.weights) weight /= sum;
  }
  return taps;
}

std::vector<float> resized_levels(const Picture& picture, int width, int height, Resample filter) {
  constexpr std::size_t channels = 3;
  const std::vector<Taps> across = antialiased_taps(picture.width, width, filter),
                          down = antialiased_taps(picture.height, height, filter);
  const std::size_t row = channels * across.size();
  std::vector<double> wide(row * picture.height);
  for (int y = 0; y < picture.height; ++y)
    for (std::size_t at = 0; at < row; ++at) {
      const Taps& taps = across[at / channels];
      for (int i = 0; i < static_cast<int>(taps.weights.size()); ++i)
        wide[row * y + at] += taps.weights[i] * picture.at(taps.first + i, y)[at % channels];
    }
  std::vector<float> levels;
  for (const Taps& taps : down)
    for (std::size_t at = 0; at < row; ++at) {
      double sum = 0;
      for (std::size_t i = 0; i < taps.weights.size(); ++i)
        sum += taps.weights[i] * wide[row * (taps.first + i) + at];
      levels.push_back(static_cast<float>(sum));
    }
  return levels;
}

Picture resized(const Picture& picture, int width, int height, Resample filter) {
  Picture result = blank_picture(width, height);
  if (filter == Resample::nearest) {
    const std::vector<int> columns = nearest_places(picture.width, width),
                           rows = nearest_places(picture.height, height);
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x) {
        const std::uint8_t* from = picture.at(columns[x], rows[y]);
        std::copy_n(from, 3, result.at(x, y));
        result.at(x, y)[3] = 255;
      }
    return result;
  }
  const Picture* wide = &picture;  // as wide as the result
  Picture rows;
  if (width != picture.width) {
    const std::vector<FixedTaps> taps = fixed_taps(antialiased_taps(picture.width, width, filter));
    rows = blank_picture(width, picture.height);
    for (int y = 0; y < picture.height; ++y)
      for (int x = 0; x < width; ++x) {
        const FixedTaps& tap = taps[x];
        add_taps(tap, picture.at(tap.first, y), 4, rows.at(x, y));
      }
    wide = &rows;
  }
  if (height == picture.height) {
    result.rgba = wide->rgba;
    return result;
  }
  const std::vector<FixedTaps> taps = fixed_taps(antialiased_taps(picture.height, height, filter));
  for (int y = 0; y < height; ++y) {
    const FixedTaps& tap = taps[y];
    for (int x = 0; x < width; ++x)
      add_taps(tap, wide->at(x, tap.first), 4 * static_cast<std::size_t>(width), result.at(x, y));
  }
  return result;
}

}  // namespace headscope
