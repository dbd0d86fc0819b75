#include "core/analysis/statistics.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <mutex>
#include <span>
#include <vector>

#include "core/analysis/row.h"
#include "core/base/matrix.h"
#include "core/base/parallel.h"
#include "core/base/round_up.h"
#include "core/base/stopped.h"
#include "core/base/translate.h"
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

template <auto member>
std::optional<double> of_row(const RowNumbers& row) {
  return row.*member;
}

// The statistics of a head that are means of its rows' numbers.
constexpr struct {
  std::optional<double> (*of_row)(const RowNumbers& row);
  std::optional<double> HeadStatistics::*mean;
} means_of_rows[] = {
    {of_row<&RowNumbers::entropy>, &HeadStatistics::entropy},
    {of_row<&RowNumbers::distance>, &HeadStatistics::mean_distance},
    {of_row<&RowNumbers::sparsity>, &HeadStatistics::sparsity},
    {of_row<&RowNumbers::diagonal>, &HeadStatistics::diagonal},
    {of_row<&RowNumbers::previous>, &HeadStatistics::previous},
    {of_row<&RowNumbers::next>, &HeadStatistics::next},
    {of_row<&RowNumbers::first>, &HeadStatistics::first},
    {of_row<&RowNumbers::same_token>, &HeadStatistics::same_token},
    {of_row<&RowNumbers::induction>, &HeadStatistics::induction},
    {of_row<&RowNumbers::no_token>, &HeadStatistics::no_token},
};
using Means = std::array<Mean, std::size(means_of_rows)>;

// A row of a map, each weight times `factor`.
struct ScaledRow {
  const float* weights;
  Index n_k;
  double factor;
  double operator[](Index key) const { return weights[key] * factor; }
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

  /// What no token takes in rows [begin, end) of a head; empty where heads have no sink.
  std::vector<float> no_token(int layer, int head, Index begin, Index end) const {
    std::vector<float> column(end - begin);
    const bool has = block_.shape.no_token && block_.maps->no_token(layer, head, begin, end, column.data());
    return has ? column : std::vector<float>();
  }
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
    numbers.entropy = n_k == 1 ? 0 : std::clamp(entropy / std::log(n_k), 0.0, 1.0);
    numbers.distance = sums.distance * row.factor;
    numbers.sparsity = static_cast<double>(sums.small) / static_cast<double>(n_k);
    numbers.largest = sums.largest * row.factor;
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
  for (std::size_t i = 0; i < means.size(); ++i)
    if (const std::optional<double> value = means_of_rows[i].of_row(row)) means[i].add(*value);
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
  const Index n_q = block.n_q(), blocks = divide_up(n_q, at_once);
  std::vector<RowNumbers> numbers(n_q);
  const bool reported = block.maps->row_numbers(layer, head, question, numbers);
  std::atomic<Index> next = 0;
  Index done = 0;
  std::mutex mutex;
  parallel_for(ThreadPool::cores(), cost_of_a_cell * n_q * block.n_k(), [&](Index) {
    Tensor rows;  // of one thread, for all its blocks
    for (Index i = next++; i < blocks && !stop_requested(question.stop); i = next++) {
      const Index begin = i * at_once, end = std::min(begin + at_once, n_q);
      const std::span<RowNumbers> of_block(numbers.data() + begin, end - begin);
      if (std::ranges::all_of(of_block, &RowNumbers::read)) continue;
      if (rows.empty()) rows = Tensor({at_once, block.n_k()});
      block.maps->rows(layer, head, begin, end, rows.data());
      const std::vector<float> no_token = reader.no_token(layer, head, begin, end);
      for (Index query = begin; query < end; ++query)
        if (RowNumbers& row = of_block[query - begin]; !row.read) {
          row = reader.read(query, rows.at(query - begin));
          if (!no_token.empty()) row.no_token = no_token[query - begin];
        }
      if (reported || !question.progress) continue;
      const std::lock_guard lock(mutex);
      question.progress(done += end - begin, n_q);
    }
  });
  for (Index query = 0; query < n_q; ++query) add(query, numbers[query], means, result);
}

}  // namespace

bool renormalizes_rows(const BlockTrace& block) {
  return block.interventions.dropout > 0 || block.shape.no_token;
}

