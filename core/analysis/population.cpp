#include "core/analysis/population.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <numeric>

#include "core/text/translate.h"

namespace headscope {
namespace {

using Value = std::optional<double>;

template <double HeadStatistics::*member>
Value number(const HeadStatistics& head) {
  return head.*member;
}
template <double HeadStatistics::*member>
Value number_of_repeats(const HeadStatistics& head) {
  if (!head.repeats) return {};
  return head.*member;
}

// Definitions are those of core/analysis/statistics.h; w is a row's weight on a key, n_k the number of keys.
constexpr std::array columns{
    HeadColumn{"entropy", TR("Entropy"),
               TR("Entropy: mean over rows of -Σ w ln w / ln n_k.\n0: all on one key, 1: the same on all."),
               1, number<&HeadStatistics::entropy>},
    HeadColumn{
        "mean_distance", TR("Mean distance"),
        TR("Mean distance: mean over rows of Σ w |i - j|, in tokens;\ni is the query's place, j the key's."),
        0, number<&HeadStatistics::mean_distance>},
    HeadColumn{"largest", TR("Largest weight"), TR("Largest weight: max w over all cells."), 1,
               number<&HeadStatistics::largest>},
    HeadColumn{"diagonal", TR("Diagonal"), TR("Diagonal: mean over rows of w on the query itself, j = i."), 1,
               number<&HeadStatistics::diagonal>},
    HeadColumn{"previous", TR("Previous"), TR("Previous token: mean over rows of w on j = i - 1."), 1,
               number<&HeadStatistics::previous>},
    HeadColumn{"next", TR("Next"), TR("Next token: mean over rows of w on j = i + 1."), 1,
               number<&HeadStatistics::next>},
    HeadColumn{"first", TR("First token"), TR("First token: mean over rows of w on j = 0."), 1,
               number<&HeadStatistics::first>},
    HeadColumn{
        "same_token", TR("Same token"),
        TR("Same token: mean of Σ w over other places that hold the query's token,\nover rows that have one. "
           "Empty where no token repeats."),
        1, number_of_repeats<&HeadStatistics::same_token>},
    HeadColumn{
        "induction", TR("Induction"),
        TR("Induction: mean of Σ w over the keys right after earlier occurrences of the query's token\n"
           "(Olsson et al. 2022), over rows that have one. Empty where no token repeats."),
        1, number_of_repeats<&HeadStatistics::induction>},
    HeadColumn{"sparsity", TR("Sparsity"),
               TR("Sparsity: share of cells with w < 1 / n_k, masked cells included."), 1,
               number<&HeadStatistics::sparsity>},
};

}  // namespace

std::span<const HeadColumn> head_columns() {
  return columns;
}

const HeadColumn* find_head_column(std::string_view name) {
  const auto found = std::ranges::find(columns, name, [](const HeadColumn& column) { return column.name; });
  return found == columns.end() ? nullptr : &*found;
}

std::vector<int> sorted_heads(const std::vector<HeadStatistics>& heads, std::string_view sort,
                              bool descending) {
  std::vector<int> order(heads.size());
  std::iota(order.begin(), order.end(), 0);
  const HeadColumn* column = find_head_column(sort);
  if (!column) return order;
  const auto value = [&](int head) { return column->value(heads[static_cast<std::size_t>(head)]); };
  std::ranges::stable_sort(order, [&](int a, int b) {
    const Value x = value(a), y = value(b);
    if (!x || !y) return x.has_value() && !y.has_value();
    return descending ? *x > *y : *x < *y;
  });
  return order;
}

std::string heads_csv(const Trace& trace, int layer) {
  std::string text = "layer,head";
  for (const HeadColumn& column : columns) text += fmt::format(",{}", column.name);
  text += '\n';
  for (std::size_t l = 0; l < trace.statistics.size(); ++l) {
    if (layer >= 0 && l != static_cast<std::size_t>(layer)) continue;
    for (std::size_t h = 0; h < trace.statistics[l].size(); ++h) {
      text += fmt::format("{},{}", l, h);
      for (const HeadColumn& column : columns) {
        const Value value = column.value(trace.statistics[l][h]);
        text += value ? fmt::format(",{}", *value) : ",";
      }
      text += '\n';
    }
  }
  return text;
}

std::string heads_json(const Trace& trace, int layer) {
  nlohmann::ordered_json heads = nlohmann::ordered_json::array();
  for (std::size_t l = 0; l < trace.statistics.size(); ++l) {
    if (layer >= 0 && l != static_cast<std::size_t>(layer)) continue;
    for (std::size_t h = 0; h < trace.statistics[l].size(); ++h) {
      nlohmann::ordered_json head{{"layer", l}, {"head", h}};
      for (const HeadColumn& column : columns) {
        const Value value = column.value(trace.statistics[l][h]);
        head[column.name] = value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json();
      }
      heads.push_back(std::move(head));
    }
  }
  return nlohmann::ordered_json{{"heads", std::move(heads)}}.dump(2) + "\n";
}

}  // namespace headscope
