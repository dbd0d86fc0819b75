#pragma once
#include <cstdint>

#include "core/base/index.h"
#include "core/base/round_up.h"

namespace headscope {

/// Columns [begin, end).
struct ColumnSpan {
  Index begin = 0, end = 0;
  bool operator==(const ColumnSpan&) const = default;
};

/// The result of softmax for a row: weights are terms of at most 1 times their `share`.
struct SoftmaxTerms {
  float share = 0;       ///< 1 / Σ terms; 0 if every score is -infinity
  float min_weight = 0;  ///< if weights are copied
  float no_token = 0;    ///< the weight of the sink
};

/// Memory that will be read next: rows of whole cache lines, which a product prefetches while it computes.
struct ReadAhead {
  const char* row = nullptr;
  Index stride = 0, width = 0, rows = 0;  // in bytes; remaining rows
  Index done = 0;                         // bytes of the first of them
};

/// Whole columns of B [k, panel] in their original layout, to be packed; nullptr: already packed.
struct UnpackedPanel {
  const float* rows = nullptr;
  Index stride = 0;
};

/// The inner loops of attention, compiled from one source for several instruction sets; the set is chosen at
/// run time, so that a generic x86-64 binary runs at the full speed of the machine. Everything is row-major
/// float32, every row is computed independently, and sums run over k from 0 up: results don't depend on how
/// rows are distributed over threads.
///
/// The right-hand side of a product is packed in panels of `panel` columns, zero-padded: element (k, j) of
/// panel p lies at packed[(p K + k) panel + j].
struct Kernels {
  const char* name;  ///< "avx512", "avx2", "baseline"
  Index panel;       ///< columns of a panel

