#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/notes.h"
#include "app/cli/run_inputs.h"
#include "core/analysis/arithmetic_stages.h"
#include "core/analysis/cell_arithmetic.h"
#include "core/base/error.h"
#include "core/base/utf8.h"
#include "core/inputs/names.h"
#include "core/scene/scene.h"
#include "core/source/pooled_maps.h"

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
Json list(const Row& row) {
  Json values = Json::array();
  for (Index i = 0; i < row.size(); ++i) values.push_back(number(row[i]));
  return values;
}
Json rows(const MatrixOf<double>& matrix) {
  Json values = Json::array();
  for (Index i = 0; i < matrix.rows(); ++i) values.push_back(list(matrix.row(i)));
  return values;
}

const std::string& text_of(const std::vector<Token>& tokens, int i) {
  return tokens[static_cast<std::size_t>(i)].text;
}

/// A norm that the query's or the key's row goes through.
Json norm_of(const NormedRow& norm) {
  Json json;
  json["kind"] = norm.rms ? "rms" : "layer";
  json["epsilon"] = norm.epsilon;
  if (!norm.rms) json["mean"] = number(norm.mean);
  json["deviation"] = number(norm.deviation);
  json["weight"] = list(norm.weight);
  if (norm.bias.size() > 0) json["bias"] = list(norm.bias);
  return json;
}

/// What a trained layer has beside the equation; see core/analysis/ARITHMETIC.md.
void add_trained(const BlockTrace& block, const CellArithmetic& cell, Json& json) {
  const CellWay& way = cell.way;
  const auto add_norm = [&](const char* name, const char* result, const std::optional<NormedRow>& norm) {
    if (!norm) return;
    json[name] = norm_of(*norm);
    json[result] = list(norm->y);
  };
  add_norm("query_norm", "x_normed", way.query_norm);
  add_norm("key_norm", "key_x_normed", way.key_norm);
  json["q_projected"] = list(way.q_projected);
  json["k_projected"] = list(way.k_projected);
  json["v"] = list(as_matrix(way.v).row(cell.place.key));
  add_norm("q_norm", "q_normed", way.q_norm);
  add_norm("k_norm", "k_normed", way.k_norm);
  if (way.q_turn) {
    json["q_unrotated"] = list(way.q_turn->before);
    json["k_unrotated"] = list(way.k_turn->before);
    json["q_rotated"] = list(cell.q);
    json["k_rotated"] = list(cell.k);
    Json pairs = Json::array();
    const Index count = way.q_turn->angle.size();
    for (Index i = 0; i < count; ++i) pairs.push_back({i, i + count});
    json["rotary_pairs"] = std::move(pairs);
    json["query_angles"] = list(way.q_turn->angle);
    json["key_angles"] = list(way.k_turn->angle);
    json["rotary_factor"] = number(count > 0 ? std::hypot(way.q_turn->cosine[0], way.q_turn->sine[0]) : 1);
  }
  if (cell.rule.bias.size() > 0) {
    const Index j = cell.place.key;
    json["relative_distance"] = j - cell.place.query;
    json["relative_bucket"] = cell.rule.buckets[static_cast<std::size_t>(j)];
    json["relative_bias"] = number(cell.rule.bias[j]);
    json["relative_buckets"] = cell.rule.buckets;
    json["relative_biases"] = list(cell.rule.bias);
  }
  if (way.head_off) {
    json["head_off"] = to_name(block.what_if.heads_off_by);
    json["context_used"] =
        list(cell.concat.segment(cell.place.head * block.shape.d_k, block.shape.d_k).eval());
  }
  json["residual"] = list(cell.add_and_norm->sum);
  add_norm("output_norm", "residual_normed", cell.add_and_norm->norm);
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
  if (cell.x.size() > 0) json["x"] = list(cell.x);
  if (cell.key_x.size() > 0) json["key_x"] = list(cell.key_x);
  json["q"] = list(cell.q);
  json["k"] = list(cell.k);
  json["products"] = list(cell.products);
  json["dot"] = number(cell.dot);
  if (!given || cell.rule.by_root) json["scale"] = number(cell.scale);
  json["temperature"] = number(cell.temperature);
  if (cell.scores.size() > 0) {
    json["score"] = number(static_cast<float>(cell.score));
    json["masked"] = list(cell.masked);
    json["row_max"] = number(cell.row_max);
    json["exponentials"] = list(cell.exponentials);
    json["row_sum"] = number(cell.row_sum);
  }
  json["weights"] = list(cell.weights);
  if (cell.dropout.size() > 0) json["dropout"] = list(cell.dropout);
  if (cell.context.size() > 0) {
    json["weighted_values"] = rows(cell.weighted_values);
    json["context"] = list(cell.context);
  }
  if (!given) {
    json["w_o_terms"] = rows(cell.w_o_terms);
    json["b_o"] = list(cell.b_o);
    json["output"] = list(cell.output);
  }
  if (block.computed_layers && !given) add_trained(block, cell, json);
  fmt::print("{}\n", json.dump(1, ' ', false, Json::error_handler_t::replace));
}