HeadStatistics head_statistics(const BlockTrace& block, int layer, int head, const TokenMatches& matches,
                               const std::stop_token& stop, const StatisticsProgress& progress) {
  HeadStatistics result;
  if (block.tokens_alone) return head_statistics(*block.tokens_alone, layer, head, matches, stop, progress);
  // They are those of weights that sum to 1.
  if (block.n_k() == 0 || !block.shape.is_softmax(layer) || !block.shape.has_map(layer, head)) return result;
  const HeadRowsRead reader(block, matches);
  Means means;
  if (needs_pooling(block)) {
    RowQuestion question{&matches, block.shape.causal, stop};
    if (progress)
      question.progress = [&](Index done, Index all) {
        progress(static_cast<double>(done) / static_cast<double>(all));
      };
    read_shared_rows(block, layer, head, reader, question, means, result);
  } else {
    const std::vector<float> no_token = reader.no_token(layer, head, 0, block.n_q());
    for_each_row(*block.maps, layer, head, [&](Index query, const float* weights) {
      RowNumbers row = reader.read(query, weights);
      if (!no_token.empty()) row.no_token = no_token[query];
      add(query, row, means, result);
    });
    if (progress) progress(1);
  }
  for (std::size_t i = 0; i < means.size(); ++i) result.*means_of_rows[i].mean = means[i].value();
  if (!is_pooling(block.shape.kind)) return result;
  // A pooled row is at several keys.
  for (const auto of_places :
       {&HeadStatistics::mean_distance, &HeadStatistics::diagonal, &HeadStatistics::previous,
        &HeadStatistics::next, &HeadStatistics::same_token, &HeadStatistics::induction})
    (result.*of_places).reset();
  return result;
}

const HeadStatistics* BlockStatistics::find(int layer, int head) const {
  const std::size_t l = layer, h = head;
  return l < layers.size() && h < layers[l].size() ? &layers[l][h] : nullptr;
}

