#pragma once
#include <vector>

#include "core/picture/picture.h"

namespace headscope {

/// Filters by their numbers in PIL and in preprocessor_config.json.
enum class Resample { nearest, lanczos, bilinear, bicubic, box, hamming };

/// The input samples that one output sample is a weighted sum of.
struct Taps {
  int first = 0;
  std::vector<double> weights;  ///< they sum to 1
};
/// Of each of `out` samples over `in`, for any filter but nearest. When making smaller, the filter is wider
/// by the same factor (antialiasing); cubic with a = -0.5.
std::vector<Taps> antialiased_taps(int in, int out, Resample filter);

/// The picture without alpha, as PIL resizes it: rows first, then columns, each rounded to 8 bits.
Picture resized(const Picture& picture, int width, int height, Resample filter);

/// The same without rounding, as torch resizes numbers: levels [height, width, 3], which may leave 0 to 255.
std::vector<float> resized_levels(const Picture& picture, int width, int height, Resample filter);

}  // namespace headscope
