#include "core/attention/streamed_rows.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "core/attention/tiled_pass.h"
#include "core/base/matrix.h"
#include "core/base/round_up.h"

namespace headscope {
namespace {

constexpr float nothing_seen = -INFINITY;

// Approximate sample size in keys; its tolerance in standard errors, or relative to its mean.
constexpr Index keys_of_sample = 1024;
constexpr double errors_allowed = 4, always_allowed = 1e-4;

/// Partial sums of a row, relative to its largest score so far.
struct PartialSoftmax {
  float largest = nothing_seen;
  Index largest_key = 0;
  double sum = 0, weighted_bits = 0, distance = 0, same = 0, after = 0;
  std::array<float, 4> shares{nothing_seen, nothing_seen, nothing_seen, nothing_seen};  // scores
  std::size_t matches_done = 0;
  // The scores that may end up on either side of the uniform weight: [low, high).
  float low = std::numeric_limits<float>::lowest(), high = -nothing_seen;
  Index above = 0, kept = 0;
  bool overflown = false;
};

/// One call of stream_rows, as its threads see it.
class RowsPass : TiledPass {
 public:
  RowsPass(const HeadRows& q, const HeadRows& k, const AttentionRule& rule, Index head,
           const RowQuestion& question, const ComputeContext& compute, std::span<RowNumbers> rows)
      : TiledPass(q, k, rule, head, compute),
        question_(question),
        rows_(rows),
        step_(k.n / keys_of_sample | 1),
        sampled_(k.n / step_),
        capacity_(round_up(std::max(k.n / 4, std::min(k.n, 4 * keys_of_sample)), keys_of_tile) + stride),
        packed_sample_(compute.memory.take({packed_size(kernels_, sampled_, k.d)})) {
    kernels_.pack_rows(head_keys(), step_ * k.d, sampled_, k.d, packed_sample_.data());
  }

  std::int64_t run();

 private:
  class Piece;

  const RowQuestion& question_;
  const std::span<RowNumbers> rows_;
  const Index step_, sampled_;  // distance of sampled keys, odd because of mask patterns; their number
  const Index capacity_;        // number of scores that a row can keep
  Tensor packed_sample_;
};

/// Some queries against all keys that they see.
class RowsPass::Piece {
 public:
  Piece(const RowsPass& work, const Queries& rows, float* scratch)
      : w_(work),
        first_(rows.first),
        count_(rows.count),
        tile_(scratch),
        kept_(tile_ + rows_of_tile * stride),
        queries_(kept_ + rows_of_tile * w_.capacity_),
        factors_(w_.rule_.dropout ? queries_ + rows_of_tile * w_.q_.d : nullptr),
        so_far_(count_) {}

  /// Returns how many scores were computed, excluding the sample.
  std::int64_t run() {
    if (factors_ != nullptr) w_.rule_.dropout(w_.head_, first_, first_ + count_, factors_);
    const std::vector<ColumnSpan> parts = w_.seen({first_, count_});
    Index keys = 0;
    for (const ColumnSpan& part : parts) keys += part.end - part.begin;
    // If all scores they see can be kept, no sample is needed.
    if (keys + stride > w_.capacity_) sample();
    for_tiles(parts, [&](Index begin, Index end) {
      w_.multiply(w_.row_of_q(first_), 1, count_, begin, end, tile_);
      for (Index r = 0; r < count_; ++r) {
        float* const row = masked(r, tile_ + r * stride, begin, end);
        take_row(r, begin, end, row);
      }
    });
    std::vector<Index> again;
    for (Index r = 0; r < count_; ++r)
      if (!finish(r)) again.push_back(r);
    if (!again.empty()) count_again(again, parts);
    return std::int64_t{keys} * (count_ + std::ssize(again));
  }

 private:
  Index query(Index r) const { return first_ + r; }
  PartialSoftmax& at(Index r) { return so_far_[r]; }
  RowNumbers& result(Index r) const { return w_.rows_[query(r)]; }
  double factor() const { return w_.factor_; }

