#pragma once
#include <functional>
#include <optional>
#include <stop_token>

#include "core/text/token_matches.h"

namespace headscope {

/// What one row of a map has to say: its weights w over the keys, taken as w / Σ w where dropout has changed
/// their sum. Nothing where all weights are 0.
struct RowNumbers {
  bool read = false;    ///< by whoever was asked; else by its weights
  bool any = false;     ///< whether a weight is more than 0
  double entropy = 0;   ///< -Σ w ln w / ln n_k
  double distance = 0;  ///< Σ w |query - key|
  double sparsity = 0;  ///< share of cells below least_weight()
  double largest = 0;   ///< weight, at the first such key
  Index largest_key = 0;
  std::optional<double> diagonal, previous, next, first;  ///< w on that key, where there is one
  /// Weight on other places of the query's token, and on the keys right after earlier ones (TokenMatches).
  std::optional<double> same_token, induction;
};

/// Below which a weight among n_k is less than an even share; a uniform row's own rounding must not make it
/// sparse.
inline float least_weight(Index n_k) {
  return (1 - 1e-5F) / static_cast<float>(n_k);
}

/// What is to be known of each row.
struct RowQuestion {
  const TokenMatches* matches = nullptr;                  ///< nullptr: nothing is said of tokens
  bool causal = false;                                    ///< of the query's token earlier places alone count
  std::stop_token stop{};                                 ///< asked to: the answer is not complete
  std::function<void(Index done, Index all)> progress{};  ///< in queries, told by one thread at a time
};

}  // namespace headscope
