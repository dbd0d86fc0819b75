#pragma once
#include <array>
#include <cstdint>

#include "core/base/tensor.h"

namespace headscope {

/// PyTorch's CPU generator and its draws, bit for bit (checked against PyTorch 1.13 on x86-64; every such
/// machine runs its AVX2 code). MT19937 of the seed's low 32 bits; a float draw takes one 32-bit output, a
/// double two.
class TorchRandom {
 public:
  explicit TorchRandom(std::uint64_t seed);

  /// Tensor.uniform_(low, high): `count` floats in [low, high).
  void uniform(float* out, Index count, double low, double high);

  /// Tensor.normal_(mean, deviation), torch.randn where these are 0 and 1. For 16 values or more, Box-Muller
  /// in blocks of 16 in single precision, the last 16 redrawn if the size is not a multiple of 16; below
  /// that, one by one in double.
  void normal(float* out, Index count, double mean, double deviation);

  /// Tensor.bernoulli_(p) times `value`: `value` with probability p, otherwise 0. As in PyTorch without
  /// Intel's MKL, whose own generator gives other numbers.
  void bernoulli(float* out, Index count, double p, float value);
  /// Advances the state as bernoulli() of `count` does.
  void skip_bernoulli(Index count);

 private:
  std::uint32_t draw();
  double draw_double();
  double draw_normal();
  void refill();

  std::array<std::uint32_t, 624> state_;
  int next_ = 624;
  double cached_normal_ = 0;  // the second value of the last pair drawn in double
  bool has_cached_normal_ = false;
};

/// Converts 16 uniform draws of [0, 1) to 16 normal ones, as PyTorch does: u[j] and u[j + 8] are a pair, r =
/// sqrt(-2 ln(1 - u[j])), t = 2 pi u[j + 8], out r cos t and r sin t.
void box_muller_16(float* values, float mean, float deviation);

/// 24 random bits as a float of [0, 1).
inline float unit_float(std::uint32_t bits) {
  return static_cast<float>(bits & 0xFFFFFFU) * 0x1p-24F;
}

}  // namespace headscope
