#include "core/attention/attend_heads.h"

#include <algorithm>
#include <array>
#include <mutex>
#include <utility>

#include "core/attention/visible_spans.h"
#include "core/base/matrix.h"
#include "core/base/round_up.h"
#include "core/base/stopped.h"

namespace headscope {
namespace {

// Rows of scores that are computed, normalized and multiplied with the values while they are in the cache.
constexpr Index max_block_rows = 56, min_block_rows = 12;
// Maps larger than this leave the L2 cache before they are read again; non-temporal stores then cost less
// than fetching the lines to overwrite, even including the time to read them back.
constexpr Index cached_bytes = Index{2} << 20;

/// Rows of q of one head, and the keys that any of them sees.
struct RowBlock {
  Index head = 0, first = 0, rows = 0;
  AttentionRule::Keys seen{};            // by the rule
  std::vector<ColumnSpan> parts{};       // those also visible by the mask: see visible_spans()
  bool in_parts = false;                 // whether keys outside the parts are skipped
  std::vector<std::uint8_t> mask_row{};  // scratch
};

/// What softmax_row() reads and writes beside the row of scores; nullptr: nothing.
struct RowMaps {
  float* scores = nullptr;
  float* weights = nullptr;
  const float* factors = nullptr;  // of dropout
  bool non_temporal = false;
};
struct RowTerms {
  SoftmaxTerms terms;
  const std::uint8_t* blocked = nullptr;  // of all keys; nullptr: none
};

/// Blocks of scores of heads and their softmax, as every way of reading a map computes them.
class ScoreBlocks {
 public:
  ScoreBlocks(const HeadRows& q, const HeadRows& k, const AttentionRule& rule, const Kernels& kernels)
      : q_(q), k_(k), rule_(rule), kernels_(kernels), stride_(round_up(k.n, kernels.panel) + kernels.panel) {}

  /// Row stride of scores: n_k rounded up to whole panels, plus one, since a power-of-two stride would cause
  /// conflicts in the L1 cache, and softmax pads to a full vector after any key.
  Index stride() const { return stride_; }
  Index kv_head(Index head) const { return head * k_.heads / q_.heads; }

  /// `whole`: all keys are needed, visible or not. A row that does not begin at the first key sums its
  /// weights from where it begins, not part by part.
  RowBlock block(Index head, Index first, Index end, bool whole) const {
    RowBlock block{head, first, end - first};
    block.seen = {0, k_.n};
    if (!whole)
      block.seen = {rule_.keys(rule_.first_query + first, k_.n).begin,
                    rule_.keys(rule_.first_query + end - 1, k_.n).end};
    block.parts = {{block.seen.begin, block.seen.end}};
    if (whole || rule_.window > 0 || rule_.mask == nullptr || !rule_.mask->any(static_cast<int>(head)))
      return block;
    block.parts = visible_spans(rule_.mask.get(), static_cast<int>(head), rule_.first_query + first,
                                rule_.first_query + end, rule_.fill, k_.n, kernels_);
    block.in_parts = !are_all(block.parts, k_.n);
    std::erase_if(block.parts, [&](const ColumnSpan& part) { return part.begin >= block.seen.end; });
    if (!block.parts.empty()) block.parts.back().end = std::min(block.parts.back().end, block.seen.end);
    return block;
  }

  /// Packs panels [first, last) of the head's keys.
  void pack(Index head, Index first, Index last, float* packed) const {
    const Index from = first * kernels_.panel, to = std::min(last * kernels_.panel, k_.n);
    kernels_.pack_rows(k_.at(kv_head(head)) + from * k_.d, k_.d, to - from, k_.d, packed);
  }

