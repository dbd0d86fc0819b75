#include "core/io/dtype.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "core/base/enum_table.h"
#include "core/io/decode.h"
#include "core/io/widen_codes.h"

namespace headscope {
namespace {

using Byte = std::uint8_t;

// In the order of Dtype.
constexpr DtypeBlock blocks[] = {
    {"float32", 1, 4},   {"float16", 1, 2},  {"bfloat16", 1, 2},   {"float64", 1, 8},
    {"Q4_0", 32, 18},    {"Q4_1", 32, 20},   {"Q5_0", 32, 22},     {"Q5_1", 32, 24},
    {"Q8_0", 32, 34},    {"Q2_K", 256, 84},  {"Q3_K", 256, 110},   {"Q4_K", 256, 144},
    {"Q5_K", 256, 176},  {"Q6_K", 256, 210}, {"IQ4_NL", 32, 18},   {"IQ4_XS", 256, 136},
    {"MXFP4", 32, 17},   {"TQ1_0", 256, 54}, {"TQ2_0", 256, 66},   {"Q1_0", 128, 18},
    {"Q2_0", 64, 18},    {"IQ1_S", 256, 50}, {"IQ1_M", 256, 56},   {"IQ2_XXS", 256, 66},
    {"IQ2_XS", 256, 74}, {"IQ2_S", 256, 82}, {"IQ3_XXS", 256, 98}, {"IQ3_S", 256, 110},
    {"NVFP4", 64, 36},   {"", 32, 16}};

float half_at(const Byte* at) {
  return from_half(static_cast<std::uint16_t>(at[0] | at[1] << 8));
}
float number(int value) {
  return static_cast<float>(value);
}

constexpr Index small = 32, large = 256;  // numbers of a block

// A scale, or a scale and a minimum; for five bits the fifth ones; then the lower four bits, two numbers in a
// byte that are half a block apart.

template <bool with_minimum, bool five_bits>
void widen_small(const Byte* block, float* to) {
  const float scale = half_at(block), minimum = with_minimum ? half_at(block + 2) : -0.0F;
  block += with_minimum ? 4 : 2;
  std::uint32_t fifth = 0;
  if constexpr (five_bits) {
    for (int i = 0; i < 4; ++i) fifth |= static_cast<std::uint32_t>(block[i]) << (8 * i);
    block += 4;
  }
  constexpr int zero = with_minimum ? 0 : five_bits ? 16 : 8;
  for (Index i = 0; i < small / 2; ++i) {
    const int low = block[i] & 15, high = block[i] >> 4;
    const int low_fifth = static_cast<int>(fifth >> i & 1U) << 4,
              high_fifth = static_cast<int>(fifth >> (i + small / 2) & 1U) << 4;
    to[i] = number((low | low_fifth) - zero) * scale + minimum;
    to[i + small / 2] = number((high | high_fifth) - zero) * scale + minimum;
  }
}

void widen_q8_0(const Byte* block, float* to) {
  const float scale = half_at(block);
  for (Index i = 0; i < small; ++i) to[i] = number(static_cast<std::int8_t>(block[2 + i])) * scale;
}

// 16 groups of 16 numbers, each with a 4-bit scale and a 4-bit minimum. A byte has a number of each of four
// pairs of groups.
void widen_q2_k(const Byte* block, float* to) {
  const Byte *scales = block, *bits = block + 16;
  const float scale = half_at(block + 80), minimum = half_at(block + 82);
  for (Index group = 0; group < 16; ++group) {
    const float of_group = scale * number(scales[group] & 15), less = minimum * number(scales[group] >> 4);
    const Byte* const from = bits + group / 8 * 32 + group % 2 * 16;
    const Index shift = group % 8 / 2 * 2;
    for (Index i = 0; i < 16; ++i) to[group * 16 + i] = of_group * number(from[i] >> shift & 3) - less;
  }
}

// 16 groups of 16 numbers, each with a 6-bit scale from −32 on: eight bytes have the lower four bits of two
// scales, four more the upper two of four.
void widen_q3_k(const Byte* block, float* to) {
  const Byte *upper = block, *bits = block + 32, *scales = block + 96;
  const float scale = half_at(block + 108);
  for (Index group = 0; group < 16; ++group) {
    const int low = group < 8 ? scales[group] & 15 : scales[group - 8] >> 4;
    const int high = scales[8 + group % 4] >> (group / 4 * 2) & 3;
    const float of_group = scale * number((low | high << 4) - 32);
    const Byte *const from = bits + group / 8 * 32 + group % 2 * 16, *const third = upper + group % 2 * 16;
    const Index shift = group % 8 / 2 * 2, bit = group / 2;
    for (Index i = 0; i < 16; ++i) {
      const int value = (from[i] >> shift & 3) - ((third[i] >> bit & 1) != 0 ? 0 : 4);
      to[group * 16 + i] = of_group * number(value);
    }
  }
}

struct ScaleAndMinimum {
  int scale, minimum;
};
// Of eight groups, 6 bits each: the first four in whole bytes, whose upper two bits are those of the others.
ScaleAndMinimum packed_scales(const Byte* scales, Index group) {
  if (group < 4) return {scales[group] & 63, scales[group + 4] & 63};
  return {(scales[group + 4] & 15) | scales[group - 4] >> 6 << 4,
          scales[group + 4] >> 4 | scales[group] >> 6 << 4};
}

// 8 groups of 32 numbers; a byte has the lower four bits of a number of two groups.
template <bool five_bits>
void widen_q4_k(const Byte* block, float* to) {
  const float scale = half_at(block), minimum = half_at(block + 2);
  const Byte *const scales = block + 4, *const fifth = block + 16, *const bits = fifth + (five_bits ? 32 : 0);
  for (Index group = 0; group < 8; ++group) {
    const ScaleAndMinimum packed = packed_scales(scales, group);
    const float of_group = scale * number(packed.scale), less = minimum * number(packed.minimum);
    const Byte* const from = bits + group / 2 * 32;
    for (Index i = 0; i < 32; ++i) {
      int value = group % 2 == 0 ? from[i] & 15 : from[i] >> 4;
      if constexpr (five_bits) value += (fifth[i] >> group & 1) << 4;
      to[group * 32 + i] = of_group * number(value) - less;
    }
  }
}

// 16 groups of 16 numbers with 8-bit scales. Of 128 numbers, 64 bytes have the lower four bits, 32 the upper
// two.
void widen_q6_k(const Byte* block, float* to) {
  const Byte *const lower = block, *const upper = block + 128, *const scales = block + 192;
  const float scale = half_at(block + 208);
  for (Index i = 0; i < large; ++i) {
    const Index half = i / 128, quarter = i % 128 / 32, place = i % 32;
    const Byte four = lower[half * 64 + quarter % 2 * 32 + place], two = upper[half * 32 + place];
    const int value = (quarter < 2 ? four & 15 : four >> 4) | (two >> (2 * quarter) & 3) << 4;
    to[i] = scale * number(static_cast<std::int8_t>(scales[i / 16])) * number(value - 32);
  }
}

using Levels = std::array<int, 16>;
// Denser about 0, as weights are.
constexpr Levels uneven_levels{-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113};
// A sign, two bits of exponent and one of mantissa, twice.
constexpr Levels small_floats{0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12};

// 32 numbers, two in a byte that are half a group apart, each the number of one of 16 levels.
void widen_levels(const Levels& levels, float scale, const Byte* bits, float* to) {
  for (Index i = 0; i < small / 2; ++i) {
    to[i] = scale * number(levels[bits[i] & 15U]);
    to[i + small / 2] = scale * number(levels[bits[i] >> 4U]);
  }
}

// 8 groups of 32 numbers, each with a 6-bit scale from −32 on: two bytes have the upper two bits of all, then
// four the lower four of two scales.
void widen_iq4_xs(const Byte* block, float* to) {
  const float scale = half_at(block);
  const int upper = block[2] | block[3] << 8;
  for (Index group = 0; group < 8; ++group) {
    const int low = block[4 + group / 2] >> (group % 2 * 4) & 15, high = upper >> (2 * group) & 3;
    widen_levels(uneven_levels, scale * number((low | high << 4) - 32), block + 8 + group * 16,
                 to + group * 32);
  }
}

// A power of two whose exponent is the first byte; levels are twice the numbers.
void widen_mxfp4(const Byte* block, float* to) {
  widen_levels(small_floats, std::ldexp(1.0F, block[0] - 128), block + 1, to);
}

// Digits to base 3, five in a byte as a fraction of 256, the first of each of so many bytes before the
// second; the last four bytes have four.
void widen_tq1_0(const Byte* block, float* to) {
  const float scale = half_at(block + 52);
  const auto widen = [&](Index first, Index bytes, int digits) {
    int power = 1;
    for (int digit = 0; digit < digits; ++digit, power *= 3)
      for (Index i = 0; i < bytes; ++i) {
        const int rest = block[first + i] * power & 255;
        *to++ = number((rest * 3 >> 8) - 1) * scale;
      }
  };
  widen(0, 32, 5);
  widen(32, 16, 5);
  widen(48, 4, 4);
}

// Two bits a number; a byte has one of each of four groups of 32.
void widen_tq2_0(const Byte* block, float* to) {
  const float scale = half_at(block + 64);
  for (Index i = 0; i < large; ++i) {
    const Byte byte = block[i / 128 * 32 + i % 32];
    to[i] = number((byte >> (i % 128 / 32 * 2) & 3) - 1) * scale;
  }
}

// A bit a number: the scale or its negative.
void widen_q1_0(const Byte* block, float* to) {
  const float scale = half_at(block);
  for (Index i = 0; i < 128; ++i) to[i] = (block[2 + i / 8] >> (i % 8) & 1) != 0 ? scale : -scale;
}

// Two bits a number, from −1 on.
void widen_q2_0(const Byte* block, float* to) {
  const float scale = half_at(block);
  for (Index i = 0; i < 64; ++i) to[i] = number((block[2 + i / 4] >> (i % 4 * 2) & 3) - 1) * scale;
}

// Four bits of exponent and three of mantissa, without a sign; not a number counts as zero.
float scale_of_nvfp4(Byte code) {
  if (code == 0 || code == 0x7F) return 0;
  const int exponent = code >> 3 & 15, mantissa = code & 7;
  return exponent == 0 ? std::ldexp(number(mantissa), -9)
                       : std::ldexp(1 + number(mantissa) / 8, exponent - 7);
}

// Four groups of 16 numbers: their scales, then the numbers, two in a byte that are half a group apart.
void widen_nvfp4(const Byte* block, float* to) {
  for (Index group = 0; group < 4; ++group, to += 16) {
    const float half_scale = scale_of_nvfp4(block[group]) * 0.5F;  // levels are twice the numbers
    for (Index i = 0; i < 8; ++i) {
      const Byte two = block[4 + group * 8 + i];
      to[i] = number(small_floats[two & 15U]) * half_scale;
      to[i + 8] = number(small_floats[two >> 4U]) * half_scale;
    }
  }
}

void widen_block(Dtype dtype, const std::byte* block, float* to) {
  const auto* const bytes = reinterpret_cast<const Byte*>(block);
  switch (dtype) {
    case Dtype::q4_0:
      return widen_small<false, false>(bytes, to);
    case Dtype::q4_1:
      return widen_small<true, false>(bytes, to);
    case Dtype::q5_0:
      return widen_small<false, true>(bytes, to);
    case Dtype::q5_1:
      return widen_small<true, true>(bytes, to);
    case Dtype::q8_0:
      return widen_q8_0(bytes, to);
    case Dtype::q2_k:
      return widen_q2_k(bytes, to);
    case Dtype::q3_k:
      return widen_q3_k(bytes, to);
    case Dtype::q4_k:
      return widen_q4_k<false>(bytes, to);
    case Dtype::q5_k:
      return widen_q4_k<true>(bytes, to);
    case Dtype::q6_k:
      return widen_q6_k(bytes, to);
    case Dtype::iq4_nl:
      return widen_levels(uneven_levels, half_at(bytes), bytes + 2, to);
    case Dtype::iq4_xs:
      return widen_iq4_xs(bytes, to);
    case Dtype::mxfp4:
      return widen_mxfp4(bytes, to);
    case Dtype::tq1_0:
      return widen_tq1_0(bytes, to);
    case Dtype::tq2_0:
      return widen_tq2_0(bytes, to);
    case Dtype::q1_0:
      return widen_q1_0(bytes, to);
    case Dtype::q2_0:
      return widen_q2_0(bytes, to);
    case Dtype::iq1_s:
      return widen_iq1_s(bytes, to);
    case Dtype::iq1_m:
      return widen_iq1_m(bytes, to);
    case Dtype::iq2_xxs:
      return widen_iq2_xxs(bytes, to);
    case Dtype::iq2_xs:
      return widen_iq2_xs(bytes, to);
    case Dtype::iq2_s:
      return widen_iq2_s(bytes, to);
    case Dtype::iq3_xxs:
      return widen_iq3_xxs(bytes, to);
    case Dtype::iq3_s:
      return widen_iq3_s(bytes, to);
    case Dtype::nvfp4:
      return widen_nvfp4(bytes, to);
    case Dtype::f32:
    case Dtype::f16:
    case Dtype::bf16:
    case Dtype::f64:
    case Dtype::mxfp4_apart:
    case Dtype::other:
      break;
  }
}

// At any alignment.
void round_doubles(const std::byte* from, Index count, float* to) {
  for (Index i = 0; i < count; ++i) {
    double number = 0;
    std::memcpy(&number, from + 8 * i, 8);
    to[i] = static_cast<float>(number);
  }
}

}  // namespace

void dequantize_mxfp4(const std::byte* from, const std::byte* scales, Index begin, Index count, float* to) {
  constexpr int offset = 128;  // levels are twice the numbers
  for (Index i = begin; i < begin + count; ++i) {
    const int two = std::to_integer<int>(from[i / 2]), exponent = std::to_integer<int>(scales[i / small]);
    *to++ = std::ldexp(number(small_floats[i % 2 == 0 ? two & 15 : two >> 4]), exponent - offset);
  }
}

const DtypeBlock& block_of(Dtype dtype) {
  return of_kind(blocks, dtype);
}

Dtype dtype_named(std::string_view name) {
  const auto* const found = std::ranges::find(blocks, name, &DtypeBlock::name);
  return static_cast<Dtype>(found - blocks);  // `other` follows the last
}

std::string dtype_names() {
  std::string names;
  for (const DtypeBlock& block : blocks)
    if (*block.name != 0) names += (names.empty() ? "" : ", ") + std::string(block.name);
  return names;
}

void dequantize(Dtype dtype, const std::byte* from, Index begin, Index count, float* to) {
  if (dtype == Dtype::f64) return round_doubles(from + 8 * begin, count, to);
  const DtypeBlock& block = block_of(dtype);
  std::array<float, large> numbers;
  for (Index at = begin; at < begin + count;) {
    const Index within = at % block.numbers, some = std::min(block.numbers - within, begin + count - at);
    const std::byte* const source = from + at / block.numbers * block.bytes;
    if (some == block.numbers) {
      widen_block(dtype, source, to);
    } else {
      widen_block(dtype, source, numbers.data());
      std::copy_n(numbers.data() + within, some, to);
    }
    at += some;
    to += some;
  }
}

}  // namespace headscope
