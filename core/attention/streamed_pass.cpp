#include "core/attention/streamed_pass.h"

#include <algorithm>
#include <cmath>
#include <mutex>

#include "core/attention/tiled_pass.h"
#include "core/base/matrix.h"
#include "core/base/round_up.h"

namespace headscope {
namespace {

// Number of keys whose values are packed at once.
constexpr Index packed_at_once = 2048;

Index pool_count(Index n, Index pool) {
  return divide_up(n, pool);
}

/// One call of stream_map, as its threads see it.
class PooledPass : TiledPass {
 public:
  PooledPass(const HeadRows& q, const HeadRows& k, const AttentionRule& rule, Index head,
             const StreamedRequest& request, const ComputeContext& compute)
      : TiledPass(q, k, rule, head, compute, keys_read(k, rule, request, compute.kernels)),
        values_(request.values),
        request_(request),
        known_(is_known(rule, request) ? request.known : nullptr),
        query_end_(request.query_end > 0 ? request.query_end : q.n),
        key_end_(request.key_end > 0 ? request.key_end : k.n),
        key_pools_(pool_count(key_end_ - request.key_begin, request.keys)),
        padded_pools_(round_up(key_pools_, kernels_.panel)),
        d_(values_ == nullptr ? 0 : values_->d),
        padded_d_(round_up(d_, kernels_.panel)) {
    result_.every = request.every;
    if (known_ != nullptr) {
      result_.largest = known_->largest;
      result_.sum = known_->sum;
    } else {
      // A sink is what a query sees first.
      result_.largest.assign(q.n, rule.sink(head));
      result_.sum.assign(q.n, rule.sinks.empty() ? 0 : 1);
    }
    result_.overview = zeros(pool_count(query_end_ - request.query_begin, request.queries), key_pools_);
    if (values_ != nullptr) result_.context = zeros(q.n, d_);
    share_out();
    // Unlike a maximum, a sum depends on the order of addition: each piece has its own.
    if (request.mean && request.queries > rows_of_tile * request.every)
      sums_ = zeros(std::ssize(pieces_), key_pools_);
  }

  StreamedMap run();

 private:
  class Piece;

  static bool is_known(const AttentionRule& rule, const StreamedRequest& request) {
    return request.known != nullptr && request.known->every == 1 && std::isinf(rule.fill) && !rule.dropout &&
           request.values == nullptr;
  }
  // The keys read: all, or for a part of the map with known sums its own in whole chunks.
  static ColumnSpan keys_read(const HeadRows& k, const AttentionRule& rule, const StreamedRequest& request,
                              const Kernels& kernels) {
    if (!is_known(rule, request)) return {0, k.n};
    const Index chunk = softmax_chunk(kernels), end = request.key_end > 0 ? request.key_end : k.n;
    return {request.key_begin / chunk * chunk, std::min(round_up(end, chunk), k.n)};
  }

  Tensor zeros(Index rows, Index columns) const {
    Tensor all = compute_.memory.take({rows, columns});
    std::fill_n(all.data(), all.size(), 0.0F);
    return all;
  }

  // The overview's row of a query.
  float* cells_of(Index query) {
    return result_.overview.at((query - request_.query_begin) / request_.queries);
  }

  // Divides the sums of the overview's cells to means over the weights that were read.
  void divide_sums() {
    const Index query_pool = request_.queries, key_pool = request_.keys, every = request_.every;
    for (const Queries& rows : pieces_)
      if (!sums_.empty())
        RowSpan(cells_of(rows.first), key_pools_) += RowView(sums_.at(rows.number), key_pools_);
    for (Index i = 0; i < result_.overview.dim(0); ++i) {
      const Index begin = request_.query_begin + i * query_pool,
                  end = std::min(begin + query_pool, query_end_);
      const Index queries = pool_count(end, every) - pool_count(begin, every);
      for (Index j = 0; j < key_pools_; ++j) {
        const Index keys = std::min(key_pool, key_end_ - request_.key_begin - j * key_pool);
        result_.overview.at(i)[j] /= static_cast<float>(std::max<Index>(1, queries) * keys);
      }
    }
  }

  void share_out() {
    const Index every = request_.every, pool = request_.queries;
    const Index pools = std::max<Index>(1, rows_of_tile * every / pool) * pool;
    for (Index first = request_.query_begin; first < query_end_; first += pools) {
      const Index end = std::min(first + pools, query_end_), from = round_up(first, every);
      const Index count = end > from ? divide_up(end - from, every) : 0;
      // A block larger than a tile is processed in several.
      for (Index done = 0; done < count; done += rows_of_tile)
        pieces_.push_back(
            {from + done * every, std::min(rows_of_tile, count - done), every, std::ssize(pieces_)});
    }
  }