  /// Scaled scores with bias of the block's rows, for at least the keys of its parts. `packed` are the head's
  /// keys; nullptr: they are read only once, and packed to `some` a few panels at a time, which stay in the
  /// cache.
  static constexpr Index panels_at_once = 16;
  void score(const RowBlock& block, const float* packed, float* some, float* scores) const {
    const Index panel = kernels_.panel, d = q_.d;
    for_panels(block.parts, kernels_, [&](Index first, Index end) {
      const Index at_once = packed == nullptr ? panels_at_once : end - first;
      for (; first < end; first += at_once) {
        const Index last = std::min(first + at_once, end);
        if (packed == nullptr) pack(block.head, first, last, some);
        kernels_.multiply(q_.at(block.head) + block.first * d, d,
                          packed == nullptr ? some : packed + first * panel * d, nullptr, rule_.scale,
                          scores + first * panel, stride(), block.rows, d, last - first);
      }
    });
    for (Index r = 0; r < block.rows && rule_.own_keys; ++r)
      for (const ColumnSpan& part : block.parts)
        score_own_keys(rule_, rule_.first_query + block.first + r, kv_head(block.head),
                       q_.at(block.head) + (block.first + r) * d, d, part.begin, part.end,
                       scores + r * stride() + part.begin, kernels_);
    for (Index r = 0; r < block.rows && rule_.cap > 0; ++r)
      for (const ColumnSpan& part : block.parts)
        rule_.apply_cap(scores + r * stride() + part.begin, part.end - part.begin);
    for (Index r = 0; r < block.rows && rule_.positions; ++r)
      for (const ColumnSpan& part : block.parts)
        rule_.positions->add(block.head, block.first + r, rule_.first_query + block.first + r, part.begin,
                             part.end, scores + r * stride() + part.begin, kernels_);
    for (Index r = 0; r < block.rows && rule_.repeated.keys > 0; ++r)
      for (const ColumnSpan& part : block.parts)
        rule_.add_repeats(rule_.first_query + block.first + r, part.begin, part.end,
                          scores + r * stride() + part.begin);
    if (rule_.bias.empty()) return;
    for (Index r = 0; r < block.rows; ++r)
      for (const ColumnSpan& part : block.parts)
        RowSpan(scores + r * stride() + part.begin, part.end - part.begin) +=
            RowView(rule_.bias_row(block.head, rule_.first_query + block.first + r) + part.begin,
                    part.end - part.begin);
  }

  /// Converts row r of a block of scores to softmax terms in place, after dropout, for the keys in the
  /// block's parts; these are extended to all keys that the rule allows if blocked keys have weights, too.
  RowTerms softmax_row(RowBlock& block, Index r, float* scores, const RowMaps& maps) const {
    const Index query = rule_.first_query + block.first + r, n_k = k_.n;
    float* const row = scores + r * stride();
    const auto [begin, end] = rule_.keys(query, n_k);
    RowTerms result;
    if (rule_.mask != nullptr)
      result.blocked = rule_.mask->blocked_row(static_cast<int>(block.head), query, block.mask_row);
    SoftmaxTerms& terms = result.terms;
    if (!block.in_parts || !softmax_parts(block, end, row, result.blocked, maps.weights, terms)) {
      if (block.in_parts) {
        for (Index other = 0; other < block.rows; ++other)
          if (other != r) clear_outside(block.parts, block.seen.end, scores + other * stride());
        block.parts = {{block.seen.begin, block.seen.end}};
        block.in_parts = false;
      }
      terms = kernels_.softmax(row + begin, result.blocked == nullptr ? nullptr : result.blocked + begin,
                               rule_.fill, rule_.inverse_temperature, rule_.sink(block.head), end - begin,
                               maps.scores, maps.weights == nullptr ? nullptr : maps.weights + begin,
                               maps.non_temporal);
    }
    std::fill(row + block.seen.begin, row + begin, 0.0F);
    std::fill(row + end, row + block.seen.end, 0.0F);
    if (maps.weights != nullptr) {
      std::fill(maps.weights, maps.weights + begin, 0.0F);
      std::fill(maps.weights + end, maps.weights + n_k, 0.0F);
    }
    if (maps.factors == nullptr) return result;
    clear_outside(block.parts, n_k, row);
    for (Index j = 0; j < n_k; ++j) row[j] = row[j] * terms.share * maps.factors[j];
    if (maps.weights != nullptr) std::copy_n(row, n_k, maps.weights);
    terms.share = 1;
    return result;
  }