  // Scores of keys [begin, end) of a query, -infinity for keys it does not see: blocked, dropped or beyond
  // the last one.
  float* masked(Index r, float* row, Index begin, Index end) {
    w_.complete(query(r), begin, end, row, spans_);
    if (factors_ != nullptr) drop(factors_ + r * w_.k_.n + begin, end - begin, row);
    return row;
  }
  static void drop(const float* factors, Index n, float* row) {
    for (Index j = 0; j < n; ++j) row[j] = factors[j] == 0 ? nothing_seen : row[j];
  }

  // Estimates the score of the uniform weight: that of the mean of e over all keys.
  void sample() {
    const Index d = w_.q_.d, n = w_.sampled_, panel = w_.kernels_.panel;
    w_.kernels_.multiply(w_.row_of_q(first_), d, w_.packed_sample_.data(), nullptr, w_.rule_.scale, kept_,
                         w_.capacity_, count_, d, divide_up(n, panel));
    for (Index r = 0; r < count_; ++r) {
      float* const row = kept_ + r * w_.capacity_;
      hide_in_sample(r, row);
      float largest;
      w_.kernels_.pool_maxima(row, n, n, &largest);
      if (largest != nothing_seen) learn_from_sample(largest, row, at(r));
    }
  }
  void learn_from_sample(float largest, float* row, PartialSoftmax& so_far) const {
    const Index n = w_.sampled_, padded = round_up(n, w_.kernels_.panel);
    std::fill(row + n, row + padded, nothing_seen);
    const auto count = static_cast<double>(n),
               sum = static_cast<double>(w_.kernels_.sum_exponentials(row, largest, w_.factor_, padded, row));
    const RowView terms(row, n);
    const double mean = sum / count, squares = terms.square().sum() / count;
    const double error = std::max(errors_allowed * std::sqrt(std::max(0.0, squares - mean * mean) / count),
                                  always_allowed * mean);
    // The largest, which is 1, may be an outlier.
    const double low = std::max(mean - error, (sum - 1) / count / 2);
    if (low > 0) so_far.low = score_of(low, largest);
    // If few are above, all of them can be kept, and no upper bound is needed.
    if ((terms >= static_cast<float>(low)).count() > n / 6) so_far.high = score_of(mean + error, largest);
  }
  // The score of the uniform weight for a given mean of e.
  float score_of(double mean, float largest) const {
    const double share = min_weight(w_.k_.n) * static_cast<double>(w_.k_.n);
    return static_cast<float>(largest + std::log2(share * mean) / factor());
  }
  void hide_in_sample(Index r, float* row) {
    const Index n = w_.sampled_, step = w_.step_;
    score_own_keys(w_.rule_, w_.place(query(r)), w_.kv_head(), w_.row_of_q(query(r)), w_.q_.d, 0, n * step,
                   row, w_.kernels_, step);
    w_.rule_.apply_cap(row, n);
    w_.rule_.add_repeats(w_.place(query(r)), 0, n * step, row, step);
    if (w_.rule_.positions)
      w_.rule_.positions->add(w_.head_, query(r), w_.place(query(r)), 0, n * step, row, w_.kernels_, step);
    if (!w_.rule_.bias.empty()) {
      const float* const bias = w_.bias(query(r));
      for (Index i = 0; i < n; ++i) row[i] += bias[i * step];
    }
    const AttentionRule::Keys own = w_.rule_.keys(w_.place(query(r)), w_.k_.n);
    const auto first_from = [&](Index key) { return divide_up(key, step); };
    Index done = 0;
    for (const KeySpan& span : w_.spans(query(r), spans_)) {
      const Index from = std::clamp(first_from(std::max(Index{span.begin}, own.begin)), done, n);
      const Index to = std::clamp(first_from(std::min(Index{span.end}, own.end)), from, n);
      std::fill(row + done, row + from, nothing_seen);
      done = to;
    }
    std::fill(row + done, row + n, nothing_seen);
    for (Index i = 0; i < n && factors_ != nullptr; ++i)
      if (factors_[r * w_.k_.n + i * step] == 0) row[i] = nothing_seen;
  }

