#include "core/scene/head_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>

#include "core/base/translate.h"
#include "core/io/csv.h"
#include "core/scene/readable_numbers.h"
#include "core/source/source.h"

namespace headscope {
namespace {

// `value` returns an optional; rows without one come last in both orders.
template <typename Get>
void sort_rows(std::vector<HeadRow>& rows, bool descending, const Get& value) {
  std::ranges::stable_sort(rows, [&](const HeadRow& a, const HeadRow& b) {
    const auto x = value(a), y = value(b);
    if (!x || !y) return x.has_value() && !y.has_value();
    return descending ? *x > *y : *x < *y;
  });
}

bool any_name(const HeadNotes& notes) {
  return std::ranges::any_of(notes.labels, [](const HeadLabel& label) { return !label.name.empty(); });
}

std::string name_of(const HeadNotes& notes, const HeadRow& row) {
  const HeadLabel* label = find_label(notes.labels, row.layer, row.head);
  return label == nullptr ? "" : label->name;
}

std::vector<RelationOfHead> relations_of_row(const HeadNotes& notes, const HeadRow& row) {
  std::vector<RelationOfHead> relations;
  std::ranges::copy_if(notes.relations, std::back_inserter(relations), [&](const RelationOfHead& one) {
    return one.layer == row.layer && one.head == row.head;
  });
  return relations;
}

// "pronoun-antecedent 1.00 guided; verb-subject 0.20"
std::string relation_field(const HeadNotes& notes, const HeadRow& row) {
  std::string text;
  for (const RelationOfHead& one : relations_of_row(notes, row))
    text += fmt::format("{}{} {:.2f}{}", text.empty() ? "" : "; ", one.relation->name, one.score,
                        one.guided ? " guided" : "");
  return text;
}

std::size_t width_of(const std::string& text) {
  return std::ranges::count_if(text, [](unsigned char c) { return (c & 0xC0U) != 0x80U; });
}

/// Those with a number of any row.
std::vector<const HeadColumn*> read_columns(const std::vector<HeadRow>& rows) {
  std::vector<const HeadColumn*> columns;
  for (const HeadColumn& column : columns_of(rows))
    if (std::ranges::any_of(rows, [&](const HeadRow& row) { return row.value(column).has_value(); }))
      columns.push_back(&column);
  return columns;
}

std::vector<std::string> header_cells(const std::vector<const HeadColumn*>& columns, const HeadNotes& notes) {
  std::vector<std::string> cells{"layer", "head"};
  if (notes.tree != nullptr) cells.emplace_back("group");
  if (!notes.weights.empty()) cells.emplace_back("weight");
  for (const HeadColumn* const column : columns) cells.emplace_back(column->name);
  return cells;
}

std::vector<std::string> cells_of(const std::vector<const HeadColumn*>& columns,
                                  const std::vector<HeadRow>& rows, const HeadNotes& notes,
                                  const HeadRow& row) {
  std::vector<std::string> cells{fmt::format("{}", row.layer), fmt::format("{}", row.head)};
  if (notes.tree != nullptr) {
    const int group = notes.tree->group_of(row.layer, row.head);
    cells.push_back(group < 0 ? "" : fmt::format("{}", group));
  }
  if (!notes.weights.empty()) cells.push_back(statistic_text(notes.weights[&row - rows.data()]));
  for (const HeadColumn* const column : columns) {
    const std::optional<double> value = row.value(*column);
    cells.push_back(value ? statistic_text(*value) : "");
  }
  return cells;
}

/// What makers and users say of a head, behind its numbers.
std::string words_of(const HeadNotes& notes, const HeadRow& row) {
  const std::string name = name_of(notes, row), relation = relation_field(notes, row);
  return (name.empty() ? "" : "  " + name) + (relation.empty() ? "" : "  " + relation);
}

}  // namespace

std::string statistic_text(double value) {
  const bool small = value != 0 && std::abs(value) < 0.01;
  return with_minus(small ? fmt::format("{:.2g}", value) : fmt::format("{:.3f}", value));
}

const char* statistics_note(const BlockTrace& block, std::optional<int> layer) {
  if (layer ? !block.shape.is_softmax(*layer) : block.shape.softmax_layers() == 0)
    return TR("These numbers are of softmax weights, and here are none: a state's rows need not sum to 1.");
  if (!layer && block.shape.has_equivalent_maps())
    return TR("These numbers are of softmax weights; heads of layers with a state have none.");
  if (block.shape.no_token)
    return TR(
        "These numbers are of the weights of tokens: each row without what no token takes, renormalized.");
  if (renormalizes_rows(block)) return TR("Dropout is on: each row is renormalized to sum to 1.");
  return block.cells.maps ? TR("These numbers are of the attention weights, whatever cells show.") : nullptr;
}

std::span<const HeadSortName> head_sort_names() {
  static const std::vector<HeadSortName> names = [] {
    std::vector<HeadSortName> all{
        {"", TR("Number")},
        {"name", TR("Name"), TR("By the names you gave them; unnamed heads come last")},
        {"similarity", TR("Similarity"),
         TR("Similar heads (Jensen–Shannon distance) are placed side by side")}};
    for (const HeadColumn& column : head_columns(true, true))
      all.push_back({column.name, column.title, column.formula, &column});
    return all;
  }();
  return names;
}

const HeadSortName* find_head_sort(std::string_view by) {
  const auto names = head_sort_names();
  const auto found =
      std::ranges::find(names, by, [](const HeadSortName& name) { return std::string_view(name.by); });
  return found == names.end() ? nullptr : &*found;
}

std::optional<double> HeadRow::value(const HeadColumn& column) const {
  if (!knows(column)) return {};
  if (column.of_circuits == nullptr) return column.value(*statistics);
  return (circuits->*column.of_circuits)[layer][head];
}

std::span<const HeadColumn> columns_of(const std::vector<HeadRow>& rows) {
  const bool sinks = std::ranges::any_of(
      rows, [](const HeadRow& row) { return row.statistics != nullptr && row.statistics->no_token; });
  return head_columns(!rows.empty() && rows.front().circuits != nullptr, sinks);
}

bool sorts_by_circuits(const HeadSort& sort) {
  const HeadColumn* const column = find_head_column(sort.by);
  return column != nullptr && column->of_circuits != nullptr;
}

bool sorts_by_statistics(const HeadSort& sort) {
  return find_head_column(sort.by) != nullptr && !sorts_by_circuits(sort);
}

std::vector<HeadRow> sorted_rows(const BlockTrace& block, const BlockStatistics* statistics,
                                 const HeadSort& sort, const std::vector<HeadLabel>& labels,
                                 const HeadSimilarity* similarity, const CircuitNumbers* circuits) {
  std::vector<HeadRow> rows;
  for (int l = 0; l < block.layer_count(); ++l)
    for (int h = 0; h < block.heads_of(l); ++h)
      rows.push_back({l, h, statistics == nullptr ? nullptr : statistics->find(l, h), circuits});
  const bool descending = sort.descending;
  if (const HeadColumn* column = find_head_column(sort.by)) {
    sort_rows(rows, descending, [&](const HeadRow& row) { return row.value(*column); });
  } else if (sort.by == "name") {
    sort_rows(rows, descending, [&](const HeadRow& row) {
      const HeadLabel* label = find_label(labels, row.layer, row.head);
      return label != nullptr && !label->name.empty() ? std::optional(label->name) : std::nullopt;
    });
  } else if (sort.by == "similarity" && similarity != nullptr) {
    std::map<std::pair<int, int>, int> places;
    for (const int i : similarity->order) {
      const HeadSimilarity::Head& head = similarity->heads[i];
      places.emplace(std::pair(head.layer, head.head), static_cast<int>(places.size()));
    }
    sort_rows(rows, false, [&](const HeadRow& row) {
      const auto found = places.find({row.layer, row.head});
      return found == places.end() ? std::nullopt : std::optional(found->second);
    });
  }
  return rows;
}

double full_bar(const HeadColumn& column, const std::vector<HeadRow>& rows) {
  double high = column.high;
  if (high <= 0)
    for (const HeadRow& row : rows) high = std::max(high, row.value(column).value_or(0));
  return high > 0 ? high : 1;
}

std::vector<int> sorted_heads(const BlockTrace& block, int layer, const BlockStatistics* statistics,
                              const HeadSort& sort, const std::vector<HeadLabel>& labels,
                              const HeadSimilarity* similarity, const CircuitNumbers* circuits) {
  std::vector<int> heads;
  for (const HeadRow& row : sorted_rows(block, statistics, sort, labels, similarity, circuits))
    if (row.layer == layer) heads.push_back(row.head);
  return heads;
}

std::vector<RelationOfHead> relations_of(const Trace& trace, BlockKind block) {
  const ModelNotes* notes = trace.about().model_notes;
  std::vector<RelationOfHead> relations;
  if (notes == nullptr) return relations;
  std::ranges::copy_if(notes->relations, std::back_inserter(relations),
                       [block](const RelationOfHead& one) { return one.block == block; });
  return relations;
}

std::string heads_csv(const std::vector<HeadRow>& rows, const HeadNotes& notes) {
  std::string text = "layer,head,layer_shown,head_shown,name";
  if (!notes.relations.empty()) text += ",relation";
  if (notes.tree != nullptr) text += ",group";
  if (!notes.weights.empty()) text += ",weight";
  for (const HeadColumn& column : columns_of(rows)) text += fmt::format(",{}", column.name);
  text += '\n';
  for (const HeadRow& row : rows) {
    text += fmt::format("{},{},{},{},{}", row.layer, row.head, row.layer + 1, row.head + 1,
                        csv_field(name_of(notes, row)));
    if (!notes.relations.empty()) text += "," + csv_field(relation_field(notes, row));
    if (notes.tree != nullptr) {
      const int group = notes.tree->group_of(row.layer, row.head);
      text += group < 0 ? "," : fmt::format(",{}", group);
    }
    if (!notes.weights.empty()) text += fmt::format(",{}", notes.weights[&row - rows.data()]);
    for (const HeadColumn& column : columns_of(rows)) {
      const std::optional<double> value = row.value(column);
      text += value ? fmt::format(",{}", *value) : ",";
    }
    text += '\n';
  }
  return text;
}

std::string heads_text(const std::vector<HeadRow>& rows, const HeadNotes& notes) {
  const std::vector<const HeadColumn*> columns = read_columns(rows);
  std::vector<std::vector<std::string>> lines{header_cells(columns, notes)};
  for (const HeadRow& row : rows) lines.push_back(cells_of(columns, rows, notes, row));
  std::vector<std::size_t> widths(lines.front().size());
  for (const std::vector<std::string>& cells : lines)
    for (std::size_t i = 0; i < cells.size(); ++i) widths[i] = std::max(widths[i], width_of(cells[i]));
  std::string text;
  for (std::size_t line = 0; line < lines.size(); ++line) {
    for (std::size_t i = 0; i < widths.size(); ++i)
      text += std::string((i > 0 ? 2 : 0) + widths[i] - width_of(lines[line][i]), ' ') + lines[line][i];
    text += (line == 0 ? "" : words_of(notes, rows[line - 1])) + "\n";
  }
  text.pop_back();
  return text;
}

std::string heads_json(const std::vector<HeadRow>& rows, const HeadNotes& notes) {
  nlohmann::ordered_json heads = nlohmann::ordered_json::array();
  for (const HeadRow& row : rows) {
    nlohmann::ordered_json head{{"layer", row.layer}, {"head", row.head}};
    if (any_name(notes)) head["name"] = name_of(notes, row);
    if (!notes.relations.empty()) {
      nlohmann::ordered_json relations = nlohmann::ordered_json::array();
      for (const RelationOfHead& one : relations_of_row(notes, row))
        relations.push_back({{"relation", one.relation->name}, {"score", one.score}, {"guided", one.guided}});
      head["relations"] = std::move(relations);
    }
    if (notes.tree != nullptr) {
      const int group = notes.tree->group_of(row.layer, row.head);
      head["group"] = group < 0 ? nlohmann::ordered_json() : nlohmann::ordered_json(group);
    }
    if (!notes.weights.empty()) head["weight"] = notes.weights[&row - rows.data()];
    for (const HeadColumn& column : columns_of(rows)) {
      const std::optional<double> value = row.value(column);
      head[column.name] = value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json();
    }
    heads.push_back(std::move(head));
  }
  return nlohmann::ordered_json{{"heads", std::move(heads)}}.dump(2) + "\n";
}

std::span<const HeadTableFormat> head_table_formats() {
  static constexpr HeadTableFormat rows[] = {{".csv", heads_csv}, {".json", heads_json}};
  return rows;
}

}  // namespace headscope
