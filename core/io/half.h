#pragma once
#include <bit>
#include <cstdint>

namespace headscope {

/// IEEE 754 binary16: 1 sign, 5 exponent, 10 mantissa bits. Exact, even if denormals are flushed:
/// half-precision denormals are normal float32 numbers.
inline float from_half(std::uint16_t bits) {
  const std::uint32_t sign = (bits & 0x8000U) << 16, exponent = bits >> 10 & 0x1FU, mantissa = bits & 0x3FFU;
  const auto denormal = std::bit_cast<std::uint32_t>(static_cast<float>(mantissa) * 0x1p-24F);
  const std::uint32_t normal = (exponent + 112) << 23 | mantissa << 13;
  const std::uint32_t not_finite = 0x7F800000U | mantissa << 13;
  return std::bit_cast<float>(sign | (exponent == 0 ? denormal : exponent == 31 ? not_finite : normal));
}

/// bfloat16 is the upper half of a float32.
inline float from_bfloat(std::uint16_t bits) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
}

}  // namespace headscope
