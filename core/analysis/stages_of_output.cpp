#include <fmt/format.h>

#include <algorithm>

#include "core/analysis/stage_maker.h"

namespace headscope {

void fill_values(const StageMaker& m, ArithmeticStage& stage) {
  const auto j = m.cell.place.key;
  const bool dropout = m.cell.dropout.size() > 0, grouped = m.kv_heads() != m.block.shape.attention_heads();
  const bool state = m.cell.way.state.has_value();
  const std::string w = state ? "M_{ij}" : dropout ? "w'_{ij}" : "w_{ij}";
  stage.formula =
      fmt::format("{} = \\sum_j {} {}", colored("c", "c_i"), colored("w", w), colored("v", "v_j"));
  stage.text = m.tr(
      "Every key's row of V times its weight, added up: what the query takes along. The terms add up to "
      "component {}.",
      m.value_component + 1);
  if (state)
    stage.text = m.tr(
        "Every token's value times its cell of the map, added up: what the head's state gives to the query. "
        "A norm "
        "of it, times a gate, is what the last product of the layer reads. The terms add up to component {}.",
        m.value_component + 1);
  else if (grouped)
    m.say(stage, m.tr("Head {} reads key-value head {} of {}, which it shares with its group.",
                      m.cell.place.head + 1, m.cell.kv_head + 1, m.kv_heads()));
  Eigen::RowVectorXd factors = m.cell.weights;
  if (dropout) factors = factors.cwiseProduct(m.cell.dropout.cast<double>());
  StageMatrix v = token_rows("v", "V", as_matrix(m.cell.way.v), m.block.key_tokens, {j}, m.digits.value);
  v.column = m.value_component;
  v.click = StageMatrix::Click::component;
  StageMatrix weighted = v;
  weighted.role = "c";
  weighted.name = w + " v_j";
  for (Index r = 0; r < weighted.values.rows(); ++r)
    weighted.values.row(r) = m.cell.weighted_values.row(v.row_ids[r]);
  weighted.decimals = shortest(weighted.values, m.digits.weighted);
  stage.add_line(std::move(v), StageFormula{"\\to"}, std::move(weighted));
  stage.add_line(StageFormula{"\\sum_j \\to"},
                 m.components("c", "c_i", m.cell.context, m.digits.context, m.query()));
  const Eigen::RowVectorXd column = m.values.col(m.value_component).transpose();
  StageTerms terms;
  terms.labels = m.keys();
  terms.row = j;
  terms.total_label = fmt::format("{}[{}] =", colored("c", "c_i"), m.value_component + 1);
  const double sum = m.cell.context[m.value_component];
  add_products(terms, {w, "w", list(factors), m.digits.factor}, {"v_j", "v", list(column)},
               {w + " v_j", "c", {}, m.digits.weighted}, StageSum{sum, shorter(sum, m.digits.context)});
  stage.add(std::move(terms));
}

void fill_gate(const StageMaker& m, ArithmeticStage& stage) {
  const Eigen::RowVectorXf &context = m.cell.context, &gate = m.cell.way.gate;
  stage.formula = fmt::format("{} = {} \\odot \\sigma(n_i W_G)", colored("c", "c'_i"), colored("c", "c_i"));
  stage.text = m.tr(
      "What the head gives is multiplied, component by component, by a gate between 0 and 1: the sigmoid of "
      "another "
      "product with the query's row.");
  const int digits = m.digits.context, finer = digits + 2;
  Eigen::RowVectorXd products(context.size());
  for (Index i = 0; i < products.size(); ++i)
    products[i] = as_printed(
        as_printed(static_cast<double>(context[i]), finer) * as_printed(static_cast<double>(gate[i]), finer),
        digits);
  stage.add_line(m.components("c", "c_i", context, finer, m.query()), StageFormula{"\\odot"},
                 m.components("", "\\sigma", gate, finer, m.query()));
  stage.add_line(StageFormula{"="}, m.components("c", "c'_i", products, digits, m.query()));
}

void fill_concat(const StageMaker& m, ArithmeticStage& stage) {
  const Index d_k = m.d_v(), head = m.cell.place.head, heads = m.block.shape.attention_heads();
  stage.formula = fmt::format("{} = \\left[ {}, \\ldots, {} \\right]", colored("c", "C_i"),
                              colored("c", "c_i^{(1)}"), colored("c", fmt::format("c_i^{{({})}}", heads)));
  stage.text = m.tr.plural("The context of the only head, in columns {2} to {3} of {4}.",
                           "The contexts of the {} heads side by side. Head {} is in columns {} to {} of {}.",
                           heads, heads, head + 1, head * d_k + 1, (head + 1) * d_k, heads * d_k);
  stage.add_line(
      m.components("c", "c_i", m.cell.gated(), m.digits.context, m.query()), StageFormula{"\\to"},
      StageSegments{static_cast<int>(heads), static_cast<int>(head), "C_i", "c", m.tr("Head {}", head + 1)});
  if (m.cell.way.head_off)
    m.say(stage, m.block.interventions.ablation == Ablation::mean
                     ? m.tr("This head is ablated: its context is replaced by its mean over the text.")
                     : m.tr("This head is ablated: its context is replaced by zeros."));
  StageMatrix all = m.vector("c", "C_i", m.cell.concat, m.digits.context, m.query(), head * d_k);
  all.span = d_k;
  stage.add(std::move(all));
}

namespace {

/// This head's contribution to the selected column of the output, with enough decimals to add up.
void add_head_products(const StageMaker& m, int digits, ArithmeticStage& stage) {
  const auto& linear = m.projection(ProjectionKind::o);
  if (!linear) return;
  const Index d_k = m.d_v(), first = m.cell.place.head * d_k;
  const Eigen::RowVectorXd w = as_matrix(linear->weight).row(m.output).segment(first, d_k).cast<double>();
  const Eigen::RowVectorXd c = m.cell.concat.segment(first, d_k).cast<double>();
  StageTerms terms;
  for (Index k = 0; k < d_k; ++k) terms.labels.push_back(std::to_string(first + k + 1));
  const double term = m.cell.w_o_terms(m.cell.place.head, m.output);
  terms.total_label = "\\text{" + m.tr("Head {}", m.cell.place.head + 1) + "} =";
  add_products(terms, {"c_i", "c", list(c), m.digits.projection_o}, {"W_O", "o", list(w)},
               {"c_i W_O", "o", {}, m.digits.o_products}, StageSum{term, digits});
  stage.add(std::move(terms));
}

}  // namespace

void fill_output(const StageMaker& m, ArithmeticStage& stage) {
  const auto& linear = m.projection(ProjectionKind::o);
  const char* b_o = linear && linear->bias.empty() ? "" : " + b_O";
  stage.formula = fmt::format("{} = {} W_O{} = \\sum_h {} W_O^{{(h)}}{}", colored("o", "o_i"),
                              colored("c", "C_i"), b_o, colored("c", "c_i^{(h)}"), b_o);
  stage.text =
      *b_o == '\0'
          ? m.tr.plural(
                "Each head's context meets its own {} row of W_O; what the heads give is added; "
                "this model has no bias here. The terms add up to column {}.",
                "Each head's context meets its own {} rows of W_O; what the heads give is added; "
                "this model has no bias here. The terms add up to column {}.",
                m.d_v(), m.d_v(), m.output + 1)
          : m.tr.plural(
                "Each head's context meets its own {} row of W_O; what the heads give is added, with "
                "the bias. The terms add up to column {}.",
                "Each head's context meets its own {} rows of W_O; what the heads give is added, with "
                "the bias. The terms add up to column {}.",
                m.d_v(), m.d_v(), m.output + 1);
  stage.add_line(m.outputs("o", "o_i", m.cell.output, m.digits.output, m.query()));
  if (m.cell.w_o_terms.rows() == 0) return;
  StageTerms heads;
  Eigen::RowVectorXd terms = m.cell.w_o_terms.col(m.output).transpose();
  for (Index h = 0; h < terms.size(); ++h) heads.labels.push_back(m.tr("Head {}", h + 1));
  const double bias = m.cell.b_o.size() > 0 ? static_cast<double>(m.cell.b_o[m.output]) : 0;
  if (bias != 0) {
    terms.conservativeResize(terms.size() + 1);
    terms[terms.size() - 1] = bias;
    heads.labels.push_back(StageTerms::output_bias);
  }
  heads.row = m.cell.place.head;
  heads.total_label = fmt::format("{}[{}] =", colored("o", "o_i"), m.output + 1);
  const double sum = m.cell.output[m.output];
  add_summands(heads, {"c^{(h)} W_O", "o", list(terms), m.digits.o_terms},
               {sum, shorter(sum, m.digits.output)});
  add_head_products(m, heads.columns.back().decimals, stage);
  stage.add(std::move(heads));
}

namespace {

/// What reads the result of the residual connection, or of the norm after it.
std::string reader(const StageMaker& m) {
  if (m.block.shape.kind == BlockKind::decoder)
    return m.cell.add_and_norm->norm
               ? m.tr("The cross-attention of the layer reads the result.")
               : m.tr("The cross-attention of the layer reads the result, after a norm.");
  if (m.cell.way.parallel)
    return m.tr("The feed-forward network of this layer also reads x; its output is added to the result.");
  if (m.cell.way.laurel)
    return m.tr(
        "What a linear layer of low rank (LAuReL) gives of the same normed rows is added, with these rows, "
        "and the sum "
        "divided by √2; the feed-forward network reads that, after a norm.");
  if (m.block.computed_layers && !m.cell.add_and_norm->norm && m.cell.way.feed_forward_norm)
    return m.tr("The feed-forward network reads the result, after a norm.");
  if (m.block.computed_layers || m.trace.inputs.feed_forward)
    return m.tr("The feed-forward network reads the result.");
  const bool last = m.cell.place.layer + 1 == m.block.layer_count();
  return last ? m.tr("The result is the output of the stack.") : m.tr("The next layer reads the result.");
}

/// z of one column, where the norm has no parameters.
void add_plain_norm(const StageMaker& m, const NormedRow& norm, ArithmeticStage& stage) {
  const Index c = m.output;
  const auto computed = [&](int decimals) {
    return (as_printed(norm.x[c], decimals) - as_printed(norm.mean, decimals)) /
           as_printed(norm.deviation, decimals);
  };
  const int digits = operand_decimals(
      4, 6, [&](int decimals) { return units_off(computed(decimals), norm.y[c], m.digits.norm); });
  const auto n = [&](double value) { return m.number(value, shorter(value, digits)); };
  stage.add_line(m.outputs("o", "z_i", norm.y, m.digits.norm, m.query()));
  const std::string mean = norm.mean < 0 ? "(" + n(norm.mean) + ")" : n(norm.mean);
  stage.add(StageFormula{fmt::format("z_i[{}] = \\frac{{{} - {}}}{{{}}} = {}", c + 1, n(norm.x[c]), mean,
                                     n(norm.deviation), m.number(computed(digits), m.digits.norm))});
}

}  // namespace

void fill_norm(const StageMaker& m, ArithmeticStage& stage) {
  const AddAndNorm& step = *m.cell.add_and_norm;
  const Index c = m.output;
  std::string added = m.cell.way.added_norm ? "a_i" : "o_i";
  if (m.cell.way.added_factor != 1)
    added = m.number(m.cell.way.added_factor, shorter(m.cell.way.added_factor, 6)) + " \\, " + added;
  const bool beside = m.cell.way.beside.size() > 0;
  std::string sum = step.residual ? colored("x", "x_i") + " + " + colored("o", added) : colored("o", "o_i");
  if (beside) sum += " + " + colored("v", "m_i");
  const bool weighted = step.norm && step.norm->weight.size() > 0;
  stage.formula = step.norm ? fmt::format("z_i = {}({})", norm_name(*step.norm), sum)
                            : (m.block.computed_layers ? "r_i = " : "z_i = ") + sum;
  if (step.norm && !weighted)
    stage.formula += " = \\frac{r_i - \\mu}{\\sqrt{\\sigma^2 + \\varepsilon}}, \\quad r_i = " + sum;
  if (step.residual)
    stage.text = m.tr("The layer's input is added again, so that what attention finds is a change to it.");
  if (beside)
    m.say(stage,
          m.tr("The state beside the attention reads the same row and adds m, the sum of its own heads."));
  if (step.norm)
    m.say(stage, weighted ? norm_text(m, *step.norm)
                          : std::string(m.tr("LayerNorm gives the row mean 0 and variance 1.")));
  m.say(stage, reader(m));
  if (!m.cell.way.experts.empty()) {
    std::string experts;
    for (const auto& [expert, weight] : m.cell.way.experts)
      experts += (experts.empty() ? "" : ", ") + fmt::format("{} ({:.2f})", expert + 1, weight);
    m.say(stage, m.tr("It has {} experts; \"{}\" goes to {} (weights in brackets).", m.cell.way.expert_count,
                      m.query(), experts));
    if (m.cell.way.shared_expert) m.say(stage, m.tr("One more, the shared expert, takes every token."));
  }
  if (m.cell.way.layer_embedding)
    m.say(
        stage,
        m.cell.way.streams > 1
            ? m.tr(
                  "Behind the network the streams are corrected, and all but the first get a vector that the "
                  "token has for this layer, multiplied by a gate.")
            : m.tr("Behind the network the layer adds a vector that the token has for this layer, multiplied "
                   "by a gate."));
  if (m.cell.way.layer_factor != 1)
    m.say(stage, m.tr("The layer's output is multiplied by {}.", printed_number(m.cell.way.layer_factor, 4)));
  if (step.residual) {
    // Component by component, the printed numbers add up.
    constexpr int of_sum = 4, of_terms = of_sum + 2;
    const int x_digits = shortest(m.cell.x, of_terms), o_digits = shortest(step.added, of_terms);
    Eigen::RowVectorXd sums(step.sum.size());
    const int m_digits = beside ? shortest(m.cell.way.beside, of_terms) : of_terms;
    for (Index i = 0; i < sums.size(); ++i)
      sums[i] = as_printed(as_printed(static_cast<double>(m.cell.x[i]), x_digits) +
                               as_printed(step.added[i], o_digits) +
                               (beside ? as_printed(m.cell.way.beside[i], m_digits) : 0),
                           of_sum);
    stage.add_line(m.outputs("x", "x_i", m.cell.x, x_digits, m.query()), StageFormula{"+"},
                   m.outputs("o", added, step.added, o_digits, m.query()));
    if (beside)
      stage.add_line(StageFormula{"+"}, m.outputs("v", "m_i", m.cell.way.beside, m_digits, m.query()));
    stage.add_line(StageFormula{"="}, m.outputs("o", "r_i", sums, of_sum, m.query()));
  }
  if (weighted)
    add_norm(m, *step.norm, "o", "r_i", "z_i", c, stage);
  else if (step.norm)
    add_plain_norm(m, *step.norm, stage);
}

}  // namespace headscope
