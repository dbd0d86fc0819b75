#include "core/attention/forward.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <mutex>
#include <vector>

#include "core/attention/equation.h"
#include "core/attention/projection.h"
#include "core/attention/visible_spans.h"
#include "core/base/round_up.h"

namespace headscope {
namespace {

// Rows of scores that are computed, normalized and multiplied with the values while they are in the cache.
constexpr Index max_block_rows = 56, fewest_rows = 12;
// Maps larger than this leave the L2 cache before they are read again; non-temporal stores then cost less
// than fetching the lines to overwrite, even including the time to read them back.
constexpr Index cached_bytes = Index{2} << 20;

// One call of attend(), as its threads see it.
class Attention {
 public:
  Attention(const PackedLayer& layer, const AttentionRequest& request, const ComputeContext& context)
      : layer_(layer),
        request_(request),
        context_(context),
        n_q_(request.x.dim(0)),
        n_k_(request.key_x.dim(0)),
        d_k_(layer.q.out / request.heads),
        padded_(to_panels(n_k_) + context.kernels.panel),
        key_panels_(packed_size(context.kernels, n_k_, d_k_)),
        value_panels_(packed_size(context.kernels, d_k_, n_k_)),
        kept_(static_cast<std::size_t>(request.heads), -1) {
    trace_.kept_heads = request.keep_heads.value_or(all_heads(request.heads));
    heads_ = request.maps_alone ? trace_.kept_heads : all_heads(request.heads);
    for (std::size_t i = 0; i < trace_.kept_heads.size(); ++i)
      kept_[static_cast<std::size_t>(trace_.kept_heads[i])] = static_cast<Index>(i);
    const Index maps = std::ssize(trace_.kept_heads) * (request.keep_scores ? 2 : 1);
    non_temporal_ = maps * n_q_ * n_k_ * static_cast<Index>(sizeof(float)) > cached_bytes;
    Index blocks = (n_q_ + max_block_rows - 1) / max_block_rows;
    // Enough pieces so that no thread waits long for the last one.
    while (n_q_ >= 2 * blocks * fewest_rows && request.heads * blocks < 4 * context.threads.size())
      blocks *= 2;
    rows_ = (n_q_ + blocks - 1) / blocks;
  }

  LayerTrace run() {
    allocate();
    if (!request_.projected) project_all();
    attend_all();
    if (!request_.maps_alone) trace_.output = apply_linear(layer_.o, trace_.context, context_, request_.stop);
    return std::move(trace_);
  }

 private:
  Index to_panels(Index n) const { return round_up(n, context_.kernels.panel); }

  void allocate() {
    BufferPool& memory = context_.memory;
    trace_.x = request_.x;
    if (request_.projected) {
      trace_.q = request_.projected->q;
      trace_.k = request_.projected->k;
      trace_.v = request_.projected->v;
    } else {
      trace_.q = memory.take({request_.heads, n_q_, d_k_});
      trace_.k = memory.take({request_.kv_heads, n_k_, d_k_});
      trace_.v = memory.take({request_.kv_heads, n_k_, d_k_});
    }
    if (const Index kept = std::ssize(trace_.kept_heads); kept > 0) {
      if (request_.keep_scores) trace_.scores = memory.take({kept, n_q_, n_k_});
      trace_.weights = memory.take({kept, n_q_, n_k_});
    }
    if (!request_.maps_alone) trace_.context = memory.take({n_q_, request_.heads * d_k_});
    if (request_.only_query && !request_.maps_alone)
      std::fill_n(trace_.context.data(), trace_.context.size(), 0.0F);
    if (heads_.empty()) return;
    packed_ = memory.take({request_.kv_heads, key_panels_ + value_panels_});
    scratch_ = memory.take({context_.threads.size(), rows_ * padded_ + rows_ * to_panels(d_k_)});
  }

  void project_all() {
    const std::vector<Projection> projections{
        {&layer_.q, request_.x.data(), trace_.q.data(), n_q_, request_.heads, request_.gain_q},
        {&layer_.k, request_.key_x.data(), trace_.k.data(), n_k_, request_.kv_heads, request_.gain_k},
        {&layer_.v, request_.key_x.data(), trace_.v.data(), n_k_, request_.kv_heads, 1}};
    project(projections, context_, request_.stop);
  }

