#include "core/attention/attend_heads.h"

#include <algorithm>
#include <array>
#include <vector>

#include "core/attention/visible_spans.h"
#include "core/base/matrix.h"

namespace headscope {
namespace {

// Rows of scores that are computed, normalized and multiplied with the values while they are in the cache.
constexpr Index max_rows = 48;

Index whole_panels(Index n, const Kernels& kernels) {
  return (n + kernels.panel - 1) / kernels.panel * kernels.panel;
}
// Floats from one row of scores to the next: softmax pads to a full vector after any key.
Index score_stride(Index n_k, const Kernels& kernels) {
  return whole_panels(n_k, kernels) + kernels.panel;
}
Index kv_head(const HeadRows& q, const HeadRows& k, Index head) {
  return head * k.heads / q.heads;
}

// Where a query's bias begins, to be added from key 0 on.
const float* bias_row(const AttentionRule& rule, Index head, Index query) {
  return rule.bias.at(head) + rule.bias_zero - query;
}

/// Rows [begin, end) of q of one head, and the keys that any of them sees.
struct RowBlock {
  Index head = 0, begin = 0, end = 0;
  AttentionRule::Keys seen{};       // by the rule
  std::vector<ColumnSpan> parts{};  // those also visible by the mask: see visible_spans()
  bool in_parts = false;            // whether keys outside the parts are skipped

  Index rows() const { return end - begin; }
};

// `whole`: all keys are needed, visible or not. A row that does not begin at the first key sums its weights
// from where it begins, not part by part.
RowBlock row_block(const AttentionRule& rule, Index head, Index begin, Index end, Index n_k, bool whole,
                   const Kernels& kernels) {
  RowBlock block{head, begin, end};
  if (whole)
    block.seen = {0, n_k};
  else
    block.seen = {rule.keys(rule.first_query + begin, n_k).begin,
                  rule.keys(rule.first_query + end - 1, n_k).end};
  block.parts = {{block.seen.begin, block.seen.end}};
  if (whole || rule.window > 0 || rule.mask == nullptr || !rule.mask->any(static_cast<int>(head)))
    return block;
  block.parts = visible_spans(rule.mask.get(), static_cast<int>(head), rule.first_query + begin,
                              rule.first_query + end, rule.fill, n_k, kernels);
  block.in_parts = !are_all(block.parts, n_k);
  std::erase_if(block.parts, [&](const ColumnSpan& part) { return part.begin >= block.seen.end; });
  if (!block.parts.empty()) block.parts.back().end = std::min<long>(block.parts.back().end, block.seen.end);
  return block;
}

// Scaled scores with bias of the block's rows, for at least the keys of its parts; `packed` are these keys.
void score_block(const HeadRows& q, Index n_k, const float* packed, const AttentionRule& rule,
                 const RowBlock& block, const Kernels& kernels, float* scores) {
  const Index stride = score_stride(n_k, kernels);
  for_panels(block.parts, kernels, [&](Index first, Index end) {
    kernels.multiply(q.at(block.head) + block.begin * q.d, q.d, packed + first * kernels.panel * q.d, nullptr,
                     rule.scale, scores + first * kernels.panel, stride, block.rows(), q.d, end - first);
  });
  if (rule.bias.empty()) return;
  for (Index row = block.begin; row < block.end; ++row)
    for (const ColumnSpan& part : block.parts)
      RowSpan(scores + (row - block.begin) * stride + part.begin, part.end - part.begin) +=
          RowView(bias_row(rule, block.head, rule.first_query + row) + part.begin, part.end - part.begin);
}

// Converts one row of scores [n_k] to softmax terms in place, and writes the weights of visible keys to
// `weights` unless it is nullptr. Returns the terms' share: see SoftmaxTerms.
float softmax(const AttentionRule& rule, Index head, Index query, Index n_k, const Kernels& kernels,
              float* row, float* weights) {
  const auto [begin, end] = rule.keys(query, n_k);
  std::vector<std::uint8_t> scratch;
  const std::uint8_t* blocked =
      rule.mask == nullptr ? nullptr : rule.mask->blocked_row(static_cast<int>(head), query, scratch);
  if (blocked != nullptr) blocked += begin;
  return kernels
      .softmax(row + begin, blocked, rule.fill, rule.inverse_temperature, end - begin, nullptr,
               weights == nullptr ? nullptr : weights + begin, false)
      .share;
}

// The same for a block in parts, bit-identical. Returns false if blocked keys have weights, too: then the row
// needs all keys.
bool softmax_in_parts(const AttentionRule& rule, const RowBlock& block, Index query, Index n_k,
                      const Kernels& kernels, float* row, float* weights, float& share) {
  const Index end = rule.keys(query, n_k).end;
  std::vector<ColumnSpan> parts = block.parts;
  std::erase_if(parts, [&](const ColumnSpan& part) { return part.begin >= end; });
  if (!parts.empty()) parts.back().end = std::min<long>(parts.back().end, end);
  std::vector<std::uint8_t> scratch;
  const std::uint8_t* blocked = rule.mask->blocked_row(static_cast<int>(block.head), query, scratch);
  if (kernels.softmax_parts(row, blocked, rule.fill, rule.inverse_temperature, end, parts.data(),
                            std::ssize(parts), weights, &share))
    return true;
  share = softmax(rule, block.head, query, n_k, kernels, row, weights);
  return false;
}

// Converts a block of scores [rows, stride] to terms in place, with their `shares`, for the keys in its
// parts; the parts are extended to all keys allowed by the rule if blocked keys have weights, too.
void softmax_block(const AttentionRule& rule, Index n_k, const Kernels& kernels, RowBlock& block,
                   float* scores, float* shares) {
  const Index stride = score_stride(n_k, kernels);
  const std::vector<ColumnSpan> parts = block.parts;
  for (Index r = 0; r < block.rows(); ++r) {
    const Index query = rule.first_query + block.begin + r;
    float* const row = scores + r * stride;
    const bool was_in_parts = block.in_parts;
    if (!block.in_parts)
      shares[r] = softmax(rule, block.head, query, n_k, kernels, row, nullptr);
    else if (!softmax_in_parts(rule, block, query, n_k, kernels, row, nullptr, shares[r]))
      block.in_parts = false;
    if (was_in_parts && !block.in_parts)
      for (Index other = 0; other < block.rows(); ++other)
        if (other != r) clear_outside(parts, block.seen.end, scores + other * stride);
    const auto [begin, end] = rule.keys(query, n_k);
    std::fill(row + block.seen.begin, row + begin, 0.0F);
    std::fill(row + end, row + block.seen.end, 0.0F);
  }
  if (!block.in_parts) block.parts = {{block.seen.begin, block.seen.end}};
}

/// One call of attend_heads with several queries, as its threads see it.
class ActiveHeads {
 public:
  ActiveHeads(const HeadRows& q, const HeadRows& k, const HeadRows& v, const AttentionRule& rule,
              float* context, const ComputeContext& compute)
      : q_(q),
        k_(k),
        v_(v),
        rule_(rule),
        context_(context),
        compute_(compute),
        kernels_(compute.kernels),
        key_size_(packed_size(kernels_, k.n, k.d)),
        value_size_(packed_size(kernels_, v.d, k.n)),
        stride_(score_stride(k.n, kernels_)) {
    const Index blocks = (q.n + max_rows - 1) / max_rows;
    rows_ = (q.n + blocks - 1) / blocks;
    blocks_ = (q.n + rows_ - 1) / rows_;
    packed_ = compute.memory.take({k.heads, key_size_ + value_size_});
    scratch_ = compute.memory.take({compute.threads.size(), rows_ * (stride_ + whole_panels(v.d, kernels_))});
  }

