#include "core/analysis/circuit_file.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/analysis/statistics.h"
#include "core/inputs/head_places.h"
#include "core/inputs/names.h"
#include "core/io/csv.h"

namespace headscope {
namespace {

using Json = nlohmann::ordered_json;

/// Arrays, the same as lines, and what they are about.
struct Written {
  TraceArrays arrays;
  std::string table;
  Json about;
};

std::vector<double> flat(const OfHeads& values) {
  std::vector<double> all;
  for (const std::vector<double>& layer : values) all.insert(all.end(), layer.begin(), layer.end());
  return all;
}

/// Columns of numbers by layer and head.
void write_heads(const Circuits& circuits, Written& out) {
  const std::vector<Index> shape{circuits.layers(), circuits.heads()};
  const CircuitNumbers numbers = circuits.numbers();
  std::vector<std::vector<double>> columns;
  out.table = "layer,head";
  for (const HeadColumn& column : head_columns(true)) {
    if (column.of_circuits == nullptr) continue;
    columns.push_back(flat(numbers.*column.of_circuits));
    out.arrays.add(column.name, shape, columns.back());
    out.table += fmt::format(",{}", column.name);
  }
  out.table += '\n';
  for (Index i = 0; i < circuits.layers() * circuits.heads(); ++i) {
    out.table += fmt::format("{},{}", i / circuits.heads(), i % circuits.heads());
    for (const std::vector<double>& values : columns) out.table += fmt::format(",{}", values[i]);
    out.table += '\n';
  }
}

void write_composition(const Circuits& circuits, Composition how, Written& out) {
  const Index layers = circuits.layers(), heads = circuits.heads();
  std::vector<double> values(layers * heads * layers * heads);
  out.table = "layer,head,later_layer,later_head,composition\n";
  for (Index layer = 0; layer < layers; ++layer)
    for (Index later = layer + 1; later < layers; ++later) {
      const Eigen::MatrixXd pairs = circuits.composition(how, layer, later);
      for (Index head = 0; head < heads; ++head)
        for (Index other = 0; other < heads; ++other)
          values[((layer * heads + head) * layers + later) * heads + other] = pairs(head, other);
    }
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Index at = i;
    const Index later = at / heads % layers, layer = at / (heads * layers * heads);
    if (later > layer)
      out.table +=
          fmt::format("{},{},{},{},{}\n", layer, at / (heads * layers) % heads, later, at % heads, values[i]);
  }
  out.arrays.add("composition", {layers, heads, layers, heads}, values);
  out.about["composition"] = to_name(how);
  out.about["random"] = circuits.random_composition();
}

std::vector<double> scores_of(const std::vector<TokenScore>& tokens) {
  std::vector<double> scores;
  for (const TokenScore& token : tokens) scores.push_back(token.score);
  return scores;
}

void write_head(const Circuits& circuits, const HeadCircuit& of, const Predictions& predictions,
                Written& out) {
  const HeadPlace& head = of.head;
  constexpr Index listed = 10;
  out.about["head"] = to_string(std::set<HeadPlace>{head});
  out.table = "list,rank,token,token_id,value\n";
  const auto add_tokens = [&](const std::string& name, const std::vector<TokenScore>& tokens) {
    std::vector<std::int64_t> ids;
    for (const TokenScore& token : tokens) ids.push_back(token.id);
    out.arrays.add(name + "_ids", std::move(ids));
    out.arrays.add(name, {std::ssize(tokens)}, scores_of(tokens));
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      const std::string text = predictions.token(tokens[i].id);
      out.table += fmt::format("{},{},{},{},{}\n", name, i, csv_field(text), tokens[i].id, tokens[i].score);
      out.about[name].push_back({{"token", text}, {"token_id", tokens[i].id}, {"value", tokens[i].score}});
    }
  };
  if (of.token) {
    out.about["token"] = predictions.token(*of.token);
    const Eigen::VectorXd logits = circuits.ov_logits(head.layer, head.head, *of.token);
    add_tokens("ov_raises", extreme_tokens(logits, listed, true));
    add_tokens("ov_lowers", extreme_tokens(logits, listed, false));
    out.about["distance"] = of.distance;
    add_tokens("qk_matches", extreme_tokens(circuits.qk_scores(head.layer, head.head, *of.token, of.distance),
                                            listed, true));
  }
  for (const bool of_ov : {false, true}) {
    const std::vector<double> values = circuits.singular_values(head.layer, head.head, of_ov);
    const std::string name = of_ov ? "ov_singular_values" : "qk_singular_values";
    out.arrays.add(name, {std::ssize(values)}, values);
    for (std::size_t i = 0; i < values.size(); ++i)
      out.table += fmt::format("{},{},,,{}\n", name, i, values[i]);
    const std::vector<DirectionTokens> directions = direction_tokens(circuits, head.layer, head.head, of_ov);
    for (std::size_t i = 0; i < directions.size(); ++i) {
      const std::string direction = fmt::format("{}_direction_{}", of_ov ? "ov" : "qk", i);
      add_tokens(direction + (of_ov ? "_writes" : "_query"), directions[i].left);
      add_tokens(direction + (of_ov ? "_reads" : "_key"), directions[i].right);
    }
  }
}

ArrayExport file_of(const CircuitOrigin& origin, const std::function<void(Written& out)>& write) {
  Written out;
  out.about = {{"model", origin.model},
               {"norms", "weights folded, mean removed, no normalization"},
               {"logits", origin.center_logits ? "minus their mean over the vocabulary" : "as they are"},
               {"biases", "left out"},
               {"positions", "left out, but for rotary ones at the distance"}};
  write(out);
  return {std::move(out.arrays), std::move(out.table), out.about.dump()};
}

}  // namespace

ArrayExport circuit_file(const Circuits& circuits, const CircuitOrigin& origin) {
  return file_of(origin, [&](Written& out) { write_heads(circuits, out); });
}

ArrayExport composition_file(const Circuits& circuits, Composition how, const CircuitOrigin& origin) {
  return file_of(origin, [&](Written& out) { write_composition(circuits, how, out); });
}

ArrayExport circuit_file(const Circuits& circuits, const HeadCircuit& of, const Predictions& predictions,
                         const CircuitOrigin& origin) {
  return file_of(origin, [&](Written& out) { write_head(circuits, of, predictions, out); });
}

}  // namespace headscope
