#pragma once
#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>

#include "core/text/token_matches.h"

namespace headscope {

/// Statistics of one row of a map with weights w over the keys, taken as w / Σ w if dropout has changed their
/// sum. No statistics if all weights are 0.
struct RowNumbers {
  bool read = false;    ///< set by MapSource::row_numbers(); otherwise computed from the weights
  bool any = false;     ///< whether any weight is > 0
  double entropy = 0;   ///< -Σ w ln w / ln n_k
  double distance = 0;  ///< Σ w |query - key|
  double sparsity = 0;  ///< share of cells below min_weight()
  double largest = 0;   ///< largest weight, and its first key
  Index largest_key = 0;
  std::optional<double> diagonal, previous, next, first;  ///< weight on that key, if it exists
  /// Weight on other occurrences of the query's token, and on the keys right after earlier ones
  /// (TokenMatches).
  std::optional<double> same_token, induction;
  std::optional<double> no_token;  ///< what the head's sink takes, before w is divided by its sum
};

/// Threshold below which a weight among n_k is less than uniform; rounding must not make a uniform row
/// sparse.
inline float min_weight(Index n_k) {
  return (1 - 1e-5F) / static_cast<float>(n_k);
}

/// Which statistics of each row to compute.
struct RowQuestion {
  const TokenMatches* matches = nullptr;                  ///< nullptr: no token statistics
  bool causal = false;                                    ///< count only earlier occurrences of a token
  std::stop_token stop{};                                 ///< if stopped, the result is incomplete
  std::function<void(Index done, Index all)> progress{};  ///< in queries; called by one thread at a time
};

/// How a map of any size is read in pooled cells; the last ones may be smaller.
struct MapPools {
  Index queries = 1, keys = 1;  ///< per pooled cell
  /// The part of the map that is read; an `end` of 0 means the last. Weights are always normalized over all
  /// keys.
  Index query_begin = 0, query_end = 0, key_begin = 0, key_end = 0;
  Index every = 1;         ///< reads every `every`-th query: a sample, at least one per pooled cell
  bool mean = false;       ///< a pooled cell is the mean, or otherwise the largest, of its weights
  std::stop_token stop{};  ///< if stopped, the result is incomplete
  std::function<void(Index done, Index all)> progress{};  ///< in queries; called by one thread at a time
  std::atomic<std::int64_t>* cells = nullptr;             ///< incremented by the number of computed scores
};

}  // namespace headscope
