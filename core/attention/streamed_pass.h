#pragma once
#include <cstdint>
#include <vector>

#include "core/attention/attend_heads.h"
#include "core/attention/map_requests.h"

namespace headscope {

/// The result of one pass over a head's map.
struct StreamedMap {
  Tensor overview;             // [blocks of queries, blocks of keys] of the part
  Tensor context;              // [n_q, d]
  std::vector<float> largest;  ///< [n_q] of each query's masked scores and its sink, -infinity without one
  std::vector<double> sum;     ///< [n_q] of exp((score - largest) / T): the softmax's denominator
  Index every = 1;             ///< step of the queries read; rows of others are 0
  std::int64_t cells = 0;      ///< number of scores computed, of n_q n_k
};

/// What a streamed pass computes: the pooled cells, and each row's sum.
struct StreamedRequest : MapPools {
  /// The result of an earlier pass over the whole map with the same q, k and rule: then keys outside of the
  /// part need not be computed again to normalize. nullptr: unknown. Not used with dropout, a finite fill or
  /// `values`.
  const StreamedMap* known = nullptr;
  const HeadRows* values = nullptr;  ///< if set, the context is computed, too
};

/// A head's map pooled in one pass (see TiledPass), without ever storing a row; the context's rows are scaled
/// as the sums are (Dao et al. 2022, "FlashAttention", algorithm 1). The maximum of a block of keys is kept
/// as a score, and converted to a weight when the query's sum is known. Tiles that the mask blocks for all
/// their queries are not computed. Equals attention_rows() up to float32 rounding; the same bits for any
/// number of threads. If stopped, the result is incomplete.
StreamedMap stream_map(const HeadRows& q, const HeadRows& k, const AttentionRule& rule, Index head,
                       const StreamedRequest& request, const ComputeContext& compute);

}  // namespace headscope
