#pragma once
#include <span>
#include <vector>

#include "core/base/tensor.h"
#include "core/text/words.h"

namespace headscope {

/// Occurrences of the queries' tokens among the keys; computed once for all heads.
class TokenMatches {
 public:
  TokenMatches() = default;
  /// Identical spans mean self-attention.
  TokenMatches(std::span<const Token> queries, std::span<const Token> keys);

  bool self() const { return self_; }
  /// The keys with the query's token, ascending; in self-attention including the query itself.
  std::span<const int> keys_of(Index query) const {
    const std::size_t group = group_[query];
    const std::size_t begin = begin_[group];
    return std::span(positions_).subspan(begin, begin_[group + 1] - begin);
  }
  /// Whether a key of keys_of() counts as another occurrence of the query's token: in self-attention any but
  /// the query itself, with `causal` an earlier one.
  bool is_other(Index query, Index key, bool causal) const {
    return !self_ || (causal ? key < query : key != query);
  }
  /// Whether a key of keys_of() has a next key that the query can attend to: in self-attention any earlier
  /// one, otherwise any but the last key.
  bool is_followed(Index query, Index key) const { return self_ ? key < query : key + 1 < n_k(); }
  Index n_q() const { return std::ssize(group_); }
  Index n_k() const { return std::ssize(positions_); }

 private:
  bool self_ = false;
  std::vector<int> group_;      // [n_q] the group of keys; the last group is empty
  std::vector<int> begin_;      // [groups + 1] into positions_
  std::vector<int> positions_;  // [n_k] keys, group by group
};

}  // namespace headscope
