#pragma once
#include "core/base/matrix.h"
#include "core/source/trace.h"

namespace headscope {

/// The softmax of one row with all intermediates, in double and in the order of the engine and PyTorch:
/// scores, mask, temperature, softmax(s)_j = exp(s_j - max) / sum of those (Goodfellow et al. 2016, section
/// 4.1: the maximum cancels, and no exponential overflows).
struct SoftmaxRow {
  Eigen::RowVectorXd scores;        ///< [n_k]  scaled, before mask and temperature, as in the arrays
  Eigen::RowVectorXd masked;        ///< [n_k]  scores with blocked ones replaced by the fill
  Eigen::RowVectorXd tempered;      ///< [n_k]  masked / temperature: the input of the softmax
  bool all_blocked = false;         ///< every key is blocked, whatever the fill
  double row_max = 0;               ///< of tempered; -infinity if every key is blocked with that
  Eigen::RowVectorXd exponentials;  ///< [n_k]  exp(tempered - row_max), 0 where row_max is -infinity
  double row_sum = 0;               ///< of the exponentials
  Eigen::RowVectorXd weights;       ///< [n_k]  exponentials / row_sum, before dropout; 0 if every key is
                                    ///< blocked. From the file if they were computed elsewhere
};

/// How the row's scores are computed; of a block whose layers are known.
RowRule row_rule(const BlockTrace& block, int layer, int head, int query);

/// Whether the scores behind the weights are known.
bool knows_scores(const BlockTrace& block);

/// For an existing row of a block whose source knows scores; otherwise all but given weights is empty.
SoftmaxRow softmax_row(const BlockTrace& block, int layer, int head, int query);

/// The factors of dropout on a row's weights [n_k]; empty without dropout.
Eigen::RowVectorXf dropout_row(const BlockTrace& block, int layer, int head, int query);

}  // namespace headscope
