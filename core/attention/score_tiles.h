#pragma once
#include <optional>
#include <vector>

#include "core/attention/attend_heads.h"

namespace headscope {

/// Scores of a head in tiles, some queries by some keys, as passes over a map that is never held read them
/// (stream_map(), stream_rows()).
class ScoreTiles {
 public:
  static constexpr float nothing = -INFINITY;  ///< where a query sees no key
  /// A tile stays in a core's second cache beside the keys that it is made of.
  static constexpr Index keys = 512, rows = 128;
  /// From one row of a tile to the next: rows of a power of two would fall on each other in the first cache.
  static constexpr Index stride = keys + 32;

  /// Packs the keys of the head; what is given must live as long. Of some keys only those: `packed` begins
  /// and ends with whole softmax_chunk()s or the keys, and tiles are inside of it.
  ScoreTiles(const HeadRows& q, const HeadRows& k, const AttentionRule& rule, Index head,
             const ComputeContext& compute, std::optional<ColumnSpan> packed = {});

  const float* head_keys() const { return k_.at(head_ * k_.heads / q_.heads); }
  /// The place in the text of a row of q.
  Index place(Index query) const { return rule_.first_query + query; }
  /// The stretches of whole softmax_chunk()s that queries [first, last] may see: what the mask lets one of
  /// them see and the rule does not keep from all. What fill a row without keys has does not matter.
  std::vector<ColumnSpan> seen(Index first, Index last) const;
  /// Scaled scores for keys [begin, end), at most `keys` of them, of `count` queries that follow each other
  /// `every` rows apart, to `tile` [count, stride].
  void multiply(const float* queries, Index every, Index count, Index begin, Index end, float* tile) const;
  /// Adds to one row of a tile what the rule adds, and hides the keys that the query does not see, and the
  /// padding up to whole panels. `scratch` is anything.
  void complete(Index query, Index begin, Index end, float* row, KeySpans& scratch) const;
  /// The keys that a query sees by the mask, all where there is none; what the rule keeps from it is not
  /// left out.
  std::span<const KeySpan> spans(Index query, KeySpans& scratch) const;

 private:
  const HeadRows &q_, &k_;
  const AttentionRule& rule_;
  const Index head_;
  const Kernels& kernels_;
  const Index first_packed_;
  Tensor packed_;
};

}  // namespace headscope
