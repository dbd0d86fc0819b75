#pragma once
#include <stop_token>

#include "core/attention/attention_rule.h"
#include "core/attention/forward.h"

namespace headscope {

/// Rows of several heads [heads, n, d]: those of a head follow each other, heads are `stride` floats apart.
struct HeadRows {
  const float* data = nullptr;
  Index heads = 0, n = 0, d = 0, stride = 0;

  HeadRows() = default;
  HeadRows(const float* rows, Index head_count, Index row_count, Index width, Index head_stride)
      : data(rows), heads(head_count), n(row_count), d(width), stride(head_stride) {}
  explicit HeadRows(const Tensor& tensor)
      : HeadRows(tensor.data(), tensor.dim(0), tensor.dim(1), tensor.dim(2), tensor.dim(1) * tensor.dim(2)) {}
  const float* at(Index head) const { return data + head * stride; }
};

/// Attention of all heads by the rule, without storing a map: `context` [n_q, heads d] (Vaswani et al. 2017,
/// equation 1). Head h reads key-value head h kv_heads / heads. The same bits for any number of threads;
/// cells hidden by the rule cost no time. If stopped, the result is incomplete.
void attend_heads(const HeadRows& q, const HeadRows& k, const HeadRows& v, const AttentionRule& rule,
                  float* context, const ComputeContext& compute, const std::stop_token& stop = {});

/// Rows [begin, end) of one head's map [n_q, n_k] to `weights` [end - begin, n_k], unless it is nullptr;
/// cells that a query cannot see or that a mask with fill -infinity blocks are exactly 0. Also writes
/// `scores`, unless nullptr: scaled, with bias, before the mask, of all keys. Thread-safe.
void attention_rows(const HeadRows& q, const HeadRows& k, const AttentionRule& rule, Index head, Index begin,
                    Index end, float* weights, float* scores, const Kernels& kernels, BufferPool& memory);

}  // namespace headscope