  void attend_all() {
    if (heads_.empty()) return;
    const Index blocks = (n_q_ + rows_ - 1) / rows_;
    block_extents_.resize(static_cast<std::size_t>(request_.heads * blocks));
    // If one piece is a whole head, it packs its own keys and values, which saves a barrier.
    const bool by_head = blocks == 1 && request_.heads == request_.kv_heads;
    if (!by_head)
      context_.threads.run(2 * request_.kv_heads, ThreadPool::Schedule::dynamic,
                           [&](Index piece, int) { pack(piece / 2, piece % 2 == 0, piece % 2 == 1); });
    std::mutex progress;
    Index done = 0;
    context_.threads.run(std::ssize(heads_) * blocks,
                         by_head ? ThreadPool::Schedule::affinity : ThreadPool::Schedule::dynamic,
                         [&](Index piece, int thread) {
                           if (request_.stop.stop_requested()) return;
                           const Index head = heads_[static_cast<std::size_t>(piece / blocks)];
                           const Index block = piece % blocks;
                           if (request_.only_query && *request_.only_query / rows_ != block) return;
                           if (by_head) pack(head, true, true);
                           attend_block(head, block * rows_, thread,
                                        block_extents_[static_cast<std::size_t>(head * blocks + block)]);
                           if (!request_.progress) return;
                           const std::lock_guard lock(progress);
                           request_.progress(++done, std::ssize(heads_) * blocks);
                         });
    for (const int head : trace_.kept_heads) {
      Extent& all = trace_.extents.emplace_back();
      for (Index block = 0; block < blocks; ++block)
        all.extend(block_extents_[static_cast<std::size_t>(head * blocks + block)]);
    }
  }

  void pack(Index kv, bool keys, bool values) {
    const Kernels& kernels = context_.kernels;
    if (keys) kernels.pack_rows(trace_.k.at(kv), d_k_, n_k_, d_k_, packed_.at(kv));
    if (values && !request_.maps_alone)
      kernels.pack_columns(trace_.v.at(kv), d_k_, n_k_, d_k_, packed_.at(kv) + key_panels_);
  }

  // A block of rows of one head, and the keys that they see: see visible_spans().
  struct RowBlock {
    Index head, first, rows;
    std::vector<ColumnSpan> parts;
    bool all;  // all keys
  };

  RowBlock block_of(Index h, Index first) const {
    const Index rows = std::min(rows_, n_q_ - first);
    const bool whole = kept_[static_cast<std::size_t>(h)] >= 0 && request_.keep_scores;
    RowBlock block{h, first, rows, {{0, n_k_}}, true};
    if (!whole)
      block.parts = visible_spans(request_.mask, static_cast<int>(h), first, first + rows, request_.fill,
                                  n_k_, context_.kernels);
    block.all = are_all(block.parts, n_k_);
    return block;
  }

  void attend_block(Index h, Index row, int thread, Extent& shown) {
    const Kernels& kernels = context_.kernels;
    const Index kv = h * request_.kv_heads / request_.heads;
    RowBlock block = block_of(h, row);
    float* scores = scratch_.at(thread);
    for_panels(block.parts, kernels, [&](Index first, Index end) {
      kernels.multiply(trace_.q.at(h) + row * d_k_, d_k_, packed_.at(kv) + first * kernels.panel * d_k_,
                       nullptr, request_.scale, scores + first * kernels.panel, padded_, block.rows, d_k_,
                       end - first);
    });
    std::vector<std::uint8_t> scratch;
    std::vector<float> drawn;
    if (request_.dropout_rows) {
      drawn.resize(static_cast<std::size_t>(block.rows * n_k_));
      request_.dropout_rows(h, row, row + block.rows, drawn.data());
    }
    const float* const factors = !drawn.empty()             ? drawn.data()
                                 : request_.dropout.empty() ? nullptr
                                                            : request_.dropout.at(h) + row * n_k_;
    std::array<float, max_block_rows> shares{};
    for (Index r = 0; r < block.rows; ++r)
      shares[static_cast<std::size_t>(r)] = masked_softmax_row(
          block, r, factors == nullptr ? nullptr : factors + r * n_k_, scores, scratch, shown);
    kernels.store_fence();
    if (!request_.maps_alone)
      multiply_values(block, scores, shares.data(), packed_.at(kv) + key_panels_, scores + rows_ * padded_);
  }

