#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/notes.h"
#include "app/cli/run_inputs.h"
#include "core/analysis/arithmetic_stages.h"
#include "core/analysis/cell_arithmetic.h"
#include "core/analysis/stage_maker.h"
#include "core/base/error.h"
#include "core/base/utf8.h"
#include "core/inputs/names.h"
#include "core/scene/scene.h"
#include "core/source/maps/no_token.h"
#include "core/source/maps/pooled_maps.h"

namespace headscope {
namespace {

using Json = nlohmann::ordered_json;

Json number(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}
// A float's own digits, not those of the double next to it: 0.1, not 0.10000000149011612.
Json number(float value) {
  return std::isfinite(value) ? Json(std::stod(fmt::format("{}", value))) : Json(nullptr);
}

template <typename Row>
Json json_list(const Row& row) {
  Json values = Json::array();
  for (Index i = 0; i < row.size(); ++i) values.push_back(number(row[i]));
  return values;
}
Json rows(const MatrixOf<double>& matrix) {
  Json values = Json::array();
  for (Index i = 0; i < matrix.rows(); ++i) values.push_back(json_list(matrix.row(i)));
  return values;
}

const std::string& text_of(const std::vector<Token>& tokens, int i) {
  return tokens[i].text;
}

/// A norm applied to the query's or the key's row.
Json norm_of(const NormedRow& norm) {
  Json json;
  json["kind"] = norm.scale ? "scale" : norm.rms ? "rms" : "layer";
  json["epsilon"] = norm.epsilon;
  if (!norm.rms) json["mean"] = number(norm.mean);
  json["deviation"] = number(norm.deviation);
  json["weight"] = json_list(norm.weight);
  if (norm.bias.size() > 0) json["bias"] = json_list(norm.bias);
  return json;
}

/// What a trained layer has in addition to the equation; see core/analysis/ARITHMETIC.md.
void add_trained(const BlockTrace& block, const CellArithmetic& cell, Json& json) {
  const CellIntermediates& way = cell.way;
  const auto add_norm = [&](const char* name, const char* result, const std::optional<NormedRow>& norm) {
    if (!norm) return;
    json[name] = norm_of(*norm);
    json[result] = json_list(norm->y);
  };
  add_norm("query_norm", "x_normed", way.query_norm);
  add_norm("key_norm", "key_x_normed", way.key_norm);
  add_norm("query_latent_norm", "query_latent", way.query_latent);
  add_norm("key_latent_norm", "key_latent", way.key_latent);
  json["q_projected"] = json_list(way.q_projected);
  json["k_projected"] = json_list(way.k_projected);
  json["v"] = json_list(as_matrix(way.v).row(cell.place.key));
  if (way.limit > 0) {
    json["limit"] = number(way.limit);
  }
  if (way.v_projected.size() > 0) json["v_projected"] = json_list(way.v_projected);
  if (way.v_norm) json["v_norm"] = norm_of(*way.v_norm);
  if (way.keys_from >= 0) json["keys_from"] = way.keys_from;
  if (way.values_are_keys) json["values_are_keys"] = true;
  if (way.layer_factor != 1) json["layer_factor"] = number(way.layer_factor);
  if (way.q_norm) {
    json["q_norm"] = norm_of(*way.q_norm);
    json["k_norm"] = norm_of(*way.k_norm);
    json["q_normed"] = json_list(way.q_before_turn);
    json["k_normed"] = json_list(way.k_before_turn);
  }
  if (way.q_turn) {
    json["q_unrotated"] = json_list(way.q_turn->before);
    json["k_unrotated"] = json_list(way.k_turn->before);
    json["q_rotated"] = json_list(cell.q);
    json["k_rotated"] = json_list(cell.k);
    Json pairs = Json::array();
    const Index count = way.q_turn->angle.size();
    for (Index i = 0; i < count; ++i) pairs.push_back({way.q_turn->first(i), way.q_turn->second(i)});
    json["rotary_pairs"] = std::move(pairs);
    json["query_angles"] = json_list(way.q_turn->angle);
    json["key_angles"] = json_list(way.k_turn->angle);
    json["rotary_factor"] = number(count > 0 ? std::hypot(way.q_turn->cosine[0], way.q_turn->sine[0]) : 1);
  }
  if (cell.rule.cap > 0) {
    json["score_cap"] = number(cell.rule.cap);
    json["uncapped"] = json_list(way.uncapped);
  }
  if (cell.rule.sink) json["sink"] = number(*cell.rule.sink);
  if (cell.rule.slope > 0) {
    json["linear_slope"] = number(cell.rule.slope);
    json["linear_bias"] = number(cell.rule.bias[cell.place.key]);
    json["linear_biases"] = json_list(cell.rule.bias);
  }
  if (cell.rule.repeats > 1) {
    json["repeats"] = cell.place.key < cell.rule.repeated ? cell.rule.repeats : 1;
    json["repeats_bias"] = number(cell.rule.bias[cell.place.key]);
    json["repeats_biases"] = json_list(cell.rule.bias);
  }
  if (cell.way.global) json["global_query"] = true;
  if (cell.rule.to_position.size() > 0) {
    const Index j = cell.place.key;
    json["position_distance"] = cell.rule.distances[j];
    json["content_to_position"] = number(cell.rule.to_position[j]);
    json["content_to_positions"] = json_list(cell.rule.to_position);
    if (cell.rule.from_position.size() > 0) {
      json["position_to_content"] = number(cell.rule.from_position[j]);
      json["positions_to_content"] = json_list(cell.rule.from_position);
    }
    if (cell.rule.of_segment.size() > 0) {
      json["in_segment"] = cell.rule.in_segment[j];
      json["content_to_segment"] = number(cell.rule.of_segment[j]);
      json["content_to_segments"] = json_list(cell.rule.of_segment);
    }
  }
  if (!cell.rule.buckets.empty()) {
    const Index j = cell.place.key;
    json["relative_distance"] = j - cell.place.query;
    json["relative_bucket"] = cell.rule.buckets[j];
    json["relative_bias"] = number(cell.rule.bias[j]);
    json["relative_buckets"] = cell.rule.buckets;
    json["relative_biases"] = json_list(cell.rule.bias);
  }
  if (way.head_off) {
    json["head_off"] = to_name(block.interventions.ablation);
    json["context_used"] = json_list(cell.concat
                                         .segment(cell.place.head * block.shape.d_v_of(cell.place.layer),
                                                  block.shape.d_v_of(cell.place.layer))
                                         .eval());
  }
  if (way.gate.size() > 0) {
    json["gate"] = json_list(way.gate);
    json["context_gated"] = json_list(cell.gated());
  }
  add_norm("added_norm", "output_normed", way.added_norm);
  if (way.added_factor != 1) json["added_factor"] = number(way.added_factor);
  if (way.beside.size() > 0) json["state_added"] = json_list(way.beside);
  if (way.key_factor != 1) json["key_factor"] = number(way.key_factor);
  if (way.input_factor != 1) json["input_factor"] = number(way.input_factor);
  json["residual"] = json_list(cell.add_and_norm->sum);
  if (!way.experts.empty()) {
    Json experts = Json::array();
    for (const auto& [expert, weight] : way.experts)
      experts.push_back({{"expert", expert}, {"weight", number(weight)}});
    json["experts"] = std::move(experts);
  }
  add_norm("output_norm", "residual_normed", cell.add_and_norm->norm);
}

/// Of a layer that has no softmax.
void add_state(const BlockTrace& block, const CellArithmetic& cell, Json& json) {
  const StateCell& state = *cell.way.state;
  json["mixer"] = to_name(block.shape.mixer_of(cell.place.layer));
  json["decay"] = number(state.decay);
  json["product"] = number(state.product);
  json["left"] = number(state.left);
  json["strength"] = number(state.strength);
  json["skip"] = number(state.skip);
  json["cell"] = number(state.value);
  json["row"] = json_list(cell.weights);
  json["v"] = json_list(as_matrix(cell.way.v).row(cell.place.key));
  json["weighted_values"] = rows(cell.weighted_values);
  json["context"] = json_list(cell.context);
}

void print_json(const BlockTrace& block, const CellArithmetic& cell, const Translator& tr) {
  Json json;
  json["layer"] = cell.place.layer;
  json["head"] = cell.place.head;
  json["query"] = cell.place.query;
  json["key"] = cell.place.key;
  json["block"] = to_name(block.shape.kind);
  json["kv_head"] = cell.kv_head;
  json["query_token"] = text_of(block.tokens, cell.place.query);
  json["key_token"] = text_of(block.key_tokens, cell.place.key);
  const bool given = block.maps->given();
  if (given) json["left_out"] = left_out(block, tr);
  if (cell.x.size() > 0) json["x"] = json_list(cell.x);
  if (cell.key_x.size() > 0) json["key_x"] = json_list(cell.key_x);
  if (const auto& made = cell.way.made_of) {
    using By = MadeRow::By;
    Json of = Json::array();
    for (const Eigen::RowVectorXd& row : made->rows) of.push_back(json_list(row));
    json["made_of"] = std::move(of);
    json["made_by"] = made->by == By::mean ? "mean" : made->by == By::largest ? "largest" : "sum";
  }
  if (cell.way.state) {
    add_state(block, cell, json);
    return fmt::print("{}\n", json.dump(1, ' ', false, Json::error_handler_t::replace));
  }
  json["q"] = json_list(cell.q);
  json["k"] = json_list(cell.k);
  json["products"] = json_list(cell.products);
  json["dot"] = number(cell.dot);
  if (!given || cell.rule.by_sqrt_d_k) json["scale"] = number(cell.scale);
  json["temperature"] = number(cell.temperature);
  if (cell.scores.size() > 0) {
    json["score"] = number(static_cast<float>(cell.score));
    json["masked"] = json_list(cell.tempered);
    json["row_max"] = number(cell.row_max);
    json["exponentials"] = json_list(cell.exponentials);
    json["row_sum"] = number(cell.row_sum);
  }
  json["weights"] = json_list(cell.weights);
  if (cell.dropout.size() > 0) json["dropout"] = json_list(cell.dropout);
  if (cell.context.size() > 0) {
    json["weighted_values"] = rows(cell.weighted_values);
    json["context"] = json_list(cell.context);
  }
  if (!given) {
    json["w_o_terms"] = rows(cell.w_o_terms);
    json["b_o"] = json_list(cell.b_o);
    json["output"] = json_list(cell.output);
  }
  if (block.computed_layers && !given) add_trained(block, cell, json);
  fmt::print("{}\n", json.dump(1, ' ', false, Json::error_handler_t::replace));
}

/// With four decimals, for numbers that nothing is computed from.
std::string digits(double value) {
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  if (value == 0) return "0.0000";  // of either sign
  const double size = std::abs(value);
  return (size >= 5e-5 && size < 1e6) ? fmt::format("{:.4f}", value) : fmt::format("{:.3e}", value);
}

/// A printed number in machine-readable form.
std::string plain(std::string text) {
  for (const auto& [from, to] : {std::pair{"−", "-"}, {"∞", "inf"}})
    for (std::size_t at; (at = text.find(from)) != std::string::npos;)
      text.replace(at, std::string_view(from).size(), to);
  return text;
}
std::string plain(double value, int decimals) {
  return plain(printed_number(value, decimals));
}
std::string plain(const StageValue& number) {
  return plain(number.value, number.decimals);
}

struct TableColumn {
  std::string title;
  std::function<std::string(Index row)> text;
  /// For rows that are left out; empty: nothing is printed for them.
  std::function<std::string(Index from, Index count)> sum = {};
  int width = 11;
};
/// As printed; for rows that are left out the sum of their printed values.
TableColumn column_of(std::string title, const StageTerms::Column& column, bool adds, int width = 11) {
  TableColumn of{std::move(title), [&](Index row) { return plain(column.values[row], column.decimals); }};
  of.width = width;
  if (adds)
    of.sum = [&](Index from, Index count) {
      const auto begin = column.values.begin() + from;
      return plain(sum_as_printed({begin, begin + count}, column.decimals), column.decimals);
    };
  return of;
}

/// Prints `count` rows; if there are many, only those at both ends and around `chosen`, which is marked, with
/// a line for those between: how many, and their sums. The last column is the rows' `labels`.
void print_table(const char* index, Index count, Index chosen, const std::vector<TableColumn>& columns,
                 const std::string& label = "", const std::vector<Token>& labels = {}) {
  constexpr Index maximum = 16, at_ends = 4, beside = 3;
  const auto print_line = [&](const std::string& first, const auto& cell, const std::string& last) {
    std::string line = fmt::format("{:>6}", first);
    for (const TableColumn& column : columns) line += fmt::format(" {:>{}}", cell(column), column.width);
    if (last.empty()) line.erase(line.find_last_not_of(' ') + 1);
    fmt::print("{}{}\n", line, last);
  };
  print_line(
      index, [](const TableColumn& column) { return column.title; }, label.empty() ? "" : "  " + label);
  Index left_out = 0;
  for (Index i = 0; i < count; ++i) {
    if (count > maximum && i >= at_ends && i < count - at_ends && std::abs(i - chosen) > beside) {
      ++left_out;
      continue;
    }
    if (left_out > 0)
      print_line(
          fmt::format("({})", left_out),
          [&](const TableColumn& column) {
            return column.sum ? column.sum(i - left_out, left_out) : std::string();
          },
          "");
    left_out = 0;
    print_line(
        fmt::format("{}{:>5}", i == chosen ? ">" : " ", i),
        [&](const TableColumn& column) { return column.text(i); },
        labels.empty() ? "" : "  " + printable(text_of(labels, static_cast<int>(i))));
  }
}

template <typename Row>
void print_vector(const std::string& name, const Row& row) {
  fmt::print("{}\n", name);
  constexpr Index in_line = 8, maximum = 16;
  const Index shown = std::min<Index>(row.size(), maximum);
  for (Index i = 0; i < shown; i += in_line) {
    for (Index j = i; j < std::min(i + in_line, shown); ++j)
      fmt::print(" {:>11}", digits(static_cast<double>(row[j])));
    fmt::print("{}\n", shown < row.size() && i + in_line >= shown ? fmt::format(" … [{}]", row.size()) : "");
  }
}

using Stages = std::vector<ArithmeticStage>;

/// nullptr: the cell has no such stage.
const ArithmeticStage* find_stage(const Stages& stages, const char* name) {
  const auto found = std::ranges::find(stages, name, &ArithmeticStage::name);
  return found == stages.end() ? nullptr : &*found;
}

/// The last list of terms of a stage that the cell has.
const StageTerms& terms_of(const Stages& stages, const char* name) {
  const std::vector<StagePart>& parts = find_stage(stages, name)->parts;
  const auto is_list = [](const StagePart& part) { return std::holds_alternative<StageTerms>(part); };
  return std::get<StageTerms>(*std::find_if(parts.rbegin(), parts.rend(), is_list));
}

/// q · k over √d_k and the layer's number, or times the model's own factor.
void print_scaled(const ArithmeticStage& stage, const CellArithmetic& cell) {
  const std::string dot = plain(stage.numbers[0]), by = plain(stage.numbers[1]),
                    score = plain(stage.numbers[2]);
  const RowRule& rule = cell.rule;
  if (rule.own_factor) return fmt::print("q·k × {1} = {0} × {1} = {2}\n", dot, by, score);
  if (cell.scale == 1) return fmt::print("q·k / 1 = {}\n", score);
  const auto divisor = [&](const std::string& root) {
    return rule.by_sqrt_d_k && rule.layer_divisor > 1 ? fmt::format("({} · {})", root, rule.layer_divisor)
                                                      : root;
  };
  fmt::print("q·k / {} = {} / {} = {}\n", divisor(rule.by_sqrt_d_k ? "√d_k" : by), dot, divisor(by), score);
}

/// A row's number in a column.
StageValue at(const StageTerms::Column& column, Index row) {
  return {column.values[row], column.decimals};
}

/// What is added to the score, and their sum, which is returned.
StageValue print_biased(const Stages& stages, const CellArithmetic& cell, const Translator& tr) {
  const RowRule& rule = cell.rule;
  const Index key = cell.place.key, distance = key - cell.place.query;
  const std::size_t j = key;
  const bool terms = rule.to_position.size() > 0;
  const StageTerms& printed = terms_of(stages, terms              ? "position_terms"
                                               : rule.slope > 0   ? "linear_bias"
                                               : rule.repeats > 1 ? "repeats"
                                                                  : "relative_bias");
  const auto column = printed.columns.rbegin();  // the score, what is added, …
  StageValue added = at(column[1], key);
  const bool both = rule.from_position.size() > 0, segments = rule.of_segment.size() > 0;
  if (both || segments)
    added.value = as_printed(added.value, added.decimals) + as_printed(column[2].values[j], added.decimals);
  const std::string score = plain(at(column[0], key)), bias = plain(added);
  const Index times = key < rule.repeated ? rule.repeats : 1;
  fmt::print(
      "{}\n",
      both ? tr("with the products of query and key with the vectors of their distance, {}: {}", bias, score)
      : segments
          ? tr("with the products of the query with the vectors of the distance and of the segment, {}: {}",
               bias, score)
      : terms ? tr("with the product of the query with the vector of the distance, {}: {}", bias, score)
      : rule.slope_of_keys ? tr("with the linear bias {} (place {}): {}", bias, key, score)
      : rule.slope > 0     ? tr("with the linear bias {} (distance {}): {}", bias, distance, score)
      : rule.repeats > 1
          ? tr.plural("counted {} time, {}: {}", "counted {} times, {}: {}", times, times, bias, score)
          : tr("with the relative bias {} (distance {}, bucket {}): {}", bias, distance, rule.buckets[j],
               score));
  return at(column[0], key);
}

void print_products(const BlockTrace& block, const CellArithmetic& cell, const Stages& stages,
                    const Translator& tr) {
  const auto& columns = terms_of(stages, "products").columns;
  fmt::print("\n");
  print_table("i", cell.q.size(), -1,
              {column_of("q", columns[0], false), column_of("k", columns[1], false),
               column_of("q k", columns[2], true)});
  fmt::print("q·k = {}\n", plain(columns[2].total));
  const ArithmeticStage* scaled = find_stage(stages, "scale");
  if (scaled == nullptr) {
    if (cell.scores.size() > 0) fmt::print("{}\n", tr("score in the file: {}", digits(cell.score)));
    return;
  }
  print_scaled(*scaled, cell);
  StageValue score = scaled->numbers.back();
  const CellPlace& place = cell.place;
  if (cell.rule.cap > 0) {
    score = at(terms_of(stages, "cap").columns.back(), place.key);
    fmt::print("{}\n", tr("capped, {0} · tanh(… / {0}): {1}", cell.rule.cap, plain(score)));
  }
  if (cell.rule.bias.size() > 0) score = print_biased(stages, cell, tr);
  if (block.mask_of(place.layer).blocked(place.head, place.query, place.key)) {
    score = {cell.masked[place.key], 4};
    fmt::print("{}\n", tr("blocked by the mask: {}", plain(score)));
  }
  const ArithmeticStage* temperature = find_stage(stages, "temperature");
  if (temperature == nullptr) return;
  StageValue tempered{as_printed(score.value, score.decimals) / cell.temperature,
                      temperature->numbers.back().decimals};
  // The rounding error of a float32 score is amplified by a small temperature.
  while (tempered.decimals > 0 &&
         units_off(tempered.value, cell.tempered[place.key], tempered.decimals) > 0.5)
    --tempered.decimals;
  fmt::print("{}\n", tr("divided by the temperature {}: {}", cell.temperature, plain(tempered)));
}

/// What a trained layer computes before q · k.
void print_trained(const BlockTrace& block, const CellArithmetic& cell, const Translator& tr) {
  const CellIntermediates& way = cell.way;
  fmt::print("\n");
  print_vector("x", cell.x);
  if (way.query_norm)
    print_vector(way.query_norm->rms ? tr("x after RMSNorm") : tr("x after LayerNorm"), way.query_norm->y);
  if (way.global)
    fmt::print("{}\n", tr("The query is a global token: q, k and v are of matrices of its own."));
  print_vector(tr("q as it is projected"), way.q_projected);
  if (way.limit > 0)
    fmt::print("{}\n", tr("Components of q, k and v beyond ±{} are set to that.", short_number(way.limit)));
  if (way.q_norm) print_vector(tr("q after its norm"), way.q_before_turn);
  if (way.q_turn)
    print_vector(tr("q rotated to position {}", way.q_turn->position), cell.q.cast<double>().eval());
  if (way.keys_from >= 0)
    fmt::print("{}\n", tr("Keys and values are those of layer {} (counted from 0)", way.keys_from));
  print_vector(tr("k as it is projected"), way.k_projected);
  if (way.k_norm) print_vector(tr("k after its norm"), way.k_before_turn);
  if (way.k_turn)
    print_vector(tr("k rotated to position {}", way.k_turn->position), cell.k.cast<double>().eval());
  const int kv_heads = block.shape.kv_heads_of(cell.place.layer);
  if (kv_heads != block.shape.attention_heads())
    fmt::print("{}\n", tr("Key-value head: {} of {} (counted from 0)", cell.kv_head, kv_heads));
}

/// What q, k and v of a seeded layer are computed from.
void print_inputs(const BlockTrace& block, const CellArithmetic& cell, const Translator& tr) {
  if (cell.x.size() == 0) return;
  fmt::print("\n");
  print_vector(tr("x of the query"), cell.x);
  if (cell.key_x.size() == 0) return;
  if (block.cross() || cell.place.query != cell.place.key) print_vector(tr("x of the key"), cell.key_x);
}

/// For a capture, which does not contain what they are computed from.
void print_weights(const BlockTrace& block, const CellArithmetic& cell, const Translator& tr) {
  fmt::print("\n");
  print_table("j", block.n_k(), cell.place.key,
              {{"w", [&](Index j) { return digits(cell.weights[j]); },
                [&](Index from, Index count) { return digits(cell.weights.segment(from, count).sum()); }}},
              tr("Key"), block.key_tokens);
}

void print_softmax(const BlockTrace& block, const CellArithmetic& cell, const StageTerms& terms,
                   const Translator& tr) {
  const std::size_t last = terms.columns.size() - 1;
  const StageTerms::Column &s = terms.columns[0], &exp = terms.columns[last - 1], &w = terms.columns[last];
  std::vector<TableColumn> columns{column_of("s", s, false), column_of("exp(s - max)", exp, true, 13),
                                   column_of("w", w, true)};
  if (cell.dropout.size() > 0)
    columns.push_back({"dropout", [&](Index j) { return digits(cell.dropout[j]); }});
  fmt::print("\n");
  print_table("j", block.n_k(), cell.place.key, columns, tr("Key"), block.key_tokens);
  const std::string max =
      cell.row_sum == 0 ? "-inf" : plain(as_printed(cell.row_max, s.decimals), s.decimals);
  const double of_weights = sum_as_printed(w.values, w.decimals);
  // The sum of rounded weights, with as many decimals as are certain.
  int decimals = 4;
  while (decimals > 0 && units_off(of_weights, cell.weights.sum(), decimals) > 0.5) --decimals;
  fmt::print("max = {}, Σ exp = {}, Σ w = {}\n", max, exp.total, plain(of_weights, decimals));
}

/// The first element of the context and of the output, term by term; --json has all elements.
void print_values(const BlockTrace& block, const CellArithmetic& cell, const Stages& stages,
                  const Translator& tr) {
  const bool dropout = cell.dropout.size() > 0;
  const std::string weight = dropout ? "w'" : "w";
  if (dropout) fmt::print("{}\n", tr("w' = w times dropout: 0 or 1 / (1 - p)"));
  const StageTerms& terms = terms_of(stages, "values");
  print_table(
      "j", block.n_k(), cell.place.key,
      {column_of(weight, terms.columns[0], false), column_of(weight + " v[0]", terms.columns[2], true)},
      tr("Key"), block.key_tokens);
  print_vector(tr("Context: Σ {} v", weight), cell.context);
}

void print_output(const CellArithmetic& cell, const Stages& stages, const Translator& tr) {
  const StageTerms::Column& column = terms_of(stages, "output").columns[0];
  const Index heads = cell.w_o_terms.rows();
  fmt::print("\n");
  print_table("h", heads, cell.place.head, {column_of("c W_O[0]", column, true)});
  const double bias = std::ssize(column.values) > heads ? column.values.back() : 0;  // no row: it is 0
  if (cell.b_o.size() > 0) fmt::print("{:>6} {:>11}\n", "b_O", plain(bias, column.decimals));
  print_vector(tr("Output: every head's context times W_O, and b_O"), cell.output);
}

/// A cell and its row of a layer that has no softmax, and the sum of values.
void print_state(const BlockTrace& block, const CellArithmetic& cell, const Stages& stages,
                 const Translator& tr) {
  fmt::print("\n{}\n", tr("The heads of layer {} have no softmax: {}.", cell.place.layer,
                          tr(to_label(block.shape.mixer_of(cell.place.layer)))));
  const StateCell& state = *cell.way.state;
  if (cell.place.key > cell.place.query)
    fmt::print("{}\n", tr("The query reads no later token: the cell is 0."));
  else if (block.shape.mixer_of(cell.place.layer) == Mixer::delta_rule)
    fmt::print("β = {}, Π a = {}, q·k = {}, r·k = {}: M = {}\n", digits(state.strength), digits(state.decay),
               digits(state.product), digits(state.left), digits(state.value));
  else
    fmt::print("Δ = {}, Π a = {}, q·k = {}, D = {}: M = {}\n", digits(state.strength), digits(state.decay),
               digits(state.product), digits(state.skip), digits(state.value));
  fmt::print("\n");
  const StageTerms& terms = terms_of(stages, "values");
  print_table("j", block.n_k(), cell.place.key,
              {column_of("M", terms.columns[0], false), column_of("M v[0]", terms.columns[2], true)},
              tr("Key"), block.key_tokens);
  print_vector(tr("Context: Σ {} v", "M"), cell.context);
}

void print_text(const Trace& trace, const BlockTrace& block, const CellArithmetic& cell,
                const Translator& tr) {
  const CellPlace& place = cell.place;
  fmt::print("{}\n", tr("Layer {}, head {}: query {} \"{}\", key {} \"{}\" (counted from 0)", place.layer,
                        place.head, place.query, printable(text_of(block.tokens, place.query)), place.key,
                        printable(text_of(block.key_tokens, place.key))));
  const bool given = block.maps->given();
  if (cell.way.state) return print_state(block, cell, arithmetic_stages(trace, block, place, {}, tr), tr);
  block.computed_layers && !given ? print_trained(block, cell, tr) : print_inputs(block, cell, tr);
  const Stages stages = arithmetic_stages(trace, block, place, {}, tr);
  print_products(block, cell, stages, tr);
  if (cell.scores.size() == 0)
    print_weights(block, cell, tr);
  else
    print_softmax(block, cell, terms_of(stages, "softmax"), tr);
  fmt::print("\n");
  if (cell.context.size() > 0) print_values(block, cell, stages, tr);
  if (cell.way.gate.size() > 0) print_vector(tr("Context times the head's gate"), cell.gated());
  if (given) fmt::print("{}\n", left_out(block, tr));
  if (given) return;
  if (cell.way.head_off) fmt::print("{}\n", tr("This head is ablated; it adds nothing to the output."));
  print_output(cell, stages, tr);
  if (!block.computed_layers) return;
  if (cell.way.added_norm) print_vector(tr("the output after its norm"), cell.way.added_norm->y);
  if (cell.way.added_factor != 1)
    fmt::print("{}\n", tr("The output is added times {}.", cell.way.added_factor));
  if (cell.way.beside.size() > 0) print_vector(tr("what the state beside it adds"), cell.way.beside);
  print_vector(tr("Residual: x and the output"), cell.add_and_norm->sum);
  if (cell.add_and_norm->norm) print_vector(tr("after LayerNorm"), cell.add_and_norm->result());
  for (const auto& [expert, weight] : cell.way.experts)
    fmt::print("{}\n", tr("The feed-forward network's expert {} (counted from 0) has weight {}.", expert,
                          plain(static_cast<double>(weight), 4)));
}

}  // namespace

void run_arithmetic(const CommandRequest& request, const Translator& tr) {
  RunOptions options;
  options.map_budget = 0;
  if (has_long_text(request.session.inputs)) options.only_query = request.query.value_or(0);
  const Ran ran = run(request, request.session.inputs, 0, tr, options);
  View view = request.session.view;
  const std::string fitted = fit_view(request, *ran.trace, view, tr);
  const auto tokens = block_of(ran.trace, view.block), in_view = with_no_token(tokens, tr(TR("no token")));
  const BlockTrace& block = *in_view;
  check_cell(request, *tokens);
  if (!has_arithmetic(block, view.layer))
    throw input_error("{} has no arrays q and k, so the arithmetic of its cells cannot be shown",
                      ran.trace->inputs.capture);
  const CellArithmetic cell = cell_arithmetic(
      *ran.trace, block,
      {view.layer, view.head.value_or(0), request.query.value_or(0), request.key.value_or(0)});
  check_read(*ran.trace);
  request.json ? print_json(block, cell, tr) : print_text(*ran.trace, block, cell, tr);
  print_notes(joined(fitted, ran.notes, tr));
}

}  // namespace headscope
