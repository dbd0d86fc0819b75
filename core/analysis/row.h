#pragma once
#include "core/base/tensor.h"

namespace headscope {

/// The loops over one row of a map that run over all heads whenever an input or a slider changes: written for
/// whatever vector registers the machine has, with the same bits on each (core/CMakeLists.txt).

struct RowTotals {
  double sum = 0;       ///< Σ w
  double w_log_w = 0;   ///< Σ w ln w
  double distance = 0;  ///< Σ w |query - key|
  float largest = 0;
  Index small = 0;  ///< cells below the threshold
};

/// `row` [n_k], weights from 0.
RowTotals sum_row(const float* row, Index n_k, Index query, float threshold);

/// Σ w of a row [n], weights from 0.
double row_sum(const float* row, Index n);

/// A row taken as a distribution p = w / Σw.
struct RowMass {
  double sum = 0;      ///< Σ w
  double p_log_p = 0;  ///< Σ p ln p
};
RowMass row_mass(const float* row, Index n);

/// Jensen–Shannon divergence in bits of two rows [n] taken as distributions (Lin 1991, "Divergence measures
/// based on the Shannon entropy"): with m = (p + q) / 2, (KL(p ‖ m) + KL(q ‖ m)) / 2, of p / Σp and q / Σq.
/// 0: identical, 1: nothing in common. Empty rows: 0 to each other, 1 to any other.
double row_divergence(const float* p, const RowMass& mass_p, const float* q, const RowMass& mass_q, Index n);

/// The smallest weight kept when a row [n] keeps its largest weights until their sum reaches `share`, (0, 1],
/// of the row's; weights from 0. Equal weights are all kept.
float smallest_of_top(const float* row, Index n, double share);

}  // namespace headscope
