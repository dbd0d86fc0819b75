#include "core/analysis/statistics.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>
#include <span>
#include <vector>

#include "core/analysis/row.h"
#include "core/base/parallel.h"
#include "core/source/maps/pooled_maps.h"

namespace headscope {
namespace {

// A mean over the rows that have a value.
struct Mean {
  double sum = 0;
  Index rows = 0;
  void add(double value) {
    sum += value;
    ++rows;
  }
  std::optional<double> value() const {
    return rows == 0 ? std::nullopt : std::optional(sum / static_cast<double>(rows));
  }
};

struct Means {
  Mean entropy, distance, diagonal, previous, next, first, same_token, induction, sparsity;
};

// A row of a map, each weight times `factor`.
struct ScaledRow {
  const float* weights;
  Index n_k;
  double factor;
  double operator[](Index key) const { return static_cast<double>(weights[key]) * factor; }
};

void find_shares(const ScaledRow& row, Index query, RowNumbers& numbers) {
  const auto share = [&](Index key) {
    return key >= 0 && key < row.n_k ? std::optional(row[key]) : std::nullopt;
  };
  numbers.diagonal = share(query);
  numbers.previous = share(query - 1);
  numbers.next = share(query + 1);
  numbers.first = share(0);
}

void find_matches(const ScaledRow& row, Index query, const TokenMatches& matches, bool causal,
                  RowNumbers& numbers) {
  double same = 0, after = 0;
  bool has_same = false, has_after = false;
  for (const int key : matches.keys_of(query)) {
    if (matches.is_other(query, key, causal)) {
      same += row[key];
      has_same = true;
    }
    if (matches.is_followed(query, key)) {
      after += row[key + 1];
      has_after = true;
    }
  }
  if (has_same) numbers.same_token = same;
  if (has_after) numbers.induction = after;
}

/// One head's rows.
class HeadRowsRead {
 public:
  HeadRowsRead(const BlockTrace& block, const TokenMatches& matches)
      : block_(block),
        matches_(matches),
        threshold_(min_weight(block.n_k())),
        renormalizes_(renormalizes_rows(block)) {}

  RowNumbers read(Index query, const float* weights) const {
    const Index n_k = block_.n_k();
    RowNumbers numbers;
    numbers.read = true;
    const double sum = renormalizes_ ? row_sum(weights, n_k) : 1;
    const RowTotals sums = sum_row(weights, n_k, query, threshold_ * static_cast<float>(sum));
    if (!(sums.sum > 0)) return numbers;
    numbers.any = true;
    const ScaledRow row{weights, n_k, renormalizes_ ? 1 / sums.sum : 1};
    // H(w / S) = ln S - (Σ w ln w) / S, which is -Σ w ln w where the row sums to 1.
    const double entropy = std::log(sums.sum) - sums.w_log_w / sums.sum;
    numbers.entropy = n_k == 1 ? 0 : std::clamp(entropy / std::log(static_cast<double>(n_k)), 0.0, 1.0);
    numbers.distance = sums.distance * row.factor;
    numbers.sparsity = static_cast<double>(sums.small) / static_cast<double>(n_k);
    numbers.largest = static_cast<double>(sums.largest) * row.factor;
    numbers.largest_key = std::find(weights, weights + n_k, sums.largest) - weights;
    find_shares(row, query, numbers);
    find_matches(row, query, matches_, block_.shape.causal, numbers);
    return numbers;
  }

