#include <fmt/format.h>

#include <algorithm>

#include "core/analysis/stage_maker.h"
#include "core/base/enum_table.h"

namespace headscope {

void fill_x(const StageMaker& m, ArithmeticStage& stage) {
  const auto [layer, head, i, j] = m.cell.place;
  const bool cross = m.block.cross();
  const MatrixView x = as_matrix(m.cell.way.x);
  stage.formula = colored("x", "X") + " \\in \\mathbb{R}^{n \\times d_\\mathrm{model}}";
  stage.text = layer == 0
                   ? m.tr.plural("Each token is a row of {} number. The query is \"{}\", the key \"{}\".",
                                 "Each token is a row of {} numbers. The query is \"{}\", the key \"{}\".",
                                 x.cols(), x.cols(), m.query(), m.key())
                   : m.tr.plural(
                         "Each token is a row of {} number, as layer {} left it. The query is "
                         "\"{}\", the key \"{}\".",
                         "Each token is a row of {} numbers, as layer {} left it. The query is "
                         "\"{}\", the key \"{}\".",
                         x.cols(), x.cols(), layer, m.query(), m.key());
  if (cross) {
    m.say(stage, is_pooling(m.block.shape.kind)
                     ? m.tr("Queries are pooled rows; the keys' vectors are those before they were pooled.")
                 : m.block.computed_layers
                     ? m.tr("The keys' vectors are what the encoder gives, in every layer.")
                 : layer == 0 ? m.tr("Queries and keys come from two sentences.")
                              : m.tr("The keys' vectors are the second sentence's own, in every layer."));
    stage.add_line(token_rows("x", "X", x, m.block.tokens, {i}, 4), StageFormula{"\\to"},
                   m.vector("x", "x_i", m.cell.x, 4, m.query()));
    stage.add(token_rows("x", "Y", as_matrix(m.cell.way.key_x), m.block.key_tokens, {j}, 4),
              StageFormula{"\\to"}, m.vector("x", "y_j", m.cell.key_x, 4, m.key()));
    return;
  }
  if (m.cell.way.streams > 1)
    m.say(
        stage,
        m.tr.plural("AltUp keeps {} stream and predicts it before the layer; the layer reads the "
                    "prediction of one, whose rows these are.",
                    "AltUp keeps {} streams and predicts each from all before the layer; the layer reads the "
                    "prediction of one, whose rows these are.",
                    m.cell.way.streams));
  if (m.cell.way.keys_from >= 0) {
    m.say(stage,
          m.tr("Keys and values are those of layer {}: the key's row is the one that that layer reads.",
               m.cell.way.keys_from + 1));
    stage.add_line(token_rows("x", "X", x, m.block.tokens, {i}, 4), StageFormula{"\\to"},
                   m.vector("x", "x_i", m.cell.x, 4, m.query()));
    stage.add(token_rows("x", fmt::format("X^{{({})}}", m.cell.way.keys_from + 1),
                         as_matrix(m.cell.way.key_x), m.block.key_tokens, {j}, 4),
              StageFormula{"\\to"}, m.vector("x", "x_j", m.cell.key_x, 4, m.key()));
    return;
  }
  stage.add(token_rows("x", "X", x, m.block.tokens, {i, j}, 4), StageFormula{"\\to"});
  const bool first = i <= j;  // the query is above the key
  StageMatrix chosen = m.vector("x",
                                i == j  ? "x_i = x_j"
                                : first ? "x_i, x_j"
                                        : "x_j, x_i",
                                first ? m.cell.x : m.cell.key_x, 4, first ? m.query() : m.key());
  if (i != j) {
    chosen.values.conservativeResize(2, Eigen::NoChange);
    chosen.values.row(1) = (first ? m.cell.key_x : m.cell.x).cast<double>();
    chosen.rows.push_back(first ? m.key() : m.query());
    chosen.shape = shape_text({2, x.cols()});
    chosen.decimals = shortest(chosen.values, 4);
  }
  stage.add(std::move(chosen));
}

namespace {

/// "W_Q", or "W_Q^g" of a global token's.
std::string name_of(ProjectionKind kind) {
  constexpr const char* names[] = {"W_Q", "W_K", "W_V", "W_O", "W_Q^g", "W_K^g", "W_V^g"};
  return of_kind(names, kind);
}

/// The terms that a component of q, k or v is the sum of.
struct ProjectionTerms {
  const char* role;
  const char* name;  ///< of the result
  std::string x_name;
  ProjectionKind kind;
  Index head;
  double gain;
  Eigen::RowVectorXd x, result;
  std::string token;
};

/// The head's own part of a projection, [d_model, d_k], with its gain.
MatrixOf<double> part_of(const StageMaker& m, const Linear& linear, const ProjectionTerms& p) {
  const int heads = p.kind == ProjectionKind::q ? m.block.shape.attention_heads() : m.kv_heads();
  const Index width = linear.weight.dim(0) / heads;
  return p.gain * as_matrix(linear.weight).middleRows(p.head * width, width).transpose().cast<double>();
}

/// `again`: of the row that is already shown.
void add_projection(const StageMaker& m, const ProjectionTerms& p, bool again, ArithmeticStage& stage) {
  if (again) {
    stage.add(StageFormula{colored("x", p.x_name)});
  } else {
    StageMatrix from = m.vector("x", p.x_name, p.x, 4, p.token);
    from.maximum = 3;
    stage.add(std::move(from));
  }
  if (const auto& linear = m.projection(p.kind)) {
    StageMatrix w;
    w.role = p.role;
    w.name = name_of(p.kind);
    w.values = part_of(m, *linear, p);
    w.shape = shape_text({w.values.rows(), w.values.cols()});
    w.column = m.component < w.values.cols() ? m.component : -1;
    w.decimals = shortest(w.values, 4);
    stage.add(StageFormula{"\\times"}, std::move(w));
  }
  stage.add(StageFormula{m.projection(p.kind) ? "=" : "\\to"});
  StageMatrix to = m.components(p.role, p.name, p.result, m.digits.projected, "");
  to.maximum = 4;
  stage.add_line(std::move(to));
}

void add_projection_terms(const StageMaker& m, const ProjectionTerms& p, ArithmeticStage& stage) {
  const auto& linear = m.projection(p.kind);
  if (!linear) return;
  const Eigen::RowVectorXd w = part_of(m, *linear, p).col(m.component).transpose();
  StageTerms terms;
  for (Index c = 0; c < p.x.size(); ++c) terms.labels.push_back(std::to_string(c + 1));
  const Index column = p.head * m.d_k() + m.component;
  const double bias = linear->bias.empty() ? 0 : static_cast<double>(linear->bias.data()[column]);
  StageTerms::Column products{p.x_name + " W", p.role, {}, m.digits.projection_terms};
  if (bias != 0) {
    terms.labels.push_back("b");
    products.values.push_back(bias);
  }
  terms.total_label = fmt::format("{}[{}] =", colored(p.role, p.name), m.component + 1);
  const double sum = p.result[m.component];
  add_products(terms, {p.x_name, "x", list(p.x), m.digits.x}, {name_of(p.kind), p.role, list(w)},
               std::move(products), StageSum{sum, shorter(sum, m.digits.projected)});
  stage.add_line(std::move(terms));
}

}  // namespace

void fill_projections(const StageMaker& m, ArithmeticStage& stage) {
  const CellArithmetic& cell = m.cell;
  const int j = cell.place.key;
  const Index d_k = m.d_k(), head = cell.place.head;
  const bool cross = m.block.cross();
  const auto &query_latent = cell.way.query_latent, &key_latent = cell.way.key_latent;
  const std::string x = query_latent ? "c_i" : cell.way.query_norm ? "n_i" : "x_i";
  const std::string y = key_latent ? "c_j" : cross ? "y_j" : cell.way.key_norm ? "n_j" : "x_j";
  const int left = steps_after_clamp(m) + (cell.way.limit > 0 ? 1 : 0);
  const std::string q_is = q_name(left), k_is = k_name(left);
  const char* v_is = cell.way.v_projected.size() > 0 ? "v'_j" : "v_j";
  const bool global = cell.way.global;
  const ProjectionKind of_q = global ? ProjectionKind::q_global : ProjectionKind::q,
                       of_k = global ? ProjectionKind::k_global : ProjectionKind::k,
                       of_v = global                     ? ProjectionKind::v_global
                              : cell.way.values_are_keys ? ProjectionKind::k
                                                         : ProjectionKind::v;
  /// W, or W + b.
  const auto product = [&](ProjectionKind kind) {
    const auto& linear = m.projection(kind);
    const std::string name = name_of(kind);
    return linear && linear->bias.empty() ? name : fmt::format("{} + b{}", name, name.substr(1));
  };
  stage.formula = fmt::format("{} = {} {}, \\quad {} = {} {}, \\quad {} = {} {}", colored("q", q_is),
                              colored("x", x), product(of_q), colored("k", k_is), colored("x", y),
                              product(of_k), colored("v", v_is), colored("x", y), product(of_v));
  stage.text =
      m.projection(of_q) && m.projection(of_q)->bias.empty()
          ? m.tr.plural(
                "The token's vector times the head's own column of W_Q, W_K and W_V; this model has no "
                "biases "
                "here. Head {1} has column {2} of {4}. The terms add up to component {5} of q.",
                "The token's vector times the head's own {} columns of W_Q, W_K and W_V; this model has no "
                "biases here. Head {} has columns {} to {} of {}. The terms add up to component {} of q.",
                d_k, d_k, head + 1, head * d_k + 1, (head + 1) * d_k, m.block.shape.attention_heads() * d_k,
                m.component + 1)
          : m.tr.plural(
                "The token's vector times the head's own column of W_Q, W_K and W_V, plus the bias. Head {1} "
                "has "
                "column {2} of {4}. The terms add up to component {5} of q.",
                "The token's vector times the head's own {} columns of W_Q, W_K and W_V, plus the bias. Head "
                "{} has "
                "columns {} to {} of {}. The terms add up to component {} of q.",
                d_k, d_k, head + 1, head * d_k + 1, (head + 1) * d_k, m.block.shape.attention_heads() * d_k,
                m.component + 1);
  if (global)
    m.say(stage,
          m.tr("The query is a global token: it sees every token, with matrices of its own for q and for "
               "what it sees (Beltagy et al. 2020). Other tokens see it as any other key."));
  if (m.kv_heads() != m.block.shape.attention_heads())
    m.say(stage, m.tr("Of W_K and W_V, every head of its group has columns {} to {} of {}.",
                      cell.kv_head * d_k + 1, (cell.kv_head + 1) * d_k, m.kv_heads() * d_k));
  if (cell.way.values_are_keys)
    m.say(stage,
          m.tr("The layer has no W_V: values are what W_K gives, before the norm and the rotation of keys."));
  if (key_latent)
    m.say(stage,
          m.tr("The short rows take the place of the token's vector; the key's last {} components are those "
               "that all heads share.",
               cell.way.shared));
  const Eigen::RowVectorXd key_input = key_latent ? key_latent->y : cell.key_input(),
                           query_input = query_latent ? query_latent->y : cell.query_input();
  const ProjectionTerms q{
      "q",         q_is.c_str(),         x,        of_q, head, m.block.interventions.gain_q,
      query_input, cell.way.q_projected, m.query()},
      k{"k",       k_is.c_str(),         y,
        of_k,      cell.kv_head,         m.block.interventions.gain_k * cell.way.key_factor,
        key_input, cell.way.k_projected, m.key()},
      v{"v",
        v_is,
        y,
        of_v,
        cell.kv_head,
        1,
        key_input,
        cell.way.v_projected.size() > 0 ? cell.way.v_projected : Eigen::RowVectorXd(m.values.row(j)),
        m.key()};
  add_projection(m, q, false, stage);
  add_projection_terms(m, q, stage);
  add_projection(m, k, false, stage);
  add_projection(m, v, true, stage);
}

}  // namespace headscope
