#pragma once
#include <functional>
#include <stop_token>
#include <vector>

#include "core/attention/attend_heads.h"

namespace headscope {

struct StreamedMap;

/// What a streamed pass over a map computes, in addition to each row's sum.
struct StreamedRequest {
  /// The overview: each of its pooled cells is the largest weight of `query_pool` queries and `key_group`
  /// keys; the last ones may have fewer. 0: none.
  Index query_pool = 0, key_group = 0;
  /// The overview's cells are means instead of maxima.
  bool mean = false;
  /// Reads only every `every`-th query: a sample for a quick overview, which needs at least one per block.
  Index every = 1;
  /// The queries of the pass and the keys of the overview: a part of the map; an `end` of 0 means the last.
  /// Weights are always normalized over all keys.
  Index query_begin = 0, query_end = 0, key_begin = 0, key_end = 0;
  /// The result of an earlier pass over the whole map with the same q, k and rule: then keys outside of the
  /// part need not be computed again to normalize. nullptr: unknown. Not used with dropout, a finite fill or
  /// `context`.
  const StreamedMap* known = nullptr;
  bool context = false;
  /// Writes the dropout factors of the weights of queries [begin, end) to `factors` [end - begin, n_k];
  /// empty: none. Thread-safe.
  std::function<void(Index begin, Index end, float* factors)> dropout;
  /// Called from time to time with the number of finished queries, by one thread at a time.
  std::function<void(Index done, Index all)> progress;
};

/// The result of one pass over a head's map.
struct StreamedMap {
  Tensor overview;             // [groups of queries, groups of keys] of the part
  Tensor context;              // [n_q, d]
  std::vector<float> largest;  ///< [n_q] of each query's masked scores, -infinity if there is none
  std::vector<double> sum;     ///< [n_q] of exp((score - largest) / T): the softmax's denominator
  Index every = 1;             ///< step of the queries read; rows of others are 0
  Index cells = 0;             ///< number of scores computed, of n_q n_k
};

/// Streamed softmax of a head's map in one pass over tiles of Q Kᵀ, without ever storing a row: each query
/// keeps the largest score so far, the sum of exponentials and its context, which are scaled down whenever a
/// larger score comes (Milakov and Gimelshein 2018, "Online normalizer calculation for softmax", algorithm 3;
/// for the context Dao et al. 2022, "FlashAttention", algorithm 1). The maximum of a block of keys is kept as
/// a score, and converted to a weight when the query's sum is known. Tiles that the mask blocks for all their
/// queries are not computed. Equals attention_rows() up to float32 rounding; the same bits for any number of
/// threads. `values` may be nullptr without `context`. If stopped, the result is incomplete.
StreamedMap stream_map(const HeadRows& q, const HeadRows& k, const HeadRows* values,
                       const AttentionRule& rule, Index head, const StreamedRequest& request,
                       const ComputeContext& compute, const std::stop_token& stop = {});

}  // namespace headscope
