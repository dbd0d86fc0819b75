#include "core/analysis/statistics.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string_view>

#include "core/analysis/row.h"
#include "core/base/parallel.h"

namespace headscope {
namespace {

// A mean over the rows that have something to say.
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

void add_shares(const ScaledRow& row, Index query, Means& means) {
  const auto add = [&](Mean& mean, Index key) {
    if (key >= 0 && key < row.n_k) mean.add(row[key]);
  };
  add(means.diagonal, query);
  add(means.previous, query - 1);
  add(means.next, query + 1);
  add(means.first, 0);
}

void add_matches(const ScaledRow& row, Index query, const TokenMatches& matches, bool causal, Means& means) {
  double same = 0, after = 0;
  bool has_same = false, has_after = false;
  for (const int key : matches.keys_of(query)) {
    if (!matches.self() || (causal ? key < query : key != query)) {
      same += row[key];
      has_same = true;
    }
    if (matches.self() ? key < query : key + 1 < matches.n_k()) {
      after += row[key + 1];
      has_after = true;
    }
  }
  if (has_same) means.same_token.add(same);
  if (has_after) means.induction.add(after);
}

void add_row(const RowTotals& sums, Index n_k, double factor, Means& means) {
  // H(w / S) = ln S - (Σ w ln w) / S, which is -Σ w ln w where the row sums to 1.
  const double entropy = std::log(sums.sum) - sums.w_log_w / sums.sum;
  means.entropy.add(n_k == 1 ? 0 : std::clamp(entropy / std::log(static_cast<double>(n_k)), 0.0, 1.0));
  means.distance.add(sums.distance * factor);
  means.sparsity.add(static_cast<double>(sums.small) / static_cast<double>(n_k));
}

}  // namespace

TokenMatches::TokenMatches(std::span<const Token> queries, std::span<const Token> keys)
    : self_(std::equal(queries.begin(), queries.end(), keys.begin(), keys.end(),
                       [](const Token& a, const Token& b) { return a.text == b.text; })),
      positions_(keys.size()) {
  const auto text = [&](int key) -> std::string_view { return keys[static_cast<std::size_t>(key)].text; };
  std::iota(positions_.begin(), positions_.end(), 0);
  std::sort(positions_.begin(), positions_.end(), [&](int a, int b) {
    const int order = text(a).compare(text(b));
    return order != 0 ? order < 0 : a < b;
  });
  for (std::size_t i = 0; i < positions_.size(); ++i)
    if (i == 0 || text(positions_[i]) != text(positions_[i - 1])) begin_.push_back(static_cast<int>(i));
  const std::size_t groups = begin_.size();
  begin_.resize(groups + 2, static_cast<int>(positions_.size()));
  group_.reserve(queries.size());
  for (const Token& query : queries) {
    const auto end = begin_.begin() + static_cast<std::ptrdiff_t>(groups);
    const auto found = std::lower_bound(
        begin_.begin(), end, std::string_view(query.text),
        [&](int i, std::string_view t) { return text(positions_[static_cast<std::size_t>(i)]) < t; });
    const bool here = found != end && text(positions_[static_cast<std::size_t>(*found)]) == query.text;
    group_.push_back(here ? static_cast<int>(found - begin_.begin()) : static_cast<int>(groups));
  }
}

bool renormalizes_rows(const BlockTrace& block) {
  return block.what_if.dropout > 0;
}

HeadStatistics head_statistics(const BlockTrace& block, int layer, int head, const TokenMatches& matches) {
  const Index n_k = block.n_k();
  HeadStatistics result;
  if (n_k == 0) return result;
  // A uniform row's own rounding must not make it sparse.
  const float threshold = (1 - 1e-5F) / static_cast<float>(n_k);
  const bool renormalizes = renormalizes_rows(block);
  Means means;
  for_each_row(*block.maps, layer, head, [&](Index query, const float* weights) {
    const double sum = renormalizes ? row_sum(weights, n_k) : 1;
    const RowTotals sums = sum_row(weights, n_k, query, threshold * static_cast<float>(sum));
    if (!(sums.sum > 0)) return;
    const ScaledRow row{weights, n_k, renormalizes ? 1 / sums.sum : 1};
    add_row(sums, n_k, row.factor, means);
    add_shares(row, query, means);
    add_matches(row, query, matches, block.shape.causal, means);
    if (const double largest = static_cast<double>(sums.largest) * row.factor;
        !result.largest || largest > *result.largest) {
      result.largest = largest;
      result.largest_query = query;
      result.largest_key = std::find(weights, weights + n_k, sums.largest) - weights;
    }
  });
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
                                                        const std::stop_token& stop) {
  auto result = std::make_shared<BlockStatistics>();
  const int layers = block.layer_count(), heads = block.heads();
  result->layers.resize(static_cast<std::size_t>(layers));
  if (layers == 0 || (layer && *layer >= layers)) return result;
  const int first = layer.value_or(0), count = layer ? 1 : layers;
  for (int l = first; l < first + count; ++l)
    result->layers[static_cast<std::size_t>(l)].resize(static_cast<std::size_t>(heads));
  const TokenMatches matches(block.tokens, block.key_tokens);
  constexpr Index cost_of_a_cell = 4;
  parallel_for(count * heads, cost_of_a_cell * count * heads * block.n_q() * block.n_k(),
               [&](Index i) noexcept {
                 if (stop.stop_requested()) return;
                 const int l = first + static_cast<int>(i) / heads, h = static_cast<int>(i) % heads;
                 result->layers[static_cast<std::size_t>(l)][static_cast<std::size_t>(h)] =
                     head_statistics(block, l, h, matches);
               });
  return stop.stop_requested() ? nullptr : result;
}

}  // namespace headscope