 private:
  // False if blocked keys have weights, too: then the row needs all keys.
  bool softmax_parts(RowBlock& block, Index end, float* row, const std::uint8_t* blocked, float* weights,
                     SoftmaxTerms& terms) const {
    const auto count =
        std::ranges::count_if(block.parts, [&](const ColumnSpan& part) { return part.begin < end; });
    Index none = 0;
    Index& last = count > 0 ? block.parts[count - 1].end : none;
    const Index whole = std::exchange(last, std::min(last, end));
    const bool done =
        kernels_.softmax_parts(row, blocked, rule_.fill, rule_.inverse_temperature, rule_.sink(block.head),
                               end, block.parts.data(), count, weights, &terms);
    last = whole;
    return done;
  }

  const HeadRows &q_, &k_;
  const AttentionRule& rule_;
  const Kernels& kernels_;
  const Index stride_;
};

/// One call of attend_heads(), as its threads see it.
class HeadsPass {
 public:
  HeadsPass(const HeadRows& q, const HeadRows& k, const HeadRows& v, const AttentionRule& rule,
            const MapRequest& request, LayerTrace& trace, const ComputeContext& compute)
      : q_(q),
        k_(k),
        v_(v),
        rule_(rule),
        request_(request),
        trace_(trace),
        compute_(compute),
        kernels_(compute.kernels),
        blocks_(q, k, rule, compute.kernels),
        key_size_(packed_size(kernels_, k.n, k.d)),
        kept_(q.heads, -1) {
    const auto all = all_heads(static_cast<int>(q.heads));
    trace.kept_heads = request.keep_heads.value_or(all);
    heads_ = request.maps_alone ? trace.kept_heads : all;
    const Index kept = std::ssize(trace.kept_heads), maps = kept * (request.keep_scores ? 2 : 1);
    for (Index i = 0; i < kept; ++i) kept_[trace.kept_heads[i]] = i;
    non_temporal_ = maps * q.n * k.n * static_cast<Index>(sizeof(float)) > cached_bytes;
    Index count = divide_up(q.n, max_block_rows);
    // Enough pieces so that no thread waits long for the last one.
    while (q.n >= 2 * count * min_block_rows && q.heads * count < 4 * compute.threads.size()) count *= 2;
    rows_ = divide_up(q.n, count);
    count_ = divide_up(q.n, rows_);
    BufferPool& memory = compute.memory;
    if (kept > 0) {
      if (request.keep_scores) trace.scores = memory.take({kept, q.n, k.n});
      trace.weights = memory.take({kept, q.n, k.n});
    }
    if (!request.maps_alone) trace.context = memory.take({q.n, q.heads * v.d});
    if (request.only_query && !request.maps_alone)
      std::fill_n(trace.context.data(), trace.context.size(), 0.0F);
    if (heads_.empty()) return;
    packed_ = memory.take({k.heads, key_size_ + packed_size(kernels_, v.d, k.n)});
    scratch_ = memory.take({compute.threads.size(), rows_ * (blocks_.stride() + kernels_.panel)});
    extents_.resize(q.heads * count_);
  }

  void run(const std::stop_token& stop) {
    if (heads_.empty()) return;
    // If one piece is a whole head, it packs its own keys and values, which saves a barrier.
    const bool by_head = count_ == 1 && q_.heads == k_.heads;
    if (!by_head)
      compute_.threads.run(2 * k_.heads, ThreadPool::Schedule::dynamic,
                           [&](Index piece, int) { pack(piece / 2, piece % 2 == 0, piece % 2 == 1); });
    const Index heads = std::ssize(heads_), pieces = heads * count_;
    std::mutex progress;
    Index done = 0;
    compute_.threads.run(pieces, by_head ? ThreadPool::Schedule::affinity : ThreadPool::Schedule::dynamic,
                         [&](Index piece, int thread) {
                           if (stop_requested(stop)) return;
                           // If rows grow, the longest first: the last pieces should be short.
                           const Index number = rule_.causal ? count_ - 1 - piece / heads : piece % count_;
                           const int head = heads_[rule_.causal ? piece % heads : piece / count_];
                           if (request_.only_query && *request_.only_query / rows_ != number) return;
                           if (by_head) pack(head, true, true);
                           attend_block(head, number, scratch_.at(thread));
                           if (!request_.progress) return;
                           const std::lock_guard lock(progress);
                           request_.progress(++done, pieces);
                         });
    for (const int head : trace_.kept_heads) {
      Extent& all = trace_.extents.emplace_back();
      for (Index number = 0; number < count_; ++number) all.extend(extent_of(head, number));
    }
  }