  void take_row(Index r, Index begin, Index end, float* row) {
    PartialSoftmax& so_far = at(r);
    const Index n = end - begin, padded = round_up(n, w_.kernels_.panel);
    float in_tile;
    w_.kernels_.pool_maxima(row, n, n, &in_tile);
    if (in_tile == nothing_seen) return;
    if (in_tile > so_far.largest) {
      rescale(so_far, in_tile);
      so_far.largest_key = begin + (std::find(row, row + n, in_tile) - row);
    }
    const std::array<Index, 4> places{query(r), query(r) - 1, query(r) + 1, 0};
    for (std::size_t i = 0; i < places.size(); ++i)
      if (places[i] >= begin && places[i] < end) so_far.shares[i] = row[places[i] - begin];
    if (so_far.kept + padded > w_.capacity_) so_far.overflown = true;
    if (!so_far.overflown)
      so_far.above += w_.kernels_.keep_between(row, so_far.low, so_far.high, padded, kept_ + r * w_.capacity_,
                                               &so_far.kept);
    float sums[3];
    w_.kernels_.sum_moments(row, so_far.largest, w_.factor_, static_cast<float>(begin - query(r)), padded,
                            row, sums);
    so_far.sum += sums[0];
    so_far.weighted_bits += sums[1];
    so_far.distance += sums[2];
    so_far.low = std::max(so_far.low, min_score(so_far));  // it only increases
    if (w_.question_.matches != nullptr) add_matches(query(r), begin, end, row, so_far);
  }

  // `terms` are those of keys [begin, end). The next key may be in the following tile.
  void add_matches(Index query, Index begin, Index end, const float* terms, PartialSoftmax& so_far) const {
    const TokenMatches& matches = *w_.question_.matches;
    const auto keys = matches.keys_of(query);
    std::size_t& done = so_far.matches_done;
    while (done < keys.size() && keys[done] + 1 < begin) ++done;
    for (; done < keys.size() && keys[done] < end; ++done) {
      const int key = keys[done];
      if (key >= begin && matches.is_other(query, key, w_.question_.causal))
        so_far.same += terms[key - begin];
      if (!matches.is_followed(query, key)) continue;
      if (key + 1 == end) break;  // handled with the next tile, as the key before its first
      so_far.after += terms[key + 1 - begin];
    }
  }

  void rescale(PartialSoftmax& so_far, float now) const {
    const float before = std::exchange(so_far.largest, now);
    if (before == nothing_seen) return;
    const double bits = (now - static_cast<double>(before)) * factor();
    const double shrunk = std::exp2(-bits);
    so_far.weighted_bits = shrunk * (so_far.weighted_bits - bits * so_far.sum);
    for (double* const sum : {&so_far.sum, &so_far.distance, &so_far.same, &so_far.after}) *sum *= shrunk;
  }

  // Returns whether the row is complete; otherwise its sparsity is still unknown.
  bool finish(Index r) {
    const PartialSoftmax& so_far = at(r);
    RowNumbers& row = result(r);
    if (is_filled(r)) return true;
    row.read = true;
    row.any = so_far.sum > 0;
    if (!row.any) return true;
    const auto n_k = static_cast<double>(w_.k_.n);
    // With w = 2^x / S: -Σ w ln w = ln S - ln 2 Σ 2^x x / S.
    const double entropy = std::log(so_far.sum) - so_far.weighted_bits / std::numbers::log2e / so_far.sum;
    row.entropy = w_.k_.n == 1 ? 0 : std::clamp(entropy / std::log(n_k), 0.0, 1.0);
    row.distance = so_far.distance / so_far.sum;
    row.largest = 1 / so_far.sum;
    row.largest_key = so_far.largest_key;
    set_shares(r, so_far, row);
    if (!w_.rule_.sinks.empty()) {
      const double sink = w_.rule_.sink(w_.head_), largest = so_far.largest;
      const double taken = std::exp2((sink - largest) * factor());
      row.no_token = std::isinf(taken) ? 1 : taken / (so_far.sum + taken);
    }
    if (so_far.overflown) return false;
    const float minimum = min_score(so_far);
    if (minimum < so_far.low || minimum > so_far.high) return false;
    const float* const kept = kept_ + r * w_.capacity_;
    const auto above = std::count_if(kept, kept + so_far.kept, [&](float score) { return score >= minimum; });
    set_sparsity(so_far.above + above, row);
    return true;
  }