  /// Packs Bᵀ: `rows` [n, k] with row stride ld are the columns of B (a weight [out, in], or a head's keys
  /// [n_k, d_k]).
  void (*pack_rows)(const float* rows, Index ld, Index n, Index k, float* packed);
  /// Packs B [k, n] with row stride ld (a head's values [n_k, d_k]).
  void (*pack_columns)(const float* b, Index ld, Index k, Index n, float* packed);
  /// C[m, panels * panel] = alpha A[m, k] B + bias. A has row stride lda, C ldc; `bias` is padded like the
  /// panels, or nullptr.
  void (*multiply)(const float* a, Index lda, const float* packed, const float* bias, float alpha, float* c,
                   Index ldc, Index m, Index k, Index panels);
  /// C += alpha A B, for a product computed in parts of k.
  void (*multiply_add)(const float* a, Index lda, const float* packed, float alpha, float* c, Index ldc,
                       Index m, Index k, Index panels);
  /// The same for one panel, C = alpha A B + bias or, if `added`, C += alpha A B, while `ahead` is
  /// prefetched. Unpacked columns are packed to `packed` while they are multiplied with the first rows.
  void (*multiply_panel)(const float* a, Index lda, UnpackedPanel unpacked, float* packed, const float* bias,
                         float alpha, bool added, float* c, Index ldc, Index m, Index k, ReadAhead* ahead);
  /// C = diag(factors) A B if only the columns of A in `parts`, ascending, are nonzero: bit-identical to the
  /// whole product, and the others are not read.
  void (*multiply_parts)(const float* a, Index lda, const float* packed, const float* factors, float* c,
                         Index ldc, Index m, Index k, const ColumnSpan* parts, Index count, Index panels);
  /// Converts 16-bit numbers to float32: IEEE 754 binary16, without infinities and NaN, or bfloat16 (the
  /// upper half of a float32).
  void (*widen_f16)(const std::uint16_t* halves, Index n, float* to);
  void (*widen_bf16)(const std::uint16_t* halves, Index n, float* to);
  /// One row times a matrix that is read only once and therefore not packed: to_j = Σ_i row_i matrix_ji of a
  /// matrix [n, k] with row stride ld, as float32 or 16 bits.
  void (*dot)(const float* matrix, Index ld, Index n, Index k, const float* row, float* to);
  void (*dot_f16)(const std::uint16_t* matrix, Index ld, Index n, Index k, const float* row, float* to);
  void (*dot_bf16)(const std::uint16_t* matrix, Index ld, Index n, Index k, const float* row, float* to);
  /// to_j = Σ_i row_i matrix_ij of a matrix [k, n].
  void (*combine)(const float* matrix, Index ld, Index k, Index n, const float* row, float* to);
  void (*combine_f16)(const std::uint16_t* matrix, Index ld, Index k, Index n, const float* row, float* to);
  void (*combine_bf16)(const std::uint16_t* matrix, Index ld, Index k, Index n, const float* row, float* to);
  /// x / (1 + exp(-x (linear + cubic x²))) for n numbers in place. (1, 0) is SiLU, (1.702, 0) the quick form
  /// of GELU (Hendrycks and Gimpel 2016, section 2), twice sqrt(2 / pi) (1, 0.044715) its form with tanh,
  /// since (1 + tanh u) / 2 = 1 / (1 + exp(-2 u)).
  void (*logistic_units)(float* x, Index n, float linear, float cubic);
  /// LayerNorm of a row [n], (x - mean) / sqrt(variance + epsilon) weight + bias (Ba et al. 2016), or if not
  /// `centered` RMSNorm, x / sqrt(mean of x² + epsilon) weight (Zhang and Sennrich 2019), to y, which may be
  /// x. `bias` may be nullptr.
  void (*normalize)(const float* x, Index n, bool centered, double epsilon, const float* weight,
                    const float* bias, float* y);
  /// One row of masked softmax. `row` [n], 64-byte aligned and padded to whole panels: in, scaled scores;
  /// out, terms exp((s_j - max s) / T), which are divided by their sum after multiplication with the values.
  /// `scores` and `weights` get copies of the scores and of the weights, terms / Σ, unless they are nullptr;
  /// `non_temporal` if they are too large to stay in the cache. Blocked cells (`blocked` is not nullptr and
  /// 1) are set to `fill` before the division by the temperature, 1 / inverse_temperature. A row of only
  /// -infinity becomes zeros. Terms below 2^-125 are zero. Vaswani et al. 2017, equation 1. `sink` is one
  /// more score, of no cell, that takes part in it; -infinity: none.
  SoftmaxTerms (*softmax)(float* row, const std::uint8_t* blocked, float fill, float inverse_temperature,
                          float sink, Index n, float* scores, float* weights, bool non_temporal);
  /// softmax() of a row that is blocked everywhere outside of `parts`: bit-identical inside, and nothing
  /// outside is read or written; `weights`, unless it is nullptr, gets zeros there. Parts are ascending,
  /// begin at whole chunks and end at whole chunks or at n. `min_weight` is not set. Returns false if with a
  /// finite fill blocked cells have weights, too: then the row contains only masked scores inside the
  /// parts.
  bool (*softmax_parts)(float* row, const std::uint8_t* blocked, float fill, float inverse_temperature,
                        float sink, Index n, const ColumnSpan* parts, Index count, float* weights,
                        SoftmaxTerms* terms);
  /// The maximum of each `group` columns of a row [n] (the last group may be smaller), to `largest`; returns
  /// the overall maximum.
  float (*pool_maxima)(const float* row, Index n, Index group, float* largest);
  /// Σ exp2((row_j - largest) factor) over a row [n] with row_j <= largest, for n in whole vectors (panel /
  /// 2); writes the terms to `terms`, unless it is nullptr. Terms below 2^-125 count as 0.
  float (*sum_exponentials)(const float* row, float largest, float factor, Index n, float* terms);
  /// Σ e, Σ e x and Σ e |first + j| over a row [n] as sum_exponentials() takes it, with x = (row_j - largest)
  /// factor and e = exp2(x), to `sums`; e to `terms`, which may be the row. Terms below 2^-126 count as that.
  void (*sum_moments)(const float* row, float largest, float factor, float first, Index n, float* terms,
                      float* sums);
  /// Returns how many values of a row [n], of whole vectors, are >= `high`; appends those in [low, high) to
  /// `between`, after the `kept` ones already there; there must be room for n.
  Index (*keep_between)(const float* row, float low, float high, Index n, float* between, Index* kept);
  /// Makes softmax's non-temporal copies visible to other threads: call it before signalling them.
  void (*store_fence)();
  /// Runs `rounds` of independent fused multiply-adds in registers and returns how many floating-point
  /// operations they were; `sink` keeps the compiler from leaving them out.
  double (*spin_multiply_adds)(Index rounds, float* sink);
};

/// Columns that softmax sums in parallel.
inline Index softmax_chunk(const Kernels& kernels) {
  return 2 * kernels.panel;
}

/// Floats that pack_rows and pack_columns write for n columns.
inline Index packed_size(const Kernels& kernels, Index n, Index k) {
  return round_up(n, kernels.panel) * k;
}

enum class InstructionSet { baseline, avx2, avx512 };

/// The kernels of one instruction set, or nullptr if this machine or build does not support it.
const Kernels* find_kernels(InstructionSet set);
/// The fastest that this machine can run; the environment variable HEADSCOPE_ISA (baseline, avx2, avx512)
/// requests a lower one, for tests. Throws Error (input) for any other word.
const Kernels& best_kernels();

/// How a layer is computed: by the kernels, or for comparison by the equation in Eigen
/// (core/attention/equation.h).
enum class ComputeEngine { kernels, eigen };
/// The kernels, unless the environment variable HEADSCOPE_ENGINE (kernels, eigen) requests the other. Throws
/// Error (input) for any other word.
ComputeEngine requested_engine();

}  // namespace headscope
