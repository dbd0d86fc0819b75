#pragma once
#include <span>

#include "core/attention/mask.h"
#include "core/tensor.h"
#include "core/text/words.h"

namespace headscope {

/// What one head's map looks like as numbers. A row is a query's weights over the keys; rows with no key to
/// attend to are left out of every mean. A share is the mean over rows of the weight on that one key, and
/// over the rows that have such a key.
struct HeadStatistics {
  double entropy = 0;        ///< mean over rows of -Σ w ln w / ln n_k: 0 one key, 1 uniform; 0 where n_k = 1
  double mean_distance = 0;  ///< mean over rows of Σ w |query - key|, in tokens
  double largest = 0;        ///< largest weight, at (largest_query, largest_key)
  Index largest_query = 0, largest_key = 0;
  double diagonal = 0;    ///< share on key = query
  double previous = 0;    ///< share on key = query - 1
  double next = 0;        ///< share on key = query + 1
  double first = 0;       ///< share on key = 0
  double same_token = 0;  ///< weight on other positions that hold the query's token, over rows that have one
  double induction =
      0;  ///< weight on the keys right after earlier occurrences of the query's token (Olsson 2022)
  double sparsity = 0;   ///< share of cells below 1 / n_k (uniform), blocked cells included
  bool repeats = false;  ///< whether any token repeats, so that same_token and induction mean something
};

/// `weights` [n_q, n_k] row by row; `blocked` the same shape or nullptr.
HeadStatistics head_statistics(const float* weights, const std::uint8_t* blocked,
                               std::span<const Token> queries, std::span<const Token> keys);

}  // namespace headscope