  // Converts row r of the scores to softmax terms; returns the factor that turns them into weights.
  float masked_softmax_row(RowBlock& block, Index r, const float* factors, float* scores,
                           std::vector<std::uint8_t>& scratch, Extent& shown) {
    const Index query = block.first + r;
    float* const row = scores + r * padded_;
    const std::uint8_t* blocked =
        request_.mask == nullptr ? nullptr
                                 : request_.mask->blocked_row(static_cast<int>(block.head), query, scratch);
    const Index kept = kept_[static_cast<std::size_t>(block.head)];
    const auto row_of = [&](Tensor& maps) {
      return kept < 0 || maps.empty() ? nullptr : maps.at(kept) + query * n_k_;
    };
    float* const weights = row_of(trace_.weights);
    SoftmaxTerms terms;
    const bool in_parts = softmax_parts(block, row, blocked, weights, terms.share);
    if (!in_parts) {
      // Blocked keys have weights, too: from here on the block has all keys.
      for (Index before = 0; before < r && !block.all; ++before)
        clear_outside(block.parts, n_k_, scores + before * padded_);
      for (Index after = r + 1; after < block.rows && !block.all; ++after)
        clear_outside(block.parts, n_k_, scores + after * padded_);
      block.all = true;
      terms = context_.kernels.softmax(row, blocked, request_.fill, request_.inverse_temperature, n_k_,
                                       row_of(trace_.scores), weights, non_temporal_);
    }
    if (factors != nullptr) {
      if (!block.all) clear_outside(block.parts, n_k_, row);
      for (Index j = 0; j < n_k_; ++j) row[j] = row[j] * terms.share * factors[j];
      if (weights != nullptr) std::copy_n(row, n_k_, weights);
      terms.share = 1;
    }
    if (weights == nullptr) return terms.share;
    const bool known = blocked == nullptr && factors == nullptr && std::isfinite(terms.share);
    if (known) {
      shown.extend({terms.min_weight, terms.share});
      return terms.share;
    }
    const Extent extent = weight_extent(row, blocked, n_k_, request_.fill);
    if (extent.any()) shown.extend({extent.low * terms.share, extent.high * terms.share});
    return terms.share;
  }

  // False if the whole row is needed.
  bool softmax_parts(const RowBlock& block, float* row, const std::uint8_t* blocked, float* weights,
                     float& share) const {
    return !block.all &&
           context_.kernels.softmax_parts(row, blocked, request_.fill, request_.inverse_temperature, n_k_,
                                          block.parts.data(), std::ssize(block.parts), weights, &share);
  }

  void multiply_values(const RowBlock& block, const float* terms, const float* shares, const float* values,
                       float* tile) {
    const Kernels& kernels = context_.kernels;
    const Index panels = to_panels(d_k_) / kernels.panel, d = request_.heads * d_k_;
    float* context = trace_.context.data() + block.first * d + block.head * d_k_;
    const bool whole_panels = d_k_ % kernels.panel == 0;
    float* const to = whole_panels ? context : tile;
    const Index ld = whole_panels ? d : to_panels(d_k_);
    const ColumnSpan whole{0, n_k_};
    kernels.multiply_parts(terms, padded_, values, shares, to, ld, block.rows, n_k_,
                           block.all ? &whole : block.parts.data(), block.all ? 1 : std::ssize(block.parts),
                           panels);
    for (Index r = 0; r < block.rows && !whole_panels; ++r) std::copy_n(tile + r * ld, d_k_, context + r * d);
  }

  const PackedLayer& layer_;
  const AttentionRequest& request_;
  const ComputeContext& context_;
  const Index n_q_, n_k_, d_k_;
  // Row stride of scores: n_k rounded up to whole panels, plus one, since a power-of-two stride would cause
  // conflicts in the L1 cache.
  const Index padded_;
  const Index key_panels_, value_panels_;
  bool non_temporal_ = false;
  std::vector<int> heads_;             // computed heads
  std::vector<Index> kept_;            // per head, the index of its maps in the trace, or -1
  std::vector<Extent> block_extents_;  // of each block of rows of each head
  Index rows_ = 1;
  LayerTrace trace_;
  Tensor packed_;   // [kv_heads, keys' and values' panels]
  Tensor scratch_;  // [threads, rows of scores and a tile of context]
};

}  // namespace

LayerTrace attend(const PackedLayer& layer, const AttentionRequest& request, const ComputeContext& context) {
  if (layer.unpacked) return attend_by_equation(*layer.unpacked, request);
  return Attention(layer, request, context).run();
}

}  // namespace headscope
