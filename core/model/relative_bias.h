#pragma once
#include "core/base/tensor.h"

namespace headscope {

/// T5's buckets of distances (Raffel et al. 2020): near ones have their own, farther ones share buckets of
/// increasing size; `two_sided` uses half of them for keys after the query, otherwise those count as distance
/// 0.
Index relative_bucket(Index key_minus_query, bool two_sided, Index buckets, Index max_distance);

/// The bias from `table` [buckets, heads] by key - query from 1 - n_q to n_k - 1: [heads, n_q + n_k - 1].
Tensor relative_bias(const Tensor& table, Index n_q, Index n_k, bool two_sided, Index max_distance);

}  // namespace headscope