  void pack_values() {
    if (values_ == nullptr) return;
    const Index blocks = divide_up(k_.n, packed_at_once), panel = kernels_.panel;
    packed_values_ = compute_.memory.take({padded_d_, k_.n});
    compute_.threads.run(blocks * (padded_d_ / panel), ThreadPool::Schedule::dynamic, [&](Index piece, int) {
      const Index from = piece % blocks * packed_at_once, count = std::min(packed_at_once, k_.n - from);
      const Index column = piece / blocks * panel;
      kernels_.pack_columns(values_->at(kv_head()) + from * d_ + column, d_, count,
                            std::min(panel, d_ - column),
                            packed_values_.data() + column * k_.n + from * panel);
    });
  }

  const HeadRows* const values_;
  const StreamedRequest& request_;
  const StreamedMap* const known_;
  const Index query_end_, key_end_, key_pools_, padded_pools_, d_, padded_d_;
  StreamedMap result_;
  std::vector<Queries> pieces_;
  std::mutex overview_;  // for blocks shared by several pieces
  Tensor sums_;          // [pieces, pools of keys] for means of blocks shared by several pieces
  Tensor packed_values_;
};

/// Some queries against all keys that they see.
class PooledPass::Piece {
 public:
  Piece(PooledPass& work, const Queries& rows, float* scratch)
      : w_(work),
        rows_(rows),
        tile_(scratch),
        pool_scores_(tile_ + rows.count * stride),
        context_(pool_scores_ + rows.count * w_.padded_pools_),
        pool_weights_(context_ + rows.count * w_.padded_d_),
        kept_(pool_weights_ + w_.padded_pools_),
        dropout_(kept_ + round_up(keys_of_tile, w_.kernels_.panel)) {}

  std::int64_t run() {
    const auto& dropout = w_.rule_.dropout;
    std::fill_n(pool_scores_, rows_.count * w_.padded_pools_, means() ? 0.0F : nothing);
    std::fill_n(context_, rows_.count * w_.padded_d_, 0.0F);
    if (dropout && rows_.every == 1)
      dropout(w_.head_, rows_.first, rows_.first + rows_.count, dropout_);
    else if (dropout)
      for (Index r = 0; r < rows_.count; ++r)
        dropout(w_.head_, query(r), query(r) + 1, dropout_ + r * w_.k_.n);
    std::int64_t cells = 0;
    for_tiles(parts(), [&](Index begin, Index end) {
      take_tile(begin, end);
      cells += std::int64_t{end - begin} * rows_.count;
    });
    for (Index r = 0; r < rows_.count; ++r) finish(r);
    return cells;
  }

 private:
  Index query(Index r) const { return rows_.at(r); }
  float& largest(Index r) const { return w_.result_.largest[query(r)]; }
  double& sum(Index r) const { return w_.result_.sum[query(r)]; }
  bool means() const { return w_.request_.mean; }

  // The keys of tiles, in whole panels; only those of the map's part if the sums are known.
  std::vector<ColumnSpan> parts() const {
    std::vector<ColumnSpan> parts = w_.seen(rows_);
    if (w_.known_ == nullptr) return parts;
    const ColumnSpan read = keys_read(w_.k_, w_.rule_, w_.request_, w_.kernels_);
    for (ColumnSpan& part : parts) part = {std::max(part.begin, read.begin), std::min(part.end, read.end)};
    std::erase_if(parts, [](const ColumnSpan& part) { return part.begin >= part.end; });
    return parts;
  }

  void take_tile(Index begin, Index end) {
    const Kernels& kernels = w_.kernels_;
    w_.multiply(w_.row_of_q(rows_.first), rows_.every, rows_.count, begin, end, tile_);
    const Index padded = round_up(end - begin, kernels.panel);
    for (Index r = 0; r < rows_.count; ++r) {
      float* const row = tile_ + r * stride;
      w_.complete(query(r), begin, end, row, spans_);
      take_row(r, begin, end - begin, padded, row);
    }
    if (w_.values_ == nullptr) return;
    const float* const values = w_.packed_values_.data();
    for (Index column = 0; column < w_.padded_d_; column += kernels.panel)
      kernels.multiply_add(tile_, stride, values + column * w_.k_.n + begin * kernels.panel, 1,
                           context_ + column, w_.padded_d_, rows_.count, end - begin, 1);
  }