  // Whether a finite fill gives blocked keys a weight.
  bool is_filled(Index r) {
    return w_.fills() && (w_.rule_.fill - static_cast<double>(at(r).largest)) * factor() >= -125;
  }
  float min_score(const PartialSoftmax& so_far) const {
    return score_of(so_far.sum / static_cast<double>(w_.k_.n), so_far.largest);
  }
  void set_sparsity(Index above, RowNumbers& row) const {
    row.sparsity = static_cast<double>(w_.k_.n - above) / static_cast<double>(w_.k_.n);
  }

  void set_shares(Index r, const PartialSoftmax& so_far, RowNumbers& row) const {
    const Index n_k = w_.k_.n, query = this->query(r);
    const auto share = [&](std::size_t i, Index key) {
      const double bits = (so_far.shares[i] - static_cast<double>(so_far.largest)) * factor();
      return key >= 0 && key < n_k ? std::optional(std::exp2(bits) / so_far.sum) : std::nullopt;
    };
    row.diagonal = share(0, query);
    row.previous = share(1, query - 1);
    row.next = share(2, query + 1);
    row.first = share(3, 0);
    if (w_.question_.matches == nullptr) return;
    const TokenMatches& matches = *w_.question_.matches;
    for (const int key : matches.keys_of(query)) {
      if (matches.is_other(query, key, w_.question_.causal)) row.same_token = so_far.same / so_far.sum;
      if (matches.is_followed(query, key)) row.induction = so_far.after / so_far.sum;
      if (row.same_token && row.induction) break;
    }
  }

  void count_again(const std::vector<Index>& rows, const std::vector<ColumnSpan>& parts) {
    const Index d = w_.q_.d, count = std::ssize(rows);
    std::vector<Index> above(rows.size(), 0);
    for (Index i = 0; i < count; ++i) std::copy_n(w_.row_of_q(query(rows[i])), d, queries_ + i * d);
    for_tiles(parts, [&](Index begin, Index end) {
      w_.multiply(queries_, 1, count, begin, end, tile_);
      for (std::size_t i = 0; i < rows.size(); ++i) {
        const float* const row = masked(rows[i], tile_ + static_cast<Index>(i) * stride, begin, end);
        const float minimum = min_score(at(rows[i]));
        Index none = 0;
        above[i] += w_.kernels_.keep_between(row, minimum, minimum, round_up(end - begin, w_.kernels_.panel),
                                             nullptr, &none);
      }
    });
    for (std::size_t i = 0; i < rows.size(); ++i) set_sparsity(above[i], result(rows[i]));
  }

  const RowsPass& w_;
  const Index first_, count_;
  float* const tile_;     // [rows, keys_of_tile]
  float* const kept_;     // [rows, capacity]
  float* const queries_;  // [rows, d] those that are multiplied again
  float* const factors_;  // [rows, n_k] if there is dropout
  std::vector<PartialSoftmax> so_far_;
  KeySpans spans_;
};

std::int64_t RowsPass::run() {
  std::vector<Queries> pieces;
  for (Index first = 0; first < q_.n; first += rows_of_tile)
    pieces.push_back({first, std::min(rows_of_tile, q_.n - first)});
  const Index scratch = rows_of_tile * (stride + capacity_ + q_.d + (rule_.dropout ? k_.n : 0));
  return TiledPass::run(
      pieces, scratch, question_.stop, question_.progress,
      [this](const Queries& queries, float* at) { return Piece(*this, queries, at).run(); });
}

}  // namespace

std::int64_t stream_rows(const HeadRows& q, const HeadRows& k, const AttentionRule& rule, Index head,
                         const RowQuestion& question, const ComputeContext& compute,
                         std::span<RowNumbers> rows) {
  return RowsPass(q, k, rule, head, question, compute, rows).run();
}

}  // namespace headscope
