#pragma once
#include <optional>
#include <vector>

#include "core/base/matrix.h"

namespace headscope {

// What lies on a cell's way through a layer. The layers of a seed have the equation alone; those of trained
// models have norms, rotary positions and biases beside it.

/// A row before and after a norm: y = (x - mean) / deviation * weight + bias.
struct NormedRow {
  bool rms = false;  ///< RMSNorm: no mean is taken off (Zhang and Sennrich 2019)
  double epsilon = 0;
  Eigen::RowVectorXd x;            ///< [d]
  double mean = 0, deviation = 1;  ///< deviation: sqrt(mean (x - mean)² + epsilon)
  Eigen::RowVectorXd weight;       ///< [d]
  Eigen::RowVectorXd bias;         ///< [d]; empty: none
  Eigen::RowVectorXd y;            ///< [d]
};
/// Fills in mean, deviation and y.
NormedRow normed_row(NormedRow row);

/// A row before and after rotary positions (Su et al. 2021): of the first 2 pairs components, i turns with
/// i + pairs by angle i; the others stay.
struct TurnedRow {
  Index position = 0;
  Eigen::RowVectorXd frequency;     ///< [pairs]
  Eigen::RowVectorXd angle;         ///< [pairs]  position times the pair's frequency
  Eigen::RowVectorXd cosine, sine;  ///< [pairs]  with the factor of the model's scaling
  Eigen::RowVectorXd before;        ///< [d_k]
};

/// How the scores of one row come about from q · k: scale q · k + bias, of the keys that the query can see.
struct RowRule {
  double scale = 1;
  bool by_root = true;       ///< whether 1 / sqrt(d_k) is part of the scale
  Index layer_divisor = 1;   ///< what else is: 1 / (layer + 1) (GPT-2), else 1
  Index begin = 0, end = 0;  ///< keys that it can see by the model's own nature
  /// By the distance key - query (Raffel et al. 2020); empty without a relative bias.
  std::vector<Index> buckets;
  Eigen::RowVectorXd bias;  ///< [n_k]
};

/// Of a cell, what its layer reads and makes. What is not known is empty.
struct CellWay {
  Tensor x;      // [n_q, d_model]  what the layer reads
  Tensor key_x;  // [n_k, d_model]  what its keys are made of; shares x where a sentence attends to itself
  Tensor v;      // [n_k, d_k]      of the head
  Eigen::RowVectorXf q, k;            ///< [d_k]  as they are multiplied
  Eigen::RowVectorXf concat, output;  ///< [heads d_k], [d_model]  of the query
  /// [d_model]  what the sublayer behind this attention reads; empty where it is not kept.
  Eigen::RowVectorXf next;

  std::optional<NormedRow> query_norm, key_norm;  ///< before the projections
  Eigen::RowVectorXd q_projected, k_projected;    ///< [d_k]  what the projections give
  std::optional<NormedRow> q_norm, k_norm;        ///< of the head's own row
  std::optional<TurnedRow> q_turn, k_turn;
  std::optional<NormedRow> output_norm;  ///< of x + output, where that follows
  bool head_off = false;                 ///< then `concat` has something else in the head's place
};

}  // namespace headscope
