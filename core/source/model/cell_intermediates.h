#pragma once
#include <optional>
#include <vector>

#include "core/base/matrix.h"

namespace headscope {

// The intermediates of a cell in a layer. Seeded layers only have the equation; those of trained models also
// have norms, rotary positions and biases.

/// A row before and after a norm: y = (x - mean) / deviation * weight + bias.
struct NormedRow {
  bool rms = false;  ///< RMSNorm: without subtracting the mean (Zhang and Sennrich 2019)
  double epsilon = 0;
  Eigen::RowVectorXd x;            ///< [d]
  double mean = 0, deviation = 1;  ///< deviation: sqrt(mean (x - mean)² + epsilon)
  Eigen::RowVectorXd weight;       ///< [d]
  Eigen::RowVectorXd bias;         ///< [d]; empty: none
  Eigen::RowVectorXd y;            ///< [d]
};
/// Fills in mean, deviation and y.
NormedRow normed_row(NormedRow row);

/// A row before and after rotary positions (Su et al. 2021): of the first 2 · pairs components, i and i +
/// pairs are rotated by angle i; the others are unchanged.
struct RotatedRow {
  Index position = 0;
  Eigen::RowVectorXd frequency;     ///< [pairs]
  Eigen::RowVectorXd angle;         ///< [pairs]  position times the pair's frequency
  Eigen::RowVectorXd cosine, sine;  ///< [pairs]  with the factor of the model's scaling
  Eigen::RowVectorXd before;        ///< [d_k]
};

/// How the scores of one row are computed: scale q · k + bias, for the keys that the query can see.
struct RowRule {
  double scale = 1;
  bool by_sqrt_d_k = true;   ///< whether 1 / sqrt(d_k) is part of the scale
  Index layer_divisor = 1;   ///< also part of it: 1 / (layer + 1) (GPT-2), otherwise 1
  Index begin = 0, end = 0;  ///< keys visible by the model's own causality or window
  /// By the distance key - query (Raffel et al. 2020); empty without a relative bias.
  std::vector<Index> buckets;
  Eigen::RowVectorXd bias;  ///< [n_k]
};

/// A cell's layer inputs and intermediates. Unknown ones are empty.
struct CellIntermediates {
  Tensor x;                           // [n_q, d_model]  the layer's input
  Tensor key_x;                       // [n_k, d_model]  the keys' input; shares x in self-attention
  Tensor v;                           // [n_k, d_k]      of the head
  Eigen::RowVectorXf q, k;            ///< [d_k]  as multiplied
  Eigen::RowVectorXf concat, output;  ///< [heads d_k], [d_model]  of the query
  /// [d_model]  input of the sublayer after this attention; empty if it is not kept.
  Eigen::RowVectorXf next;

  std::optional<NormedRow> query_norm, key_norm;  ///< before the projections
  Eigen::RowVectorXd q_projected, k_projected;    ///< [d_k]  outputs of the projections
  std::optional<NormedRow> q_norm, k_norm;        ///< of the head's own row
  std::optional<RotatedRow> q_turn, k_turn;
  std::optional<NormedRow> output_norm;  ///< of x + output, for post-norm models
  bool head_off = false;                 ///< the head is ablated: `concat` has other values in its place
};

}  // namespace headscope