/// As many decimals for all, so that what is printed adds up as it is printed.
std::string digits(double value) {
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  if (value == 0) return "0.0000";  // of either sign
  const double size = std::abs(value);
  return (size >= 5e-5 && size < 1e6) ? fmt::format("{:.4f}", value) : fmt::format("{:.3e}", value);
}

/// Prints rows of numbers; of many those at both ends and about `middle`, with a line for those left out:
/// how many, and what `sum_of` says of them.
class Rows {
 public:
  Rows(Index count, Index middle) : count_(count), middle_(middle) {}

  template <typename Print, typename SumOf>
  void print(const Print& print, const SumOf& sum_of) const {
    Index left_out = 0;
    for (Index i = 0; i < count_; ++i) {
      if (!shown(i)) {
        ++left_out;
        continue;
      }
      if (left_out > 0)
        fmt::print("{:>6}{}\n", fmt::format("({})", left_out), sum_of(i - left_out, left_out));
      left_out = 0;
      print(i);
    }
  }

 private:
  static constexpr Index most = 16, at_ends = 4, beside = 3;
  bool shown(Index i) const {
    return count_ <= most || i < at_ends || i >= count_ - at_ends || std::abs(i - middle_) <= beside;
  }
  Index count_, middle_;
};

template <typename Row>
void print_vector(const std::string& name, const Row& row) {
  fmt::print("{}\n", name);
  constexpr Index in_line = 8, most = 16;
  const Index shown = std::min<Index>(row.size(), most);
  for (Index i = 0; i < shown; i += in_line) {
    for (Index j = i; j < std::min(i + in_line, shown); ++j)
      fmt::print(" {:>11}", digits(static_cast<double>(row[j])));
    fmt::print("{}\n", shown < row.size() && i + in_line >= shown ? fmt::format(" … [{}]", row.size()) : "");
  }
}

void print_products(const BlockTrace& block, const CellArithmetic& cell, const Translator& tr) {
  fmt::print("\n{:>6} {:>11} {:>11} {:>11}\n", "i", "q", "k", "q k");
  Rows(cell.q.size(), 0)
      .print(
          [&](Index i) {
            fmt::print("{:>6} {:>11} {:>11} {:>11}\n", i, digits(static_cast<double>(cell.q[i])),
                       digits(static_cast<double>(cell.k[i])), digits(cell.products[i]));
          },
          [&](Index from, Index count) {
            return fmt::format(" {:>35}", digits(cell.products.segment(from, count).sum()));
          });
  fmt::print("q·k = {}\n", digits(cell.dot));
  if (block.maps->given() && !cell.rule.by_root) {
    if (cell.scores.size() > 0) fmt::print("{}\n", tr.format("score in the file: {}", digits(cell.score)));
    return;
  }
  const double divisor = 1 / cell.scale;
  const Index layers = cell.rule.layer_divisor;
  const std::string root = !cell.rule.by_root ? std::to_string(layers)
                           : layers > 1       ? fmt::format("(√d_k · {})", layers)
                                              : "√d_k";
  const bool bias = cell.rule.bias.size() > 0;
  fmt::print("q·k / {} = {}\n",
             cell.scale == 1 ? "1" : fmt::format("{} = {} / {}", root, digits(cell.dot), digits(divisor)),
             digits(bias ? cell.dot * cell.scale : cell.score));
  if (bias)
    fmt::print("{}\n",
               tr.format("with the relative bias {} (distance {}, bucket {}): {}",
                         digits(cell.rule.bias[cell.place.key]), cell.place.key - cell.place.query,
                         cell.rule.buckets[static_cast<std::size_t>(cell.place.key)], digits(cell.score)));
  if (cell.temperature != 1)
    fmt::print("{}\n", tr.format("divided by the temperature {}: {}", cell.temperature,
                                 digits(cell.score / cell.temperature)));
}

