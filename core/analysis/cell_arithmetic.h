#pragma once
#include <optional>
#include <vector>

#include "core/analysis/softmax_row.h"
#include "core/base/matrix.h"
#include "core/source/trace.h"

namespace headscope {

/// Which cell, all from 0.
struct CellPlace {
  int layer = 0, head = 0, query = 0, key = 0;
  bool operator==(const CellPlace&) const = default;
};

/// y = norm(x + output), residual and norm each if it is on: what the next layer reads, or the sublayer
/// behind the attention where there is one.
struct AddAndNorm {
  bool residual = false;
  Eigen::RowVectorXd sum;         ///< [d_model]  x + output, or the output alone
  std::optional<NormedRow> norm;  ///< of the sum
  Eigen::RowVectorXf next;        ///< [d_model]  what the next one reads; empty where the trace has none
  const Eigen::RowVectorXd& result() const { return norm ? norm->y : sum; }
};

/// A cell's way from x to the output, with every number on it and the softmax of its row, of one head
/// (Vaswani et al. 2017, section 3.2). What the run has is taken from its trace, the rest computed from that
/// in double: a sum of the parts here is the whole that the trace has but for float32's rounding.
struct CellArithmetic : SoftmaxRow {
  CellPlace place;
  CellWay way;                  ///< what the layer has; norms and rotary positions of trained models
  RowRule rule;                 ///< how q · k becomes a score
  Index kv_head = 0;            ///< the key-value head that the head reads
  Eigen::RowVectorXf x, key_x;  ///< [d_model]  what the layer reads of the query and of the key
  Eigen::RowVectorXf q, k;      ///< [d_k]  as they are multiplied
  Eigen::RowVectorXd products;  ///< [d_k]  q_i k_i
  double dot = 0;               ///< q · k, the products' sum
  double scale = 1;             ///< what it is multiplied by: 1 / sqrt(d_k), or 1 without it
  double temperature = 1;
  double score = 0;                  ///< dot scale, and a relative bias, as in the arrays
  Eigen::RowVectorXf dropout;        ///< [n_k]  factors on the weights; empty without dropout
  MatrixOf<double> weighted_values;  ///< [n_k, d_k]  weight x dropout x v of every key
  Eigen::RowVectorXf context;        ///< [d_k]  their sum
  /// [heads d_k]  the contexts of all heads side by side; of those that are switched off, what stands for it.
  Eigen::RowVectorXf concat;
  MatrixOf<double> w_o_terms;  ///< [heads, d_model]  what each head's context gives to the output
  Eigen::RowVectorXf b_o;      ///< [d_model]; 0 where the layer has no bias
  Eigen::RowVectorXf output;   ///< [d_model]  the terms' sum and b_o
  /// In a stack of layers, what a layer makes of its output (residual.h).
  std::optional<AddAndNorm> add_and_norm;

  /// [d_model]  what q and k are projected from: x, after a norm where there is one.
  Eigen::RowVectorXd query_input() const {
    return way.query_norm ? way.query_norm->y : Eigen::RowVectorXd(x.cast<double>());
  }
  Eigen::RowVectorXd key_input() const {
    return way.key_norm ? way.key_norm->y : Eigen::RowVectorXd(key_x.cast<double>());
  }
};

/// Whether a layer's trace has what a cell's way is made of: a source may know maps alone, and a run may have
/// left the last layer's context out.
bool has_arithmetic(const BlockTrace& block, int layer);
/// The way of a cell of a block of the trace. Throws Error (input) where it has no such layer, head, query or
/// key, and where it has no tokens; has_arithmetic() must hold.
CellArithmetic cell_arithmetic(const Trace& trace, const BlockTrace& block, const CellPlace& place);

}  // namespace headscope