 private:
  Extent& extent_of(Index head, Index number) { return extents_[head * count_ + number]; }

  void pack(Index kv, bool keys, bool values) {
    if (keys) kernels_.pack_rows(k_.at(kv), k_.d, k_.n, k_.d, packed_.at(kv));
    if (values && !request_.maps_alone)
      kernels_.pack_columns(v_.at(kv), v_.d, k_.n, v_.d, packed_.at(kv) + key_size_);
  }

  void attend_block(Index head, Index number, float* scores) {
    const Index first = number * rows_, end = std::min(q_.n, first + rows_), n_k = k_.n;
    const Index kept = kept_[head];
    RowBlock block = blocks_.block(head, first, end, kept >= 0 && request_.keep_scores);
    const float* const packed = packed_.at(blocks_.kv_head(head));
    blocks_.score(block, packed, nullptr, scores);
    std::vector<float> factors;
    if (rule_.dropout) {
      factors.resize(block.rows * n_k);
      rule_.dropout(head, first, end, factors.data());
    }
    std::array<float, max_block_rows> shares{};
    for (Index r = 0; r < block.rows; ++r) {
      const auto row_of = [&](Tensor& maps) {
        return kept < 0 || maps.empty() ? nullptr : maps.at(kept) + (first + r) * n_k;
      };
      const RowMaps maps{row_of(trace_.scores), row_of(trace_.weights),
                         factors.empty() ? nullptr : factors.data() + r * n_k, non_temporal_};
      const RowTerms row = blocks_.softmax_row(block, r, scores, maps);
      shares[r] = row.terms.share;
      if (maps.weights != nullptr)
        extent_of(head, number).extend(extent(row, scores + r * blocks_.stride(), maps));
    }
    kernels_.store_fence();
    if (!request_.maps_alone)
      multiply_values(block, scores, shares.data(), packed + key_size_, scores + rows_ * blocks_.stride());
  }

  // Of the weights of a row that are not blocked.
  Extent extent(const RowTerms& row, const float* terms, const RowMaps& maps) const {
    const float share = row.terms.share;
    if (row.blocked == nullptr && maps.factors == nullptr && std::isfinite(share))
      return {row.terms.min_weight,
              rule_.sinks.empty() ? share : *std::max_element(maps.weights, maps.weights + k_.n)};
    Extent extent = weight_extent(terms, row.blocked, k_.n, rule_.fill);
    if (extent.any()) extent = {extent.low * share, extent.high * share};
    return extent;
  }

  // The last columns, if they are no whole panel, go through a tile.
  void multiply_values(const RowBlock& block, const float* terms, const float* shares, const float* packed,
                       float* tile) {
    const Index d = v_.d, all = q_.heads * d, panel = kernels_.panel, whole = d / panel;
    float* const context = trace_.context.data() + block.first * all + block.head * d;
    const auto multiply = [&](Index first, Index panels, float* to, Index ld) {
      kernels_.multiply_parts(terms, blocks_.stride(), packed + first * panel * k_.n, shares, to, ld,
                              block.rows, k_.n, block.parts.data(), std::ssize(block.parts), panels);
    };
    multiply(0, whole, context, all);
    if (whole * panel != d) {
      multiply(whole, 1, tile, panel);
      for (Index r = 0; r < block.rows; ++r)
        std::copy_n(tile + r * panel, d - whole * panel, context + r * all + whole * panel);
    }
    for (Index r = 0; r < block.rows && rule_.own_keys; ++r)
      multiply_own_values(block, r, terms + r * blocks_.stride(), shares[r], context + r * all);
  }