  // One step of the recurrence: `row` holds a query's masked scores of keys [begin, begin + n), and becomes
  // the factors of the values in its context.
  void take_row(Index r, Index begin, Index n, Index padded, float* row) {
    if (w_.known_ != nullptr) return take_known_row(r, begin, n, padded, row);
    const bool drops = static_cast<bool>(w_.rule_.dropout);
    const float in_tile =
        drops || means() ? w_.kernels_.pool_maxima(row, n, n, kept_) : take_pools(r, begin, n, row);
    if (drops && !means()) {
      const float* const factors = dropout_ + r * w_.k_.n + begin;
      for (Index j = 0; j < n; ++j) kept_[j] = factors[j] == 0 ? nothing : row[j];
      take_pools(r, begin, n, kept_);
    }
    if (in_tile == nothing) {
      if (w_.values_ != nullptr) std::fill_n(row, padded, 0.0F);
      return;
    }
    if (in_tile > largest(r)) rescale(r, in_tile);
    float* const terms = w_.values_ == nullptr && !means() ? nullptr : row;
    sum(r) += w_.kernels_.sum_exponentials(row, largest(r), w_.factor_, padded, terms);
    if (terms == nullptr) return;
    const float* const factors = dropout_ + r * w_.k_.n + begin;
    for (Index j = 0; j < n && drops; ++j) terms[j] *= factors[j];
    if (means()) add_to_pools(r, begin, n, terms);
  }

  // The same if the query's sum is already known.
  void take_known_row(Index r, Index begin, Index n, Index padded, float* row) {
    if (largest(r) == nothing) return;
    if (!means()) {
      take_pools(r, begin, n, row);
      return;
    }
    w_.kernels_.sum_exponentials(row, largest(r), w_.factor_, padded, row);
    add_to_pools(r, begin, n, row);
  }

  void add_to_pools(Index r, Index begin, Index n, const float* terms) {
    const Index pool = w_.request_.keys, key_begin = w_.request_.key_begin;
    const Index last = std::min(n, w_.key_end_ - begin);
    float* const sums = pool_scores_ + r * w_.padded_pools_;
    for (Index j = std::max<Index>(0, key_begin - begin); j < last;) {
      const Index g = (begin + j - key_begin) / pool,
                  end = std::min(last, key_begin + (g + 1) * pool - begin);
      sums[g] += RowView(terms + j, end - j).sum();
      j = end;
    }
  }

  // Returns the maximum of the tile; updates that of each of the overview's key blocks.
  float take_pools(Index r, Index begin, Index n, const float* row) {
    const Index from = std::clamp<Index>(w_.request_.key_begin - begin, 0, n);
    const Index to = std::clamp<Index>(w_.key_end_ - begin, from, n);
    float all = std::max(largest_of(row, from), largest_of(row + to, n - to));
    if (from < to)
      all = std::max(all, take_pools_inside(r, begin + from - w_.request_.key_begin, to - from, row + from));
    return all;
  }
  float largest_of(const float* row, Index n) const {
    float largest = nothing;
    return n > 0 ? w_.kernels_.pool_maxima(row, n, n, &largest) : nothing;
  }
  // A block may continue in the next tile; `begin` counts from the overview's first key.
  float take_pools_inside(Index r, Index begin, Index n, const float* row) {
    const Index pool = w_.request_.keys;
    float* const scores = pool_scores_ + r * w_.padded_pools_ + begin / pool;
    const Index in_first = std::min(n, round_up(begin + 1, pool) - begin);
    float all = nothing;
    if (in_first < pool || n < pool) {
      float first;
      all = w_.kernels_.pool_maxima(row, in_first, in_first, &first);
      scores[0] = std::max(scores[0], all);
      if (in_first == n) return all;
      return std::max(all, w_.kernels_.pool_maxima(row + in_first, n - in_first, pool, scores + 1));
    }
    return w_.kernels_.pool_maxima(row, n, pool, scores);
  }

  void rescale(Index r, float now) {
    const float before = largest(r);
    largest(r) = now;
    if (before == nothing) return;
    const double shrunk = std::exp2((before - static_cast<double>(now)) * w_.factor_);
    sum(r) *= shrunk;
    if (w_.values_ != nullptr)
      RowSpan(context_ + r * w_.padded_d_, w_.padded_d_) *= static_cast<float>(shrunk);
    if (means()) RowSpan(pool_scores_ + r * w_.padded_pools_, w_.padded_pools_) *= static_cast<float>(shrunk);
  }

