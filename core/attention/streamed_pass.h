#pragma once
#include <functional>
#include <stop_token>
#include <vector>

#include "core/attention/attend_heads.h"

namespace headscope {

struct StreamedMap;

/// What a pass over a map looks for, beside what each row sums to.
struct StreamedRequest {
  /// The overview: each of its cells is the largest weight of `query_group` queries and `key_group` keys, the
  /// last ones of as many as there are. 0: none.
  Index query_group = 0, key_group = 0;
  /// The overview's cells are means instead of largest weights.
  bool mean = false;
  /// Only each `every`-th query: a sample, of which an overview can be had at once. The overview needs one in
  /// each group.
  Index every = 1;
  /// The queries that the pass goes through, and the keys that the overview is of: a part of the map, each up
  /// to `end`, which 0 leaves at the last. Weights are of all keys in any case.
  Index query_begin = 0, query_end = 0, key_begin = 0, key_end = 0;
  /// What a pass over all of the map has found before, of the same q, k and rule: then the keys outside of
  /// the part need not be computed again for their weights to be of all keys. nullptr: not known. Not used
  /// with dropout, a finite fill or `context`.
  const StreamedMap* known = nullptr;
  bool context = false;
  /// The factors of dropout on the weights of queries [begin, end), to `factors` [end - begin, n_k]; empty:
  /// none. From any thread.
  std::function<void(Index begin, Index end, float* factors)> dropout;
  /// Told now and then how many of the queries are done, by one thread at a time.
  std::function<void(Index done, Index all)> progress;
};

/// What one pass over a head's map has found.
struct StreamedMap {
  Tensor overview;             // [groups of queries, groups of keys] of the part
  Tensor context;              // [n_q, d]
  std::vector<float> largest;  ///< [n_q] of each query's masked scores, -infinity where there is none
  std::vector<double> sum;     ///< [n_q] of exp((score - largest) / T): the softmax's denominator
  Index every = 1;             ///< of which queries; rows of others are 0
  Index cells = 0;             ///< scores that were computed, of n_q n_k
};

/// The softmax of a head's map in one pass over tiles of Q Kᵀ, of which no row is ever held: each query keeps
/// the largest score so far and the sum of exponentials, and its context beside it, which are scaled down
/// whenever a larger score comes (Milakov and Gimelshein 2018, "Online normalizer calculation for softmax",
/// algorithm 3; with the context Dao et al. 2022, "FlashAttention", algorithm 1). The largest of a group of
/// keys is kept as a score, and becomes a weight when the query's sum is known. Tiles that the mask blocks
/// for all their queries are not computed. The same as attention_rows() within float32's rounding; the same
/// bits for any number of threads. `values` may be nullptr without `context`. If stopped, the result is not
/// complete.
StreamedMap stream_map(const HeadRows& q, const HeadRows& k, const HeadRows* values,
                       const AttentionRule& rule, Index head, const StreamedRequest& request,
                       const ComputeContext& compute, const std::stop_token& stop = {});

}  // namespace headscope
