#pragma once
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

#include "core/source/trace.h"
#include "core/text/words.h"

namespace headscope {

/// What one head's map looks like as numbers. A row is a query's weights over the keys as the arrays hold
/// them; rows of zeros (all keys blocked with −∞, or all dropped out) are left out of every mean. A share is
/// the mean over rows of the weight on that one key, over the rows that have such a key. Under dropout each
/// row is taken as w / Σ w. A mean or a largest over no rows is empty.
struct HeadStatistics {
  /// Mean over rows of -Σ w ln w / ln n_k: 0 one key, 1 uniform; 0 where n_k = 1.
  std::optional<double> entropy;
  std::optional<double> mean_distance;  ///< mean over rows of Σ w |query - key|, in tokens
  std::optional<double> largest;        ///< largest weight, at (largest_query, largest_key)
  Index largest_query = 0, largest_key = 0;
  std::optional<double> diagonal;  ///< share on key = query
  std::optional<double> previous;  ///< share on key = query - 1
  std::optional<double> next;      ///< share on key = query + 1
  std::optional<double> first;     ///< share on key = 0 (the sink: Xiao et al. 2023, "Attention Sinks")
  /// Weight on other positions that hold the query's token, over rows that have one (duplicate token heads:
  /// Wang et al. 2022, "Interpretability in the Wild"); in cross-attention on every key that holds it; where
  /// the model itself sees no later tokens, earlier ones alone count.
  std::optional<double> same_token;
  /// Weight on the keys right after earlier occurrences of the query's token, over rows that have one (Olsson
  /// et al. 2022, "In-context learning and induction heads"); in cross-attention after every occurrence among
  /// the keys.
  std::optional<double> induction;
  std::optional<double> sparsity;  ///< share of cells below 1 / n_k (uniform), blocked cells included
};

/// Whether statistics of the block take each row as w / Σ w.
bool renormalizes_rows(const BlockTrace& block);

/// Where the tokens of the queries stand among the keys; made once for all heads.
class TokenMatches {
 public:
  TokenMatches() = default;
  /// The same tokens twice are taken for self-attention.
  TokenMatches(std::span<const Token> queries, std::span<const Token> keys);

  bool self() const { return self_; }
  /// The keys that hold the query's token, ascending; in self-attention the query itself is one of them.
  std::span<const int> keys_of(Index query) const {
    const auto group = static_cast<std::size_t>(group_[static_cast<std::size_t>(query)]);
    const auto begin = static_cast<std::size_t>(begin_[group]);
    return std::span(positions_).subspan(begin, static_cast<std::size_t>(begin_[group + 1]) - begin);
  }
  Index n_q() const { return std::ssize(group_); }
  Index n_k() const { return std::ssize(positions_); }

 private:
  bool self_ = false;
  std::vector<int> group_;      // [n_q] which group of keys; the last is empty
  std::vector<int> begin_;      // [groups + 1] into positions_
  std::vector<int> positions_;  // [n_k] keys, group by group
};

/// Of one head of a layer; not complete if stopped.
HeadStatistics head_statistics(const BlockTrace& block, int layer, int head, const TokenMatches& matches,
                               const std::stop_token& stop = {});

/// Of the heads of a block, by layer; nothing of layers that were not asked for.
struct BlockStatistics {
  std::vector<std::vector<HeadStatistics>> layers;
  const HeadStatistics* find(int layer, int head) const;
};
/// Of one layer, or of all where `layer` is not engaged. Over the processors; nullptr if stopped.
std::shared_ptr<const BlockStatistics> block_statistics(const BlockTrace& block, std::optional<int> layer,
                                                        const std::stop_token& stop = {});

}  // namespace headscope