  void run(const std::stop_token& stop) {
    compute_.threads.run(2 * k_.heads, ThreadPool::Schedule::dynamic, [&](Index piece, int) {
      const Index head = piece / 2;
      if (piece % 2 == 0)
        kernels_.pack_rows(k_.at(head), k_.d, k_.n, k_.d, packed_.at(head));
      else
        kernels_.pack_columns(v_.at(head), v_.d, k_.n, v_.d, packed_.at(head) + key_size_);
    });
    // Longest rows first, if rows grow: the last pieces should be short.
    compute_.threads.run(q_.heads * blocks_, ThreadPool::Schedule::dynamic, [&](Index piece, int thread) {
      if (stop.stop_requested()) return;
      const Index block = blocks_ - 1 - piece / q_.heads;
      attend_block(row_block(rule_, piece % q_.heads, block * rows_, std::min(q_.n, (block + 1) * rows_),
                             k_.n, false, kernels_),
                   scratch_.at(thread));
    });
  }

 private:
  void attend_block(RowBlock block, float* scores) const {
    const float* packed = packed_.at(kv_head(q_, k_, block.head));
    score_block(q_, k_.n, packed, rule_, block, kernels_, scores);
    std::array<float, max_rows> shares{};
    softmax_block(rule_, k_.n, kernels_, block, scores, shares.data());
    multiply_values(block, scores, shares.data(), packed + key_size_, scores + rows_ * stride_);
  }

