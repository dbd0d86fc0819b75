#pragma once
#include <optional>
#include <vector>

#include "core/attention/attend_heads.h"

namespace headscope {

/// Scores of a head in tiles of some queries by some keys, for streamed passes over a map that is never
/// stored (stream_map(), stream_rows()).
class ScoreTiles {
 public:
  static constexpr float nothing = -INFINITY;  ///< score of a key that a query does not see
  /// A tile stays in a core's L2 cache together with its keys.
  static constexpr Index keys = 512, rows = 128;
  /// Row stride of a tile: a power of two would cause conflicts in the L1 cache.
  static constexpr Index stride = keys + 32;

  /// Packs the keys of the head; the arguments must outlive this. `packed` restricts it to some keys: it
  /// begins and ends at whole softmax_chunk()s or at the last key, and tiles must be inside of it.
  ScoreTiles(const HeadRows& q, const HeadRows& k, const AttentionRule& rule, Index head,
             const ComputeContext& compute, std::optional<ColumnSpan> packed = {});

  const float* head_keys() const { return k_.at(head_ * k_.heads / q_.heads); }
  /// The position in the text of a row of q.
  Index place(Index query) const { return rule_.first_query + query; }
  /// The ranges of whole softmax_chunk()s that queries [first, last] may see: visible to any of them by the
  /// mask, and not hidden from all by the rule. Ignores the fill of rows without keys.
  std::vector<ColumnSpan> seen(Index first, Index last) const;
  /// Scaled scores for keys [begin, end), at most `keys` of them, of `count` queries `every` rows apart, to
  /// `tile` [count, stride].
  void multiply(const float* queries, Index every, Index count, Index begin, Index end, float* tile) const;
  /// Adds the rule's bias to one row of a tile, and hides the keys that the query does not see and the
  /// padding up to whole panels. `scratch` is overwritten.
  void complete(Index query, Index begin, Index end, float* row, KeySpans& scratch) const;
  /// The keys that a query sees by the mask, all without one; does not exclude those hidden by the rule.
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
