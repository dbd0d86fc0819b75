#pragma once
#include <cstddef>
#include <string>
#include <string_view>

#include "core/base/tensor.h"

namespace headscope {

/// Number types of weights we compute with; `other` is everything else in a file (integer buffers, 8-bit
/// weights). From q4_0 on numbers are quantized in blocks, as ggml stores them.
enum class Dtype {
  f32,
  f16,
  bf16,
  f64,
  q4_0,
  q4_1,
  q5_0,
  q5_1,
  q8_0,
  q2_k,
  q3_k,
  q4_k,
  q5_k,
  q6_k,
  iq4_nl,
  iq4_xs,
  mxfp4,
  tq1_0,
  tq2_0,
  q1_0,
  q2_0,
  iq1_s,
  iq1_m,
  iq2_xxs,
  iq2_xs,
  iq2_s,
  iq3_xxs,
  iq3_s,
  nvfp4,
  mxfp4_apart,  ///< as gpt-oss's own files have it, without the blocks' scales: see dequantize_mxfp4()
  other
};

/// Numbers that are stored together: all of one type are equally many, in equally many bytes.
struct DtypeBlock {
  const char* name = "";  ///< as numpy or ggml writes it: float16, Q4_K
  Index numbers = 1, bytes = 0;
};
/// `dtype` is not `other`.
const DtypeBlock& block_of(Dtype dtype);
inline bool is_quantized(Dtype dtype) {
  return dtype >= Dtype::q4_0 && dtype < Dtype::other;
}
/// Whether rows are widened to float32 before they are multiplied, as no kernel reads them in place.
inline bool is_widened_first(Dtype dtype) {
  return dtype == Dtype::f64 || is_quantized(dtype);
}
/// `other` for an unknown name.
Dtype dtype_named(std::string_view name);
/// The names of all, with commas.
std::string dtype_names();

/// Bytes of so many numbers, a multiple of those in a block.
inline Index bytes_of(Dtype dtype, Index numbers) {
  const DtypeBlock& block = block_of(dtype);
  return numbers / block.numbers * block.bytes;
}

/// Numbers [begin, begin + count) of those that are widened first, as float32. The arithmetic of quantized
/// ones is ggml's, in its order; float64 is rounded.
void dequantize(Dtype dtype, const std::byte* blocks, Index begin, Index count, float* to);
/// The same of mxfp4_apart, with a scale for each block; neighbours are two numbers in a byte, the first the
/// lower.
void dequantize_mxfp4(const std::byte* blocks, const std::byte* scales, Index begin, Index count, float* to);

}  // namespace headscope