  void multiply_values(const RowBlock& block, const float* terms, const float* shares, const float* packed,
                       float* tile) const {
    const Index d = v_.d, all = q_.heads * d, rows = block.rows();
    float* context = context_ + block.begin * all + block.head * d;
    for (Index first = 0; first < d; first += kernels_.panel) {
      const bool whole = first + kernels_.panel <= d;
      kernels_.multiply_parts(terms, stride_, packed + first * k_.n, shares, whole ? context + first : tile,
                              whole ? all : kernels_.panel, rows, k_.n, block.parts.data(),
                              std::ssize(block.parts), 1);
      if (whole) continue;
      for (Index r = 0; r < rows; ++r)
        std::copy_n(tile + r * kernels_.panel, d - first, context + r * all + first);
    }
  }

  const HeadRows &q_, &k_, &v_;
  const AttentionRule& rule_;
  float* context_;
  const ComputeContext& compute_;
  const Kernels& kernels_;
  const Index key_size_, value_size_, stride_;
  Index rows_ = 1, blocks_ = 1;
  Tensor packed_;   // [kv_heads, keys' and values' panels]
  Tensor scratch_;  // [threads, rows of scores and a tile of context]
};

// A single query reads each key and value once: nothing is packed.
void attend_one(const HeadRows& q, const HeadRows& k, const HeadRows& v, const AttentionRule& rule,
                float* context, const ComputeContext& compute) {
  const Kernels& kernels = compute.kernels;
  const auto [begin, end] = rule.keys(rule.first_query, k.n);
  const Index keys = end - begin, first_key = begin;
  Tensor scratch = compute.memory.take({compute.threads.size(), score_stride(k.n, kernels)});
  compute.threads.run(q.heads, ThreadPool::Schedule::affinity, [&](Index head, int thread) {
    float* row = scratch.at(thread);
    const Index kv = kv_head(q, k, head);
    kernels.dot(k.at(kv) + first_key * k.d, k.d, keys, k.d, q.at(head), row + first_key);
    RowSpan seen(row + first_key, keys);
    seen *= rule.scale;
    if (!rule.bias.empty()) seen += RowView(bias_row(rule, head, rule.first_query) + first_key, keys);
    const float share = softmax(rule, head, rule.first_query, k.n, kernels, row, nullptr);
    kernels.combine(v.at(kv) + first_key * v.d, v.d, keys, v.d, row + first_key, context + head * v.d);
    RowSpan(context + head * v.d, v.d) *= share;
  });
}

}  // namespace

void attend_heads(const HeadRows& q, const HeadRows& k, const HeadRows& v, const AttentionRule& rule,
                  float* context, const ComputeContext& compute, const std::stop_token& stop) {
  const ProfiledStep profiled(compute, ComputeStep::attention);
  if (q.n == 1) return attend_one(q, k, v, rule, context, compute);
  ActiveHeads(q, k, v, rule, context, compute).run(stop);
}

void attention_rows(const HeadRows& q, const HeadRows& k, const AttentionRule& rule, Index head, Index begin,
                    Index end, float* weights, float* scores, const Kernels& kernels, BufferPool& memory) {
  const Index n_k = k.n, stride = score_stride(n_k, kernels);
  Tensor packed = memory.take({packed_size(kernels, n_k, k.d)});
  Tensor scratch = memory.take({std::min(max_rows, end - begin), stride});
  for_panels(row_block(rule, head, begin, end, n_k, scores != nullptr, kernels).parts, kernels,
             [&](Index first, Index last) {
               const Index from = first * kernels.panel, to = std::min(last * kernels.panel, n_k);
               kernels.pack_rows(k.at(kv_head(q, k, head)) + from * k.d, k.d, to - from, k.d,
                                 packed.data() + from * k.d);
             });
  for (Index first = begin; first < end; first += max_rows) {
    const RowBlock block =
        row_block(rule, head, first, std::min(end, first + max_rows), n_k, scores != nullptr, kernels);
    score_block(q, n_k, packed.data(), rule, block, kernels, scratch.data());
    for (Index row = block.begin; row < block.end; ++row) {
      float* const values = scratch.at(row - block.begin);
      if (scores != nullptr) std::copy_n(values, n_k, scores + (row - begin) * n_k);
      if (weights == nullptr) continue;
      const Index query = rule.first_query + row;
      float* const out = weights + (row - begin) * n_k;
      const auto [from, to] = rule.keys(query, n_k);
      std::fill(out, out + from, 0.0F);
      std::fill(out + to, out + n_k, 0.0F);
      float share = 0;
      if (block.in_parts)
        softmax_in_parts(rule, block, query, n_k, kernels, values, out, share);
      else
        softmax(rule, head, query, n_k, kernels, values, out);
    }
  }
}

}  // namespace headscope