/// What a trained layer does before q · k.
void print_trained(const BlockTrace& block, const CellArithmetic& cell, const Translator& tr) {
  const CellWay& way = cell.way;
  fmt::print("\n");
  print_vector("x", cell.x);
  if (way.query_norm)
    print_vector(way.query_norm->rms ? tr("x after RMSNorm") : tr("x after LayerNorm"), way.query_norm->y);
  print_vector(tr("q as it is projected"), way.q_projected);
  if (way.q_norm) print_vector(tr("q after its norm"), way.q_norm->y);
  if (way.q_turn)
    print_vector(tr.format("q turned to position {}", way.q_turn->position), cell.q.cast<double>().eval());
  print_vector(tr("k as it is projected"), way.k_projected);
  if (way.k_norm) print_vector(tr("k after its norm"), way.k_norm->y);
  if (way.k_turn)
    print_vector(tr.format("k turned to position {}", way.k_turn->position), cell.k.cast<double>().eval());
  if (block.shape.kv_heads != block.heads())
    fmt::print("{}\n",
               tr.format("Key-value head: {} of {} (counted from 0)", cell.kv_head, block.shape.kv_heads));
}

/// What q, k and v of a seeded layer are made of.
void print_inputs(const BlockTrace& block, const CellArithmetic& cell, const Translator& tr) {
  if (cell.x.size() == 0) return;
  fmt::print("\n");
  print_vector(tr("x of the query"), cell.x);
  if (cell.key_x.size() == 0) return;
  if (block.cross() || cell.place.query != cell.place.key) print_vector(tr("x of the key"), cell.key_x);
}

/// Of a capture that does not tell where they come from.
void print_weights(const BlockTrace& block, const CellArithmetic& cell, const Translator& tr) {
  fmt::print("\n{:>6} {:>11}  {}\n", "j", "w", tr("Key"));
  Rows(block.n_k(), cell.place.key)
      .print(
          [&](Index j) {
            fmt::print("{}{:>5} {:>11}  {}\n", j == cell.place.key ? ">" : " ", j, digits(cell.weights[j]),
                       printable(text_of(block.key_tokens, static_cast<int>(j))));
          },
          [&](Index from, Index count) {
            return fmt::format(" {:>11}", digits(cell.weights.segment(from, count).sum()));
          });
}

void print_softmax(const BlockTrace& block, const CellArithmetic& cell, const Translator& tr) {
  const bool dropout = cell.dropout.size() > 0;
  if (cell.scores.size() == 0) return print_weights(block, cell, tr);
  fmt::print("\n{:>6} {:>11} {:>13} {:>11}{}  {}\n", "j", "s", "exp(s - max)", "w",
             dropout ? fmt::format(" {:>11}", "dropout") : "", tr("Key"));
  Rows(block.n_k(), cell.place.key)
      .print(
          [&](Index j) {
            fmt::print("{}{:>5} {:>11} {:>13} {:>11}{}  {}\n", j == cell.place.key ? ">" : " ", j,
                       digits(cell.masked[j]), digits(cell.exponentials[j]), digits(cell.weights[j]),
                       dropout ? fmt::format(" {:>11}", digits(static_cast<double>(cell.dropout[j]))) : "",
                       printable(text_of(block.key_tokens, static_cast<int>(j))));
          },
          [&](Index from, Index count) {
            return fmt::format(" {:>11} {:>13} {:>11}", "",
                               digits(cell.exponentials.segment(from, count).sum()),
                               digits(cell.weights.segment(from, count).sum()));
          });
  fmt::print("max = {}, Σ exp = {}, Σ w = {}\n", digits(cell.row_max), digits(cell.row_sum),
             digits(cell.weights.sum()));
}

