#include "core/analysis/row.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <numbers>
#include <vector>

namespace headscope {
namespace {

constexpr Index lanes = 16;
// The compiler's vectors: lanes wider than the processor's are split.
using Floats = float __attribute__((vector_size(lanes * sizeof(float))));
using Ints = std::int32_t __attribute__((vector_size(lanes * sizeof(std::int32_t))));
using Doubles = double __attribute__((vector_size(lanes * sizeof(double))));

// Sixteen cells from `key` on, 0 beyond the row.
inline void load(const float* row, Index n, Index key, Floats& w) {
  if (key + lanes <= n) {
    std::memcpy(&w, row + key, sizeof w);  // of constant size: one instruction
  } else {
    w = Floats{};
    std::memcpy(&w, row + key, (n - key) * sizeof(float));
  }
}

// ln w for normal w > 0, relative error 1e-7 (Cephes' logf: ln w = e ln 2 + ln m, m in [√½, √2), a polynomial
// for ln m). Finite for 0, so that 0 ln 0 gives its limit 0.
inline void logarithm(const Floats& w, Floats& result) {
  Ints bits;
  std::memcpy(&bits, &w, sizeof bits);
  const Ints exponent = (bits - 0x3f3504f3) >> 23;
  bits -= exponent << 23;
  Floats f;
  std::memcpy(&f, &bits, sizeof f);
  f -= 1.0F;
  const Floats e = __builtin_convertvector(exponent, Floats);
  const Floats square = f * f;
  Floats y = f * 7.0376836292e-2F - 1.1514610310e-1F;
  y = y * f + 1.1676998740e-1F;
  y = y * f - 1.2420140846e-1F;
  y = y * f + 1.4249322787e-1F;
  y = y * f - 1.6668057665e-1F;
  y = y * f + 2.0000714765e-1F;
  y = y * f - 2.4999993993e-1F;
  y = y * f + 3.3333331174e-1F;
  y = y * f * square - e * 2.12194440e-4F - square * 0.5F;
  result = f + y + e * 0.693359375F;
}

inline double total(const Floats& values) {
  double sum = 0;
  for (Index lane = 0; lane < lanes; ++lane) sum += values[lane];
  return sum;
}

// Σ w over the weights of at least `minimum`.
inline double sum_from(const float* row, Index n, float minimum) {
  Doubles sums{};
  for (Index key = 0; key < n; key += lanes) {
    Floats w;
    load(row, n, key, w);
    w = w >= minimum ? w : Floats{};
    sums += __builtin_convertvector(w, Doubles);
  }
  double sum = 0;
  for (Index lane = 0; lane < lanes; ++lane) sum += sums[lane];
  return sum;
}

// The divergence cell by cell, which keeps the digits of rows that are nearly the same.
inline double close_divergence(const float* p, float scale_p, const float* q, float scale_q, Index n) {
  Floats sum{};
  for (Index key = 0; key < n; key += lanes) {
    Floats a, b;
    load(p, n, key, a);
    load(q, n, key, b);
    a *= scale_p;
    b *= scale_q;
    // a ln(a/m) + b ln(b/m) = m g(t), g(t) = (1+t) ln(1+t) + (1-t) ln(1-t), with m = (a+b)/2 and t =
    // (a-b)/(a+b); g is even, and its series keeps the digits that the two logarithms of nearly 1 would lose.
    const Floats both = a + b;
    const Floats t = both > 0.0F ? (a - b) / both : Floats{};
    const Floats square = t * t;
    const Floats series = square * (((square * (1 / 28.0F) + 1 / 15.0F) * square + 1 / 6.0F) * square + 1.0F);
    const Floats up = 1.0F + t, down = 1.0F - t;
    Floats log_up, log_down;
    logarithm(up, log_up);
    logarithm(down, log_down);
    sum += both * (square < 0.04F ? series : up * log_up + down * log_down);
  }
  // Half for m, half for the mean of the two divergences.
  return std::clamp(total(sum) / 4 / std::numbers::ln2, 0.0, 1.0);
}

}  // namespace

RowTotals sum_row(const float* row, Index n_k, Index query, float threshold) {
  Floats sum{}, w_log_w{}, distance{}, largest{}, offset;
  Ints small{};
  for (Index lane = 0; lane < lanes; ++lane) offset[lane] = static_cast<float>(lane - query);
  for (Index key = 0; key < n_k; key += lanes) {
    Floats w, log_w;
    load(row, n_k, key, w);
    logarithm(w, log_w);
    sum += w;
    w_log_w += w * log_w;
    distance += w * (offset < 0.0F ? -offset : offset);
    largest = w > largest ? w : largest;
    small -= w < threshold;  // a comparison gives -1
    offset += static_cast<float>(lanes);
  }
  const Index beyond = (lanes - n_k % lanes) % lanes;
  RowTotals result{total(sum), total(w_log_w), total(distance), 0, -beyond};
  for (Index lane = 0; lane < lanes; ++lane) {
    result.largest = std::max(result.largest, largest[lane]);
    result.small += small[lane];
  }
  return result;
}

double row_sum(const float* row, Index n) {
  return sum_from(row, n, 0);
}

RowMass row_mass(const float* row, Index n) {
  RowMass mass{sum_from(row, n, 0), 0};
  if (mass.sum <= 0) return mass;
  const auto scale = static_cast<float>(1 / mass.sum);
  Floats sum{};
  for (Index key = 0; key < n; key += lanes) {
    Floats p, log_p;
    load(row, n, key, p);
    p *= scale;
    logarithm(p, log_p);
    sum += p * log_p;
  }
  mass.p_log_p = total(sum);
  return mass;
}

double row_divergence(const float* p, const RowMass& mass_p, const float* q, const RowMass& mass_q, Index n) {
  if (mass_p.sum <= 0 || mass_q.sum <= 0) return mass_p.sum <= 0 && mass_q.sum <= 0 ? 0 : 1;
  const auto scale_p = static_cast<float>(1 / mass_p.sum), scale_q = static_cast<float>(1 / mass_q.sum);
  // By entropies, one logarithm a cell: (Σ p ln p + Σ q ln q - Σ (p + q) ln (p + q)) / 2 + ln 2.
  Floats both_log_both{};
  for (Index key = 0; key < n; key += lanes) {
    Floats a, b, log_both;
    load(p, n, key, a);
    load(q, n, key, b);
    const Floats both = a * scale_p + b * scale_q;
    logarithm(both, log_both);
    both_log_both += both * log_both;
  }
  const double bits = (mass_p.p_log_p + mass_q.p_log_p - total(both_log_both)) / 2 / std::numbers::ln2 + 1;
  // For rows that are much alike this is a small difference of large numbers.
  constexpr double much_alike = 0.01;
  return bits > much_alike ? std::min(bits, 1.0) : close_divergence(p, scale_p, q, scale_q, n);
}

float smallest_of_top(const float* row, Index n, double share) {
  // The float32 rounding of the weights must not add one weight too many.
  const double wanted = sum_from(row, n, 0) * (share - 1e-7);
  if (!(wanted > 0)) return 0;
  // Floats from 0 order as their bits do: bisect the interval of bits until few weights are left in it.
  constexpr std::uint32_t few = 1U << 16;
  std::uint32_t low = 0, high = 0x7F800001;  // beyond infinity
  while (high - low > few) {
    const std::uint32_t middle = low + (high - low) / 2;
    (sum_from(row, n, std::bit_cast<float>(middle)) >= wanted ? low : high) = middle;
  }
  const float from = std::bit_cast<float>(low), below = std::bit_cast<float>(high);
  std::vector<float> left(n);
  std::size_t count = 0;
  for (Index key = 0; key < n; ++key) {  // branchless: half of the predictions would be wrong
    left[count] = row[key];
    count += (row[key] >= from) & (row[key] < below);
  }
  left.resize(count);
  std::sort(left.begin(), left.end(), std::greater<>());
  double sum = sum_from(row, n, below);
  for (const float w : left) {
    sum += w;
    if (sum >= wanted) return w;
  }
  return from;
}

}  // namespace headscope
