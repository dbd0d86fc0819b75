#pragma once
#include <cstdint>
#include <functional>
#include <numbers>
#include <optional>
#include <stop_token>
#include <vector>

#include "core/attention/attend_heads.h"
#include "core/system/fibers.h"

namespace headscope {

/// A pass over a head's map that is never stored: scores in tiles of some queries by some keys, some queries
/// to a thread. What becomes of the rows of a tile is the policy of a derived class: pooled cells and context
/// (stream_map()), or statistics of each row (stream_rows()). Both keep sums of e = exp((score - largest) /
/// T) relative to the largest score so far, which are scaled down whenever a larger one comes (Milakov and
/// Gimelshein 2018, "Online normalizer calculation for softmax", algorithm 3).
class TiledPass {
 protected:
  static constexpr float nothing = -INFINITY;  ///< score of a key that a query does not see
  /// A tile stays in a core's L2 cache together with its keys.
  static constexpr Index keys_of_tile = 512, rows_of_tile = 128;
  /// Row stride of a tile: a power of two would cause conflicts in the L1 cache.
  static constexpr Index stride = keys_of_tile + 32;

  /// Packs the keys of the head; the arguments must outlive this. `packed` restricts it to some keys: it
  /// begins and ends at whole softmax_chunk()s or at the last key, and tiles must be inside of it.
  TiledPass(const HeadRows& q, const HeadRows& k, const AttentionRule& rule, Index head,
            const ComputeContext& compute, std::optional<ColumnSpan> packed = {});

  /// Queries first, first + every, …, at most rows_of_tile of them.
  struct Queries {
    Index first = 0, count = 0, every = 1;
    Index number = 0;  ///< of the piece
    Index at(Index i) const { return first + i * every; }
  };
  /// Calls body(queries, scratch) for each piece with `scratch_size` floats, in parallel; reports the number
  /// of finished queries. Returns the sum of what it returns, the number of computed scores.
  std::int64_t run(const std::vector<Queries>& pieces, Index scratch_size, const std::stop_token& stop,
                   const std::function<void(Index done, Index all)>& progress,
                   const std::function<std::int64_t(const Queries& queries, float* scratch)>& body) const;

  const float* head_keys() const { return k_.at(kv_head()); }
  Index kv_head() const { return head_ * k_.heads / q_.heads; }
  const float* row_of_q(Index query) const { return q_.at(head_) + query * q_.d; }
  /// The position in the text of a row of q.
  Index place(Index query) const { return rule_.first_query + query; }
  /// Where a query's bias begins, to be added from key 0 on.
  const float* bias(Index query) const { return rule_.bias_row(head_, place(query)); }
  /// The ranges of whole softmax_chunk()s that these queries may see: visible to any of them by the mask, and
  /// not hidden from all by the rule. Ignores the fill of rows without keys.
  std::vector<ColumnSpan> seen(const Queries& queries) const;
  /// Calls use(begin, end) for the keys of each tile.
  template <typename Use>
  static void for_tiles(const std::vector<ColumnSpan>& parts, const Use& use) {
    for (const ColumnSpan& part : parts)
      for (Index begin = part.begin; begin < part.end; begin += keys_of_tile) {
        use(begin, std::min<Index>(begin + keys_of_tile, part.end));
        give_way();
      }
  }
  /// Scaled scores for keys [begin, end), at most `keys_of_tile` of them, of `count` queries `every` rows
  /// apart, to `tile` [count, stride].
  void multiply(const float* queries, Index every, Index count, Index begin, Index end, float* tile) const;
  /// Applies the rule's cap and bias to one row of a tile, and hides the keys that the query does not see and
  /// the padding up to whole panels. `scratch` is overwritten.
  void complete(Index query, Index begin, Index end, float* row, KeySpans& scratch) const;
  /// The keys that a query sees by the mask, all without one; does not exclude those hidden by the rule.
  std::span<const KeySpan> spans(Index query, KeySpans& scratch) const;
  /// Whether a finite fill gives keys that the mask blocks a weight, if no score is much larger than it.
  bool fills() const {
    return !std::isinf(rule_.fill) && rule_.mask != nullptr && rule_.mask->any(static_cast<int>(head_));
  }

  const HeadRows &q_, &k_;
  const AttentionRule& rule_;
  const Index head_;
  const ComputeContext& compute_;
  const Kernels& kernels_;
  const float factor_;  ///< of scores, to base 2

 private:
  const Index first_packed_;
  Tensor packed_;
};

}  // namespace headscope
