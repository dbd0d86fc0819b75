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

/// y = norm(x + output), residual and norm each if enabled: the input of the next layer, or of the sublayer
/// after the attention if there is one.
struct AddAndNorm {
  bool residual = false;
  Eigen::RowVectorXd added;       ///< [d_model]  the output, after a norm of its own and times a factor
  Eigen::RowVectorXd sum;         ///< [d_model]  x + added, or the output alone
  std::optional<NormedRow> norm;  ///< of the sum
  Eigen::RowVectorXf next;        ///< [d_model]  the next layer's input; empty if the trace has none
  const Eigen::RowVectorXd& result() const { return norm ? norm->y : sum; }
};

/// All intermediates of one cell of one head, from x to the output, with the softmax of its row (Vaswani et
/// al. 2017, section 3.2). What the run has is taken from its trace, the rest is computed from that in
/// double: a sum of the parts equals the trace's value up to float32 rounding.
struct CellArithmetic : SoftmaxRow {
  CellPlace place;
  CellIntermediates way;        ///< what the layer provides; norms and rotary positions of trained models
  RowRule rule;                 ///< how q · k becomes a score
  Index kv_head = 0;            ///< the key-value head that the head reads
  Eigen::RowVectorXf x, key_x;  ///< [d_model]  the layer's inputs for the query and for the key
  Eigen::RowVectorXf q, k;      ///< [d_k]  as they are multiplied
  Eigen::RowVectorXd products;  ///< [d_k]  q_i k_i
  double dot = 0;               ///< q · k, the products' sum
  double scale = 1;             ///< the factor of dot: 1 / sqrt(d_k), or 1 if unscaled
  double temperature = 1;
  double score = 0;                  ///< dot scale, capped or with a bias, as in the arrays
  Eigen::RowVectorXf dropout;        ///< [n_k]  factors on the weights; empty without dropout
  MatrixOf<double> weighted_values;  ///< [n_k, d_k]  weight x dropout x v of every key
  Eigen::RowVectorXf context;        ///< [d_k]  their sum
  /// The context times the gate of the head, if there is one.
  Eigen::RowVectorXf gated() const {
    return way.gate.size() > 0 ? Eigen::RowVectorXf(context.cwiseProduct(way.gate)) : context;
  }
  /// [heads d_k]  concatenated contexts of all heads; for ablated heads, what replaces them.
  Eigen::RowVectorXf concat;
  MatrixOf<double> w_o_terms;  ///< [heads, d_model]  each head's contribution to the output
  Eigen::RowVectorXf b_o;      ///< [d_model]; 0 where the layer has no bias
  Eigen::RowVectorXf output;   ///< [d_model]  the terms' sum and b_o
  /// In a stack of layers, what follows a layer's output (seeded_layer.h).
  std::optional<AddAndNorm> add_and_norm;

  /// [d_model]  the input of the q and k projections: x, after a norm if there is one.
  Eigen::RowVectorXd query_input() const {
    return way.query_norm ? way.query_norm->y : Eigen::RowVectorXd(x.cast<double>());
  }
  Eigen::RowVectorXd key_input() const {
    return way.key_norm ? way.key_norm->y : Eigen::RowVectorXd(key_x.cast<double>());
  }
};

struct Linear;
/// W_O of a layer, if its source knows it.
std::optional<Linear> output_projection(const Trace& trace, const BlockTrace& block, int layer);

/// Whether a layer's trace has what cell_arithmetic() needs: a source may provide maps only, and a run may
/// have skipped the last layer's context.
bool has_arithmetic(const BlockTrace& block, int layer);
/// The arithmetic of a cell of a block of the trace. Throws Error (input) if the trace has no such layer,
/// head, query or key, or has no tokens; has_arithmetic() must hold.
CellArithmetic cell_arithmetic(const Trace& trace, const BlockTrace& block, const CellPlace& place);

}  // namespace headscope