/// The first number of the context, and of the output, term by term; --json has those of all.
void print_values(const BlockTrace& block, const CellArithmetic& cell, const Translator& tr) {
  const bool dropout = cell.dropout.size() > 0;
  const std::string weight = dropout ? "w'" : "w";
  if (dropout) fmt::print("{}\n", tr("w' = w times dropout: 0 or 1 / (1 - p)"));
  fmt::print("{:>6} {:>11} {:>11}  {}\n", "j", weight, weight + " v[0]", tr("Key"));
  const auto terms = cell.weighted_values.col(0);
  Rows(block.n_k(), cell.place.key)
      .print(
          [&](Index j) {
            const double used = cell.weights[j] * (dropout ? static_cast<double>(cell.dropout[j]) : 1.0);
            fmt::print("{}{:>5} {:>11} {:>11}  {}\n", j == cell.place.key ? ">" : " ", j, digits(used),
                       digits(terms[j]), printable(text_of(block.key_tokens, static_cast<int>(j))));
          },
          [&](Index from, Index count) {
            return fmt::format(" {:>11} {:>11}", "", digits(terms.segment(from, count).sum()));
          });
  print_vector(tr.format("Context: Σ {} v", weight), cell.context);
}

void print_output(const CellArithmetic& cell, const Translator& tr) {
  const auto terms = cell.w_o_terms.col(0);
  fmt::print("\n{:>6} {:>11}\n", "h", "c W_O[0]");
  Rows(terms.size(), cell.place.head)
      .print(
          [&](Index h) {
            fmt::print("{}{:>5} {:>11}\n", h == cell.place.head ? ">" : " ", h, digits(terms[h]));
          },
          [&](Index from, Index count) {
            return fmt::format(" {:>11}", digits(terms.segment(from, count).sum()));
          });
  if (cell.b_o.size() > 0) fmt::print("{:>6} {:>11}\n", "b_O", digits(static_cast<double>(cell.b_o[0])));
  print_vector(tr("Output: every head's context times W_O, and b_O"), cell.output);
}

void print_text(const BlockTrace& block, const CellArithmetic& cell, const Translator& tr) {
  const CellPlace& place = cell.place;
  fmt::print("{}\n",
             tr.format("Layer {}, head {}: query {} \"{}\", key {} \"{}\" (counted from 0)", place.layer,
                       place.head, place.query, printable(text_of(block.tokens, place.query)), place.key,
                       printable(text_of(block.key_tokens, place.key))));
  const bool given = block.maps->given();
  block.computed_layers && !given ? print_trained(block, cell, tr) : print_inputs(block, cell, tr);
  print_products(block, cell, tr);
  print_softmax(block, cell, tr);
  fmt::print("\n");
  if (cell.context.size() > 0) print_values(block, cell, tr);
  if (given) fmt::print("{}\n", left_out(block, tr));
  if (given) return;
  if (cell.way.head_off) fmt::print("{}\n", tr("This head is switched off; the output goes without it."));
  print_output(cell, tr);
  if (!block.computed_layers) return;
  print_vector(tr("Residual: x and the output"), cell.add_and_norm->sum);
  if (cell.add_and_norm->norm) print_vector(tr("after LayerNorm"), cell.add_and_norm->result());
}

}  // namespace

void run_arithmetic(const CommandRequest& request, const Translator& tr) {
  RunOptions options;
  options.map_budget = 0;
  if (has_long_text(request.session.inputs)) options.only_query = request.query.value_or(0);
  const Ran ran = run(request, request.session.inputs, 0, tr, options);
  View view = request.session.view;
  const std::string fitted = fit_view(request, *ran.trace, view, tr);
  const auto in_view = block_of(ran.trace, view.block);
  const BlockTrace& block = *in_view;
  check_cell(request, block);
  if (!has_arithmetic(block, view.layer))
    throw input_error("{} has no arrays q and k, so the arithmetic of its cells cannot be shown",
                      ran.trace->inputs.capture);
  const CellArithmetic cell = cell_arithmetic(
      *ran.trace, block,
      {view.layer, view.head.value_or(0), request.query.value_or(0), request.key.value_or(0)});
  check_read(*ran.trace);
  request.json ? print_json(block, cell, tr) : print_text(block, cell, tr);
  print_notes(joined(fitted, ran.notes, tr));
}

}  // namespace headscope
