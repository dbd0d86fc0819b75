#include "core/io/widen_codes.h"

#include <array>
#include <bit>

#include "core/base/tensor.h"
#include "core/io/codebooks.h"
#include "core/io/decode.h"

namespace headscope {
namespace {

using Byte = std::uint8_t;

constexpr Index groups = 8;  // of 32 numbers, in a block

unsigned two_bytes(const Byte* at) {
  return at[0] | at[1] << 8;
}
std::uint32_t four_bytes(const Byte* at) {
  return two_bytes(at) | static_cast<std::uint32_t>(two_bytes(at + 2)) << 16;
}
float half_at(const Byte* at) {
  return from_half(static_cast<std::uint16_t>(two_bytes(at)));
}

constexpr std::array<float, 4> two_bit_levels{8, 25, 43, 0};
constexpr std::array<float, 8> three_bit_levels{4, 12, 20, 28, 36, 44, 52, 62};
constexpr std::array<float, 8> odd_levels{1, 3, 5, 7, 9, 11, 13, 15};

// Bit i of `signs` set: number i is negative.

void widen_eight(unsigned row, unsigned signs, float scale, float* to) {
  for (unsigned i = 0; i < 8; ++i) {
    const float size = scale * two_bit_levels[row >> (2 * i) & 3U];
    to[i] = (signs >> i & 1U) != 0 ? -size : size;
  }
}
void widen_four(unsigned row, const std::array<float, 8>& levels, unsigned signs, float scale, float* to) {
  for (unsigned i = 0; i < 4; ++i) {
    const float size = scale * levels[row >> (4 * i) & 7U];
    to[i] = (signs >> i & 1U) != 0 ? -size : size;
  }
}
void widen_ternary(unsigned row, float shift, float scale, float* to) {
  for (unsigned i = 0; i < 8; ++i)
    to[i] = scale * (static_cast<float>(static_cast<int>(row >> (2 * i) & 3U) - 1) + shift);
}

// Seven signs of eight: the number of negative ones is even.
unsigned with_eighth_sign(unsigned seven) {
  seven &= 127U;
  return seven | (static_cast<unsigned>(std::popcount(seven)) & 1U) << 7;
}

// One of two four-bit numbers in each byte.
unsigned nibble(const Byte* from, Index number) {
  return from[number / 2] >> (number % 2 * 4) & 15U;
}

}  // namespace

// A group is four numbers of rows, then four times seven signs and the scale of four bits.
void widen_iq2_xxs(const Byte* block, float* to) {
  const float scale = half_at(block);
  for (Index group = 0; group < groups; ++group) {
    const Byte* const rows = block + 2 + group * 8;
    const std::uint32_t rest = four_bytes(rows + 4);
    const float of_group = scale * (0.5F + static_cast<float>(rest >> 28)) * 0.25F;
    for (Index i = 0; i < 4; ++i, to += 8)
      widen_eight(iq2_xxs_codebook[rows[i]], with_eighth_sign(rest >> (7 * i)), of_group, to);
  }
}

// Two bytes are the number of a row and seven signs; then four bits of scale for each 16 numbers.
void widen_iq2_xs(const Byte* block, float* to) {
  const float scale = half_at(block);
  const Byte *const codes = block + 2, *const scales = codes + 64;
  for (Index i = 0; i < 4 * groups; ++i, to += 8) {
    const unsigned code = two_bytes(codes + 2 * i);
    const float of_half = scale * (0.5F + static_cast<float>(nibble(scales, i / 2))) * 0.25F;
    widen_eight(iq2_xs_codebook[code & 511U], with_eighth_sign(code >> 9), of_half, to);
  }
}

// The lower eight bits of rows, eight signs each, the upper two of four rows in a byte, scales as above.
void widen_iq2_s(const Byte* block, float* to) {
  const float scale = half_at(block);
  const Byte *const lower = block + 2, *const signs = lower + 32, *const upper = signs + 32,
                    *const scales = upper + 8;
  for (Index i = 0; i < 4 * groups; ++i, to += 8) {
    const unsigned row = lower[i] | (upper[i / 4] >> (i % 4 * 2) & 3U) << 8;
    const float of_half = scale * (0.5F + static_cast<float>(nibble(scales, i / 2))) * 0.25F;
    widen_eight(iq2_s_codebook[row], signs[i], of_half, to);
  }
}

// Eight numbers of rows a group; then for each group four times seven signs and the scale of four bits.
void widen_iq3_xxs(const Byte* block, float* to) {
  const float scale = half_at(block);
  const Byte *const rows = block + 2, *const rests = rows + 64;
  for (Index group = 0; group < groups; ++group) {
    const std::uint32_t rest = four_bytes(rests + 4 * group);
    const float of_group = scale * (0.5F + static_cast<float>(rest >> 28)) * 0.5F;
    for (Index i = 0; i < 8; ++i, to += 4)
      widen_four(iq3_xxs_codebook[rows[group * 8 + i]], three_bit_levels,
                 with_eighth_sign(rest >> (i / 2 * 7)) >> (i % 2 * 4), of_group, to);
  }
}

// The lower eight bits of rows, the ninth of a group's eight in a byte, signs, four bits of scale a group.
void widen_iq3_s(const Byte* block, float* to) {
  const float scale = half_at(block);
  const Byte *const lower = block + 2, *const ninth = lower + 64, *const signs = ninth + 8,
                    *const scales = signs + 32;
  for (Index group = 0; group < groups; ++group) {
    const float of_group = scale * static_cast<float>(1 + 2 * nibble(scales, group));
    for (Index i = 0; i < 8; ++i, to += 4) {
      const unsigned row = lower[group * 8 + i] | (ninth[group] >> i & 1U) << 8;
      widen_four(iq3_s_codebook[row], odd_levels,
                 static_cast<unsigned>(signs[group * 4 + i / 2]) >> (i % 2 * 4), of_group, to);
    }
  }
}

namespace {
constexpr float ternary_shift = 0.125F;
}

// The lower eight bits of rows; two bytes a group: the upper three of its four, a scale of three bits, the
// sign of the shift.
void widen_iq1_s(const Byte* block, float* to) {
  const float scale = half_at(block);
  const Byte *const lower = block + 2, *const upper = lower + 32;
  for (Index group = 0; group < groups; ++group) {
    const unsigned rest = two_bytes(upper + 2 * group);
    const float of_group = scale * static_cast<float>(2 * (rest >> 12 & 7U) + 1);
    const float shift = (rest & 0x8000U) != 0 ? -ternary_shift : ternary_shift;
    for (Index i = 0; i < 4; ++i, to += 8)
      widen_ternary(iq1_s_codebook[lower[group * 4 + i] | (rest >> (3 * i) & 7U) << 8], shift, of_group, to);
  }
}

// The lower eight bits of rows; four bits a row: its upper three and the sign of its shift; scales of three
// bits for each 16 numbers, four in two bytes, whose upper four bits are a part of the block's own scale.
void widen_iq1_m(const Byte* block, float* to) {
  const Byte *const lower = block, *const upper = lower + 32, *const scales = upper + 16;
  unsigned bits = 0;
  for (Index i = 0; i < 4; ++i) bits |= two_bytes(scales + 2 * i) >> 12 << (4 * i);
  const float scale = from_half(static_cast<std::uint16_t>(bits));
  for (Index i = 0; i < 4 * groups; ++i, to += 8) {
    const unsigned rest = nibble(upper, i), three = two_bytes(scales + i / 8 * 2) >> (i / 2 % 4 * 3) & 7U;
    const float of_half = scale * static_cast<float>(2 * three + 1);
    const float shift = (rest & 8U) != 0 ? -ternary_shift : ternary_shift;
    widen_ternary(iq1_s_codebook[lower[i] | (rest & 7U) << 8], shift, of_half, to);
  }
}

}  // namespace headscope
