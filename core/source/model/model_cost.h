#pragma once
#include <cstdint>

#include "core/base/tensor.h"
#include "core/inputs/block_kind.h"

namespace headscope {

class LanguageModel;

/// What a layer's attention has beside W_Q, W_K, W_V, W_O and their biases, in numbers, and what it has not
/// of those.
struct OtherWeights {
  std::int64_t norms = 0;  ///< of rows of queries and keys
  std::int64_t sinks = 0;
  std::int64_t positions = 0;  ///< matrices and tables of relative positions and segments
  std::int64_t of_global = 0;  ///< the projections of global tokens
  bool gated = false;          ///< a matrix as large as W_Q, whose rows what heads give is multiplied by
  Index keys_of = -1;          ///< the layer whose keys and values it reads; -1: its own
  bool values_are_keys = false;
  // Multiply-adds: of a query, and of each vector of a relative position.
  std::int64_t query_products = 0, position_products = 0;
  std::int64_t position_vectors = 0;  ///< 0: as many as there are distances in the text
  int position_terms = 0;             ///< products of vectors in a score, besides q · k
  std::int64_t parameters() const { return norms + sinks + positions + of_global; }
  std::int64_t products_of_positions(std::int64_t n_q, std::int64_t n_k) const {
    return position_products * (position_vectors > 0 ? position_vectors : n_q + n_k);
  }
  bool operator==(const OtherWeights&) const = default;
};
OtherWeights other_weights(const LanguageModel& model, BlockKind block, Index number);

/// Multiply-adds of all layers for a text, of an encoder–decoder for a target as well, without what masks
/// leave out: the products with matrices, scores, weights times values, what states read and keep.
std::int64_t multiplications_of(const LanguageModel& model, Index tokens, Index target);

}  // namespace headscope