  void finish(Index r) {
    add_filled(r);
    const float share = sum(r) > 0 ? static_cast<float>(1 / sum(r)) : 0.0F;
    if (w_.values_ != nullptr)
      RowSpan(w_.result_.context.data() + query(r) * w_.d_, w_.d_) =
          RowView(context_ + r * w_.padded_d_, w_.d_) * share;
    if (largest(r) == nothing) return;
    if (means()) return add_means(r, share);
    // Except for a row without keys, written by add_filled.
    if (!empty_)
      w_.kernels_.sum_exponentials(pool_scores_ + r * w_.padded_pools_, largest(r), w_.factor_,
                                   w_.padded_pools_, pool_weights_);
    const float kept = share * dropout_scale(r);
    const std::lock_guard lock(w_.overview_);
    float* const cells = w_.cells_of(query(r));
    for (Index g = 0; g < w_.key_pools_; ++g) cells[g] = std::max(cells[g], kept * pool_weights_[g]);
  }

  void add_means(Index r, float share) {
    const bool shared = !w_.sums_.empty();
    float* const cells = shared ? w_.sums_.at(rows_.number) : w_.cells_of(query(r));
    RowSpan(cells, w_.key_pools_) += share * RowView(pool_scores_ + r * w_.padded_pools_, w_.key_pools_);
  }

  // 1 / (1 - p), the factor of all kept cells.
  float dropout_scale(Index r) const {
    if (!w_.rule_.dropout) return 1;
    const float* const factors = dropout_ + r * w_.k_.n;
    return *std::max_element(factors, factors + w_.k_.n);
  }

  // Adds the equal weights that a finite fill gives blocked keys. They matter only if no score is visible, or
  // none is much larger than the fill.
  void add_filled(Index r) {
    empty_ = false;
    const Index n_k = w_.k_.n;
    const float fill = w_.rule_.fill;
    if (!w_.fills()) return;
    if (((fill - largest(r)) * w_.factor_) < -125.0) return;
    const auto [from, to] = w_.rule_.keys(w_.place(query(r)), n_k);
    KeySpans blocked;
    subtract_spans(KeySpans{{static_cast<int>(from), static_cast<int>(to)}}, w_.spans(query(r), spans_),
                   blocked);
    Index count = 0;
    for (const KeySpan& span : blocked) count += span.end - span.begin;
    if (count == 0) return;
    empty_ = count == to - from;
    if (fill > largest(r)) rescale(r, fill);
    const double each = std::exp2(static_cast<double>((fill - largest(r)) * w_.factor_));
    sum(r) += each * static_cast<double>(count);
    const float* const factors = w_.rule_.dropout ? dropout_ + r * n_k : nullptr;
    for (const KeySpan& span : blocked) {
      for (Index key = span.begin; key < span.end && w_.values_ != nullptr; ++key)
        RowSpan(context_ + r * w_.padded_d_, w_.d_) +=
            static_cast<float>(each) * (factors == nullptr ? 1 : factors[key]) *
            RowView(w_.values_->at(w_.kv_head()) + key * w_.d_, w_.d_);
    }
    // Maps show them only if there is nothing else.
    if (!empty_) return;
    std::fill_n(pool_weights_, w_.padded_pools_, 0.0F);
    const Index key_begin = w_.request_.key_begin;
    for (Index key = std::max(from, key_begin); key < std::min(to, w_.key_end_); ++key) {
      const Index g = (key - key_begin) / w_.request_.keys;
      if (factors == nullptr || factors[key] != 0) pool_weights_[g] = 1;
      if (means()) pool_scores_[r * w_.padded_pools_ + g] += factors == nullptr ? 1 : factors[key];
    }
  }

  PooledPass& w_;
  const Queries& rows_;
  float* const tile_;          // [rows, keys_of_tile]
  float* const pool_scores_;   // [rows, pools of keys] the largest
  float* const context_;       // [rows, d] before division by the sums
  float* const pool_weights_;  // [pools of keys] of one row
  float* const kept_;          // [keys_of_tile] of one row
  float* const dropout_;       // [rows, n_k] if there is dropout
  KeySpans spans_;
  bool empty_ = false;  // the row being finished sees no key
};

StreamedMap PooledPass::run() {
  pack_values();
  const Index scratch = rows_of_tile * (stride + padded_pools_ + padded_d_ + (rule_.dropout ? k_.n : 0)) +
                        padded_pools_ + round_up(keys_of_tile, kernels_.panel);
  result_.cells =
      TiledPass::run(pieces_, scratch, request_.stop, request_.progress,
                     [this](const Queries& rows, float* at) { return Piece(*this, rows, at).run(); });
  if (request_.mean) divide_sums();
  return std::move(result_);
}

}  // namespace

StreamedMap stream_map(const HeadRows& q, const HeadRows& k, const AttentionRule& rule, Index head,
                       const StreamedRequest& request, const ComputeContext& compute) {
  return PooledPass(q, k, rule, head, request, compute).run();
}

}  // namespace headscope
