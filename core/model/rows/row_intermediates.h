#pragma once
#include "core/base/matrix.h"

namespace headscope {

// What is between the steps of a layer, for one row in double.

/// A row before and after a norm: y = (x - mean) / deviation * weight + bias.
struct NormedRow {
  bool rms = false;  ///< RMSNorm: without subtracting the mean (Zhang and Sennrich 2019)
  /// LayerScale (Touvron et al. 2021): only the weight; mean 0, deviation 1.
  bool scale = false;
  double epsilon = 0;
  Eigen::RowVectorXd x;            ///< [d]
  double mean = 0, deviation = 1;  ///< deviation: sqrt(mean (x - mean)² + epsilon)
  Eigen::RowVectorXd weight;       ///< [d]
  Eigen::RowVectorXd bias;         ///< [d]; empty: none
  Eigen::RowVectorXd y;            ///< [d]
};

/// A row before and after rotary positions (Su et al. 2021): of the first 2 · pairs components, or those from
/// `first_dimension` on, i and i + pairs, or 2 i and 2 i + 1, are rotated by angle i; the others are
/// unchanged.
struct RotatedRow {
  bool in_pairs = false;  ///< 2 i and 2 i + 1 (GPT-J)
  Index first_dimension = 0;
  Index position = 0;
  Index first_position = 0;         ///< of the text's first token
  Eigen::RowVectorXd frequency;     ///< [pairs]
  bool of_patches = false;          ///< `place` is that of a patch's centre, down and across
  Eigen::RowVectorXd place;         ///< [pairs]  the position
  Eigen::RowVectorXd angle;         ///< [pairs]  that times the pair's frequency
  Eigen::RowVectorXd cosine, sine;  ///< [pairs]  with the factor of the model's scaling
  Eigen::RowVectorXd before;        ///< [d_k]
  /// The components of a pair.
  Index first(Index pair) const { return first_dimension + (in_pairs ? 2 * pair : pair); }
  Index second(Index pair) const { return first_dimension + (in_pairs ? 2 * pair + 1 : pair + angle.size()); }
  /// The pair of a component, or -1.
  Index pair_of(Index component) const {
    component -= first_dimension;
    if (component < 0 || component >= 2 * angle.size()) return -1;
    return in_pairs ? component / 2 : component % angle.size();
  }
};

/// A cell M_ij of what a state applies to values, v_j the value of token j: strength times left, and skip.
struct StateCell {
  double decay = 1;     ///< the product of the decays of the tokens behind j, up to i
  double product = 0;   ///< q_i · k_j
  double left = 0;      ///< decay times product, less what the tokens between have replaced
  double strength = 0;  ///< β_j; of Mamba-2 its step
  double skip = 0;      ///< D where j is i (Mamba-2)
  double value = 0;
};

}  // namespace headscope
