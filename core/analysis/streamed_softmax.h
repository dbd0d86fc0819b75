#pragma once
#include <vector>

#include "core/analysis/softmax_row.h"
#include "core/base/round_up.h"

namespace headscope {

/// The state of a row after one more block of its keys. Only `maximum`, `sum` and `context` are kept; nothing
/// of an earlier block is read again.
struct StreamedBlock {
  Index begin = 0, end = 0;    ///< keys of the block
  double block_max = 0;        ///< of its masked scores; -infinity where all are blocked
  double maximum = 0;          ///< m: of all keys so far
  double rescale = 1;          ///< exp(m before - m): what sum and context before are multiplied by
  double block_sum = 0;        ///< of exp(masked - m) of its keys
  double sum = 0;              ///< l = rescale l before + block_sum
  Eigen::RowVectorXd context;  ///< [d_k]  o = rescale o before + the block's sum of exp(masked - m) dropout v
};

/// The softmax of a row and its weighted values in one pass over blocks of keys, without ever holding the
/// row (Milakov and Gimelshein 2018, "Online normalizer calculation for softmax", algorithm 3; with the
/// context, Dao et al. 2022, "FlashAttention", algorithm 1).
struct StreamedRow {
  Index block_size = 1;
  std::vector<StreamedBlock> blocks;
  Eigen::RowVectorXd context;  ///< [d_k]  o / l; 0 where every key is blocked
  // Compared with the softmax of the whole row, which needs all of it at once.
  Eigen::RowVectorXd weights;     ///< [n_k]  exp(masked - m) / l with the last m and l
  double weight_difference = 0;   ///< largest |weights - softmax_row().weights|
  double context_difference = 0;  ///< largest |context - weights dropout V|
  bool agrees() const;            ///< both up to float32 rounding of numbers of this size
};

/// A row of a run whose source knows scores and values, in blocks of `block_size` keys.
StreamedRow streamed_softmax(const BlockTrace& block, int layer, int head, int query, Index block_size);

/// A block size that splits a row of n_k keys into a few blocks: a power of two, 2 to 128.
Index sensible_block(Index n_k);

/// How many blocks of that size n_k keys have.
inline Index block_count(Index n_k, Index block_size) {
  return divide_up(n_k, block_size);
}

}  // namespace headscope