 private:
  const BlockTrace& block_;
  const TokenMatches& matches_;
  float threshold_;
  bool renormalizes_;
};

void add(Index query, const RowNumbers& row, Means& means, HeadStatistics& result) {
  if (!row.any) return;
  const auto add_if = [](Mean& mean, const std::optional<double>& value) {
    if (value) mean.add(*value);
  };
  means.entropy.add(row.entropy);
  means.distance.add(row.distance);
  means.sparsity.add(row.sparsity);
  add_if(means.diagonal, row.diagonal);
  add_if(means.previous, row.previous);
  add_if(means.next, row.next);
  add_if(means.first, row.first);
  add_if(means.same_token, row.same_token);
  add_if(means.induction, row.induction);
  if (result.largest && row.largest <= *result.largest) return;
  result.largest = row.largest;
  result.largest_query = query;
  result.largest_key = row.largest_key;
}

// Reads the rows of a map that is too large for a single thread: numbers that the source reports are taken
// from it, the others are computed from the weights. Threads share out blocks of rows; the numbers are added
// up in order, so that the result is the same as with one thread.
void read_shared_rows(const BlockTrace& block, int layer, int head, const HeadRowsRead& reader,
                      const RowQuestion& question, Means& means, HeadStatistics& result) {
  constexpr Index cost_of_a_cell = 4, at_once = MapSource::rows_at_once;
  const Index n_q = block.n_q(), blocks = (n_q + at_once - 1) / at_once;
  std::vector<RowNumbers> numbers(static_cast<std::size_t>(n_q));
  const bool reported = block.maps->row_numbers(layer, head, question, numbers);
  std::atomic<Index> next = 0;
  Index done = 0;
  std::mutex mutex;
  parallel_for(ThreadPool::cores(), cost_of_a_cell * n_q * block.n_k(), [&](Index) {
    Tensor rows;  // of one thread, for all its blocks
    for (Index i = next++; i < blocks && !question.stop.stop_requested(); i = next++) {
      const Index begin = i * at_once, end = std::min(begin + at_once, n_q);
      const std::span<RowNumbers> of_block(numbers.data() + begin, static_cast<std::size_t>(end - begin));
      if (std::ranges::all_of(of_block, &RowNumbers::read)) continue;
      if (rows.empty()) rows = Tensor({at_once, block.n_k()});
      block.maps->rows(layer, head, begin, end, rows.data());
      for (Index query = begin; query < end; ++query)
        if (RowNumbers& row = of_block[static_cast<std::size_t>(query - begin)]; !row.read)
          row = reader.read(query, rows.at(query - begin));
      if (reported || !question.progress) continue;
      const std::lock_guard lock(mutex);
      question.progress(done += end - begin, n_q);
    }
  });
  for (Index query = 0; query < n_q; ++query)
    add(query, numbers[static_cast<std::size_t>(query)], means, result);
}

}  // namespace

bool renormalizes_rows(const BlockTrace& block) {
  return block.interventions.dropout > 0;
}

HeadStatistics head_statistics(const BlockTrace& block, int layer, int head, const TokenMatches& matches,
                               const std::stop_token& stop, const StatisticsProgress& progress) {
  HeadStatistics result;
  if (block.n_k() == 0) return result;
  const HeadRowsRead reader(block, matches);
  Means means;
  if (needs_groups(block)) {
    RowQuestion question{&matches, block.shape.causal, stop};
    if (progress)
      question.progress = [&](Index done, Index all) {
        progress(static_cast<double>(done) / static_cast<double>(all));
      };
    read_shared_rows(block, layer, head, reader, question, means, result);
  } else {
    for_each_row(*block.maps, layer, head, [&](Index query, const float* weights) {
      add(query, reader.read(query, weights), means, result);
    });
    if (progress) progress(1);
  }
  result.entropy = means.entropy.value();
  result.mean_distance = means.distance.value();
  result.diagonal = means.diagonal.value();
  result.previous = means.previous.value();
  result.next = means.next.value();
  result.first = means.first.value();
  result.same_token = means.same_token.value();
  result.induction = means.induction.value();
  result.sparsity = means.sparsity.value();
  return result;
}

const HeadStatistics* BlockStatistics::find(int layer, int head) const {
  const auto l = static_cast<std::size_t>(layer), h = static_cast<std::size_t>(head);
  return l < layers.size() && h < layers[l].size() ? &layers[l][h] : nullptr;
}

std::shared_ptr<const BlockStatistics> block_statistics(const BlockTrace& block, std::optional<int> layer,
                                                        const std::stop_token& stop,
                                                        const StatisticsProgress& progress) {
  auto result = std::make_shared<BlockStatistics>();
  const int layers = block.layer_count(), heads = block.heads();
  result->layers.resize(static_cast<std::size_t>(layers));
  if (layers == 0 || (layer && *layer >= layers)) return result;
  const int first = layer.value_or(0), count = layer ? 1 : layers;
  for (int l = first; l < first + count; ++l)
    result->layers[static_cast<std::size_t>(l)].resize(static_cast<std::size_t>(heads));
  const TokenMatches matches(block.tokens, block.key_tokens);
  const int all = count * heads;
  const auto read = [&](Index i, const StatisticsProgress& reported) {
    if (stop.stop_requested()) return;
    const int l = first + static_cast<int>(i) / heads, h = static_cast<int>(i) % heads;
    result->layers[static_cast<std::size_t>(l)][static_cast<std::size_t>(h)] =
        head_statistics(block, l, h, matches, stop, reported);
  };
  constexpr Index cost_of_a_cell = 4;
  if (needs_groups(block)) {  // the threads share its rows
    for (int i = 0; i < all; ++i)
      read(i, [&](double share) {
        if (progress) progress((i + share) / all);
      });
  } else {
    int done = 0;
    std::mutex mutex;
    parallel_for(all, cost_of_a_cell * all * block.n_q() * block.n_k(), [&](Index i) {
      read(i, {});
      if (!progress) return;
      const std::lock_guard lock(mutex);
      progress(static_cast<double>(++done) / all);
    });
  }
  return stop.stop_requested() ? nullptr : result;
}

}  // namespace headscope