std::shared_ptr<const BlockStatistics> block_statistics(const BlockTrace& block, std::optional<int> layer,
                                                        const std::stop_token& stop,
                                                        const StatisticsProgress& progress) {
  if (block.tokens_alone) return block_statistics(*block.tokens_alone, layer, stop, progress);
  auto result = std::make_shared<BlockStatistics>();
  const int layers = block.layer_count(), heads = block.heads();
  result->layers.resize(layers);
  if (layers == 0 || (layer && *layer >= layers)) return result;
  const int first = layer.value_or(0), count = layer ? 1 : layers;
  for (int l = first; l < first + count; ++l) result->layers[l].resize(heads);
  const TokenMatches matches(block.tokens, block.key_tokens);
  const int all = count * heads;
  const auto read = [&](Index i, const StatisticsProgress& reported) {
    if (stop_requested(stop)) return;
    const int l = first + static_cast<int>(i) / heads, h = static_cast<int>(i) % heads;
    result->layers[l][h] = head_statistics(block, l, h, matches, stop, reported);
  };
  constexpr Index cost_of_a_cell = 4;
  if (needs_pooling(block)) {  // the threads share its rows
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
  return stop_requested(stop) ? nullptr : result;
}

namespace {

template <std::optional<double> HeadStatistics::*member>
std::optional<double> number(const HeadStatistics& head) {
  return head.*member;
}

// Definitions are those of HeadStatistics; w is a row's weight on a key, n_k the number of keys.
constexpr std::array head_column_rows{
    HeadColumn{"no_token", TR("No token"),
               TR("No token: mean over rows of 1 − Σ w, what the head's sink takes.\nThe other columns take "
                  "each row without it, as w / Σ w."),
               1, number<&HeadStatistics::no_token>, nullptr, true},
    HeadColumn{
        "entropy", TR("Entropy"),
        TR("Entropy: mean over rows of −Σ w ln w / ln n_k.\n0: all weight on one key, 1: spread evenly."), 1,
        number<&HeadStatistics::entropy>},
    HeadColumn{"mean_distance", TR("Mean distance"),
               TR("Mean distance: mean over rows of Σ w |i − j|, in tokens;\ni is the query's position, j "
                  "the key's."),
               0, number<&HeadStatistics::mean_distance>},
    HeadColumn{"largest", TR("Largest weight"), TR("Largest weight: max w over all cells."), 1,
               number<&HeadStatistics::largest>},
    HeadColumn{"diagonal", TR("Diagonal"), TR("Diagonal: mean over rows of w on the query itself, j = i."), 1,
               number<&HeadStatistics::diagonal>},
    HeadColumn{"previous", TR("Previous"),
               TR("Previous token: mean over rows of w on j = i − 1.\nHigh in previous-token heads (Elhage "
                  "et al. 2021)."),
               1, number<&HeadStatistics::previous>},
    HeadColumn{"next", TR("Next"), TR("Next token: mean over rows of w on j = i + 1."), 1,
               number<&HeadStatistics::next>},
    HeadColumn{"first", TR("First token"),
               TR("First token: mean over rows of w on j = 0.\nHigh where a head rests on an attention sink "
                  "(Xiao et al. 2023)."),
               1, number<&HeadStatistics::first>},
    HeadColumn{"same_token", TR("Same token"),
               TR("Same token: mean of Σ w over other positions holding the query's token,\nover rows that "
                  "have one (in a causal model earlier positions only). Empty where no token repeats.\n"
                  "High in duplicate-token heads (Wang et al. 2022)."),
               1, number<&HeadStatistics::same_token>},
    HeadColumn{
        "induction", TR("Induction"),
        TR("Induction: mean of Σ w over the keys right after earlier occurrences of the query's token\n"
           "(Olsson et al. 2022), over rows that have one. Empty where no token repeats."),
        1, number<&HeadStatistics::induction>},
    HeadColumn{"sparsity", TR("Sparsity"),
               TR("Sparsity: share of cells with w < 1 / n_k, blocked cells included."), 1,
               number<&HeadStatistics::sparsity>},
    HeadColumn{"copying_score", TR("Copying score"),
               TR("Copying score: Σ λ / Σ |λ| over the eigenvalues λ of W_E W_V W_O W_U, from the weights "
                  "alone.\n1: attending to a token raises that token's logit (Elhage et al. 2021)."),
               1, nullptr, &CircuitNumbers::copying_score},
    HeadColumn{"qk_effective_rank", TR("QK rank"),
               TR("Effective rank of W_Q W_Kᵀ: exp of the entropy of the singular values' shares\n"
                  "(Roy & Vetterli 2007), from the weights alone; at most d_k."),
               0, nullptr, &CircuitNumbers::qk_effective_rank},
    HeadColumn{"ov_effective_rank", TR("OV rank"),
               TR("Effective rank of W_V W_O: exp of the entropy of the singular values' shares\n"
                  "(Roy & Vetterli 2007), from the weights alone; at most d_k."),
               0, nullptr, &CircuitNumbers::ov_effective_rank},
};
constexpr std::size_t columns_of_circuits = 3, columns_of_sinks = 1;

}  // namespace

std::span<const HeadColumn> head_columns(bool with_circuits, bool with_sinks) {
  return std::span(head_column_rows)
      .first(head_column_rows.size() - (with_circuits ? 0 : columns_of_circuits))
      .subspan(with_sinks ? 0 : columns_of_sinks);
}

std::span<const HeadColumn> head_columns(const BlockTrace& block) {
  return head_columns(block.circuits != nullptr, block.shape.no_token);
}

bool has_column(const BlockTrace& block, const HeadColumn& column) {
  return column.of_circuits ? block.circuits != nullptr : !column.of_sinks || block.shape.no_token;
}

const HeadColumn* find_head_column(std::string_view name) {
  const auto found =
      std::ranges::find(head_column_rows, name, [](const HeadColumn& column) { return column.name; });
  return found == head_column_rows.end() ? nullptr : &*found;
}

std::shared_ptr<const RowSums> row_sums(const BlockTrace& block, int layer, std::stop_token stop) {
  auto sums = std::make_shared<RowSums>();
  if (!block.shape.is_softmax(layer)) return sums;
  double minimum = INFINITY, maximum = 0;
  for (int head = 0; head < block.heads_of(layer) && !stop_requested(stop); ++head) {
    const auto& empty = block.mask_of(layer).empty_queries(head);
    for_each_row(*block.maps, layer, head, [&](Index query, const float* row) {
      ++sums->rows;
      if (block.fills_with_infinity() && std::ranges::binary_search(empty, query)) {
        ++sums->empty;
        return;
      }
      const double sum = RowView(row, block.n_k()).cast<double>().sum();
      minimum = std::min(minimum, sum);
      maximum = std::max(maximum, sum);
    });
  }
  if (stop_requested(stop)) return nullptr;
  if (sums->rows > sums->empty) sums->minimum = minimum, sums->maximum = maximum;
  return sums;
}

std::shared_ptr<const std::vector<HeadAtCell>> heads_at_cell(const BlockTrace& block, Index query, Index key,
                                                             const std::stop_token& stop) {
  auto heads = std::make_shared<std::vector<HeadAtCell>>();
  for (int layer = 0; layer < block.layer_count(); ++layer)
    for (int head = 0; head < block.heads_of(layer) && block.shape.is_softmax(layer); ++head) {
      if (stop_requested(stop)) return nullptr;
      heads->push_back({layer, head, block.maps->weight(layer, head, query, key)});
    }
  std::ranges::stable_sort(*heads, std::greater<>(), &HeadAtCell::weight);
  return heads;
}

}  // namespace headscope