  // What a query with values of its own gives, in place of what it would with those of all.
  void multiply_own_values(const RowBlock& block, Index r, const float* terms, float share, float* to) const {
    const OwnKeys* const own = rule_.own_keys_of(rule_.first_query + block.first + r);
    if (own == nullptr) return;
    const Index d = v_.d;
    const MatrixView values = as_matrix(own->v, blocks_.kv_head(block.head));
    RowSpan sum(to, d);
    sum.setZero();
    for (const ColumnSpan& part : block.parts) {
      const Index count = part.end - part.begin;
      sum += share *
             (values.middleRows(part.begin, count).transpose() * RowView(terms + part.begin, count).matrix())
                 .array();
    }
  }

  const HeadRows &q_, &k_, &v_;
  const AttentionRule& rule_;
  const MapRequest& request_;
  LayerTrace& trace_;
  const ComputeContext& compute_;
  const Kernels& kernels_;
  const ScoreBlocks blocks_;
  const Index key_size_;
  bool non_temporal_ = false;
  std::vector<int> heads_;       // computed heads
  std::vector<Index> kept_;      // per head, the index of its maps in the trace, or -1
  std::vector<Extent> extents_;  // of each block of rows of each head
  Index rows_ = 1, count_ = 1;   // rows of a block, blocks of a head
  Tensor packed_;                // [kv_heads, keys' and values' panels]
  Tensor scratch_;               // [threads, rows of scores and a tile of context]
};

// A single query reads each key and value once: nothing is packed.
Tensor attend_one(const HeadRows& q, const HeadRows& k, const HeadRows& v, const AttentionRule& rule,
                  const ComputeContext& compute) {
  const Kernels& kernels = compute.kernels;
  const ScoreBlocks blocks(q, k, rule, kernels);
  Tensor context = compute.memory.take({1, q.heads * v.d});
  Tensor scratch = compute.memory.take({compute.threads.size(), blocks.stride()});
  compute.threads.run(q.heads, ThreadPool::Schedule::affinity, [&](Index head, int thread) {
    float* const row = scratch.at(thread);
    const Index kv = blocks.kv_head(head);
    RowBlock block{head, 0, 1, rule.keys(rule.first_query, k.n)};
    const Index begin = block.seen.begin, keys = block.seen.end - begin;
    const OwnKeys* const own = rule.own_keys_of(rule.first_query);
    const float *const of_keys = own ? own->k.at(kv) : k.at(kv), *const values =
                                                                     own ? own->v.at(kv) : v.at(kv);
    kernels.dot(of_keys + begin * k.d, k.d, keys, k.d, q.at(head), row + begin);
    RowSpan seen(row + begin, keys);
    seen *= rule.scale;
    rule.apply_cap(row + begin, keys);
    if (rule.positions)
      rule.positions->add(head, 0, rule.first_query, begin, begin + keys, row + begin, kernels);
    rule.add_repeats(rule.first_query, begin, begin + keys, row + begin);
    if (!rule.bias.empty()) seen += RowView(rule.bias_row(head, rule.first_query) + begin, keys);
    const float share = blocks.softmax_row(block, 0, row, {}).terms.share;
    RowSpan sum(context.data() + head * v.d, v.d);
    kernels.combine(values + begin * v.d, v.d, keys, v.d, row + begin, sum.data());
    sum *= share;
  });
  return context;
}

}  // namespace

void PositionTerms::add_products(Index head, Index row, Index query, Index begin, Index end, float* scores,
                                 const Kernels& kernels, Index step) const {
  constexpr Index at_once = 256;
  std::array<float, at_once> products{};
  if (first_apart && query == 0) return;
  if (first_apart && begin == 0) {
    begin += step;
    ++scores;
  }
  const Index d = vectors.dim(2), first = zero - keys_of_query * query;
  for (Index key = begin; key < end; key += at_once * step, scores += at_once) {
    const Index count = std::min(at_once, divide_up(end - key, step));
    kernels.dot(vectors.at(head) + (key + first) * d, step * d, count, d, queries.at(head) + row * d,
                products.data());
    RowSpan(scores, count) += RowView(products.data(), count);
  }
}

void PositionTerms::add(Index head, Index row, Index query, Index begin, Index end, float* scores,
                        const Kernels& kernels, Index step) const {
  if (!vectors.empty()) {
    add_products(head, row, query, begin, end, scores, kernels, step);
    for (Index key = begin; key < end && !segments.empty(); key += step)
      *scores++ += of_segment(head, row, query, key);
    return;
  }
  for (Index key = begin; key < end; key += step)
    *scores++ += of_query(head, row, query, key) + of_key(head, query, key);
}

void score_own_keys(const AttentionRule& rule, Index query, Index kv_head, const float* q, Index d,
                    Index begin, Index end, float* scores, const Kernels& kernels, Index step) {
  const OwnKeys* const own = rule.own_keys_of(query);
  if (own == nullptr || begin >= end) return;
  const Index count = divide_up(end - begin, step);
  kernels.dot(own->k.at(kv_head) + begin * d, step * d, count, d, q, scores);
  RowSpan(scores, count) *= rule.scale;
}

void attend_heads(const HeadRows& q, const HeadRows& k, const HeadRows& v, const AttentionRule& rule,
                  const MapRequest& request, LayerTrace& trace, const ComputeContext& compute,
                  const std::stop_token& stop) {
  HeadsPass(q, k, v, rule, request, trace, compute).run(stop);
}

Tensor attend_heads(const HeadRows& q, const HeadRows& k, const HeadRows& v, const AttentionRule& rule,
                    const ComputeContext& compute, const std::stop_token& stop) {
  const ProfiledStep profiled(compute, ComputeStep::attention);
  if (q.n == 1) return attend_one(q, k, v, rule, compute);
  LayerTrace trace;
  MapRequest context_alone;
  context_alone.keep_heads.emplace();
  attend_heads(q, k, v, rule, context_alone, trace, compute, stop);
  return trace.context;
}

void attention_rows(const HeadRows& q, const HeadRows& k, const AttentionRule& rule, Index head, Index begin,
                    Index end, float* weights, float* scores, const Kernels& kernels, BufferPool& memory,
                    float* no_token) {
  const ScoreBlocks blocks(q, k, rule, kernels);
  const Index n_k = k.n;
  const bool whole = scores != nullptr, once = end - begin <= max_block_rows;
  Tensor packed =
      memory.take({packed_size(kernels, once ? ScoreBlocks::panels_at_once * kernels.panel : n_k, k.d)});
  Tensor scratch = memory.take({std::min(max_block_rows, end - begin), blocks.stride()});
  Tensor factors;
  if (!once)
    for_panels(blocks.block(head, begin, end, whole).parts, kernels, [&](Index first, Index last) {
      blocks.pack(head, first, last, packed.data() + first * kernels.panel * k.d);
    });
  if (rule.dropout && weights != nullptr) {
    factors = memory.take({end - begin, n_k});
    rule.dropout(head, begin, end, factors.data());
  }
  for (Index first = begin; first < end; first += max_block_rows) {
    RowBlock block = blocks.block(head, first, std::min(end, first + max_block_rows), whole);
    blocks.score(block, once ? nullptr : packed.data(), packed.data(), scratch.data());
    for (Index r = 0; r < block.rows; ++r) {
      const Index row = first - begin + r;
      if (scores != nullptr) std::copy_n(scratch.at(r), n_k, scores + row * n_k);
      if (weights == nullptr) continue;
      const RowTerms terms = blocks.softmax_row(
          block, r, scratch.data(),
          {nullptr, weights + row * n_k, factors.empty() ? nullptr : factors.at(row), false});
      if (no_token != nullptr) no_token[row] = terms.terms.no_token;
    }
  }
}

}  // namespace headscope
