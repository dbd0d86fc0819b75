#include "core/model/seeded/torch_random.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>

namespace headscope {
namespace {

constexpr int generator_lanes = 8;
using Lanes = std::array<float, generator_lanes>;

// a b + c, rounded once: PyTorch's code is compiled to fused multiply-adds. The product of two floats is
// exact in double, so this gives the same result on processors without them.
inline float fused(float a, float b, float c) {
  return static_cast<float>(a * static_cast<double>(b) + c);
}

// ln x for x in (0, 1]: Cephes' logf, in the order of PyTorch's avx_mathfun.h.
inline float log_of_unit(float x) {
  const auto bits = std::bit_cast<std::uint32_t>(x);
  float exponent = static_cast<float>(static_cast<int>(bits >> 23) - 126);
  float m = std::bit_cast<float>((bits & 0x007FFFFFU) | 0x3F000000U);  // [0.5, 1)
  const bool below_root_half = m < 0.707106781186547524F;
  exponent -= below_root_half ? 1.0F : 0.0F;
  m = (m - 1.0F) + (below_root_half ? m : 0.0F);
  const float z = m * m;
  float y = 7.0376836292E-2F;
  for (float c : {-1.1514610310E-1F, 1.1676998740E-1F, -1.2420140846E-1F, 1.4249322787E-1F, -1.6668057665E-1F,
                  2.0000714765E-1F, -2.4999993993E-1F, 3.3333331174E-1F})
    y = fused(y, m, c);
  y = fused(y * m, z, exponent * -2.12194440e-4F);
  y = fused(z, -0.5F, y);
  return fused(exponent, 0.693359375F, m + y);
}

// sin x and cos x for x in [0, 2 pi): Cephes' sinf and cosf, in the order of PyTorch's avx_mathfun.h.
inline void sine_cosine(float x, float& sine, float& cosine) {
  const int octant = (static_cast<int>(x * 1.27323954473516F) + 1) & ~1;
  const auto y = static_cast<float>(octant);
  x = fused(y, -0.78515625F, x);
  x = fused(y, -2.4187564849853515625e-4F, x);
  x = fused(y, -3.77489497744594108e-8F, x);
  const float z = x * x;
  float c = fused(2.443315711809948E-005F, z, -1.388731625493765E-003F);
  c = fused(c, z, 4.166664568298827E-002F) * z;
  c = fused(c, z, -(z * 0.5F)) + 1.0F;
  float s = fused(-1.9515295891E-4F, z, 8.3321608736E-3F);
  s = fused(s, z, -1.6666654611E-1F) * z;
  s = fused(s, x, x);
  const bool straight = (octant & 2) == 0;
  sine = (octant & 4) != 0 ? -(straight ? s : c) : (straight ? s : c);
  cosine = ((octant - 2) & 4) == 0 ? -(straight ? c : s) : (straight ? c : s);
}

// MT19937's tempering of a state word.
inline std::uint32_t tempered(std::uint32_t y) {
  y ^= y >> 11;
  y ^= (y << 7) & 0x9D2C5680U;
  y ^= (y << 15) & 0xEFC60000U;
  return y ^ (y >> 18);
}

constexpr double unit_double(std::uint64_t bits) {
  return static_cast<double>(bits & ((std::uint64_t{1} << 53) - 1)) * 0x1p-53;
}

}  // namespace

void box_muller_16(float* values, float mean, float deviation) {
  Lanes radius, sine, cosine;
  for (std::size_t j = 0; j < generator_lanes; ++j) {
    radius[j] = std::sqrt(-2.0F * log_of_unit(1.0F - values[j]));
    sine_cosine(2.0F * std::numbers::pi_v<float> * values[j + generator_lanes], sine[j], cosine[j]);
  }
  for (std::size_t j = 0; j < generator_lanes; ++j) {
    values[j] = fused(radius[j] * cosine[j], deviation, mean);
    values[j + generator_lanes] = fused(radius[j] * sine[j], deviation, mean);
  }
}

TorchRandom::TorchRandom(std::uint64_t seed) {
  state_[0] = static_cast<std::uint32_t>(seed);
  for (std::uint32_t i = 1; i < state_.size(); ++i)
    state_[i] = 1812433253U * (state_[i - 1] ^ (state_[i - 1] >> 30)) + i;
}

// The recurrence of MT19937 (Matsumoto and Nishimura 1998): x[k + n] = x[k + m] ^ twist(x[k], x[k + 1]).
void TorchRandom::refill() {
  constexpr std::size_t n = 624, m = 397;
  const auto twist = [](std::uint32_t high, std::uint32_t low) {
    const std::uint32_t mixed = (high & 0x80000000U) | (low & 0x7FFFFFFFU);
    return (mixed >> 1) ^ ((0U - (low & 1U)) & 0x9908B0DFU);
  };
  for (std::size_t k = 0; k < n - m; ++k) state_[k] = state_[k + m] ^ twist(state_[k], state_[k + 1]);
  for (std::size_t k = n - m; k < n - 1; ++k) state_[k] = state_[k + m - n] ^ twist(state_[k], state_[k + 1]);
  state_[n - 1] = state_[m - 1] ^ twist(state_[n - 1], state_[0]);
  next_ = 0;
}

inline std::uint32_t TorchRandom::draw() {
  if (next_ == std::ssize(state_)) refill();
  return tempered(state_[next_++]);
}

inline double TorchRandom::draw_double() {
  const std::uint64_t high = draw();
  return unit_double(high << 32 | draw());
}

double TorchRandom::draw_normal() {
  if (has_cached_normal_) {
    has_cached_normal_ = false;
    return cached_normal_;
  }
  const double u1 = draw_double();
  const double u2 = draw_double();
  const double radius = std::sqrt(-2.0 * std::log1p(-u2));
  const double angle = 2.0 * std::numbers::pi * u1;
  cached_normal_ = radius * std::sin(angle);
  has_cached_normal_ = true;
  return radius * std::cos(angle);
}

void TorchRandom::uniform(float* out, Index count, double low, double high) {
  const auto first = static_cast<float>(low);
  const float range = static_cast<float>(high) - first;
  // As many at a time as the state has left, in a loop that compilers vectorize.
  for (Index done = 0; done < count;) {
    if (next_ == std::ssize(state_)) refill();
    const Index step = std::min<Index>(count - done, std::ssize(state_) - next_);
    const std::uint32_t* words = state_.data() + next_;
    for (Index i = 0; i < step; ++i) out[done + i] = fused(unit_float(tempered(words[i])), range, first);
    next_ += static_cast<int>(step);
    done += step;
  }
}

void TorchRandom::normal(float* out, Index count, double mean, double deviation) {
  constexpr Index block = 2 * generator_lanes;
  if (count < block) {
    for (Index i = 0; i < count; ++i) out[i] = static_cast<float>(draw_normal() * deviation + mean);
    return;
  }
  const auto m = static_cast<float>(mean);
  const auto d = static_cast<float>(deviation);
  for (Index i = 0; i < count; ++i) out[i] = unit_float(draw());
  for (Index i = 0; i + block <= count; i += block) box_muller_16(out + i, m, d);
  if (count % block == 0) return;
  float* last = out + (count - block);
  for (Index i = 0; i < block; ++i) last[i] = unit_float(draw());
  box_muller_16(last, m, d);
}

void TorchRandom::skip_bernoulli(Index count) {
  constexpr int outputs = 624;
  for (Index left = 2 * count; left > 0;) {
    if (next_ == outputs) refill();
    const Index step = std::min<Index>(left, outputs - next_);
    next_ += static_cast<int>(step);
    left -= step;
  }
}

void TorchRandom::bernoulli(float* out, Index count, double p, float value) {
  for (Index i = 0; i < count; ++i) out[i] = draw_double() < p ? value : 0.0F;
}

}  // namespace headscope
