#include <fmt/format.h>

#include <algorithm>

#include "core/analysis/stage_maker.h"

namespace headscope {

void fill_values(const StageMaker& m, ArithmeticStage& stage) {
  const auto j = m.cell.place.key;
  const bool dropout = m.cell.dropout.size() > 0;
  const std::string w = dropout ? "w'_{ij}" : "w_{ij}";
  stage.formula =
      fmt::format("{} = \\sum_j {} {}", colored("c", "c_i"), colored("w", w), colored("v", "v_j"));
  stage.text = m.tr.format(
      "Every key's row of V times its weight, added up: what the query takes along. The terms add up to "
      "component {}.",
      m.component + 1);
  Eigen::RowVectorXd factors = m.cell.weights;
  if (dropout) factors = factors.cwiseProduct(m.cell.dropout.cast<double>());
  StageMatrix v =
      token_rows("v", "V", as_matrix(m.layer.v, m.kv_head), m.block.key_tokens, {j}, m.digits.value);
  v.column = m.component;
  v.click = StageMatrix::Click::component;
  StageMatrix weighted = v;
  weighted.role = "c";
  weighted.name = w + " v_j";
  for (Index r = 0; r < weighted.values.rows(); ++r)
    weighted.values.row(r) = m.cell.weighted_values.row(v.row_ids[static_cast<std::size_t>(r)]);
  weighted.decimals = shortest(weighted.values, m.digits.weighted);
  stage.parts.push_back(std::move(v));
  stage.parts.push_back(StageFormula{"\\to"});
  stage.parts.push_back(std::move(weighted));
  stage.parts.push_back(StageBreak{});
  stage.parts.push_back(StageFormula{"\\sum_j \\to"});
  stage.parts.push_back(m.vector("c", "c_i", m.cell.context, m.digits.context, m.query(), m.component,
                                 StageMatrix::Click::component));
  stage.parts.push_back(StageBreak{});
  const Eigen::RowVectorXd column = m.values.col(m.component).transpose();
  const Eigen::RowVectorXd products = m.cell.weighted_values.col(m.component).transpose();
  StageTerms terms;
  terms.labels = m.keys();
  terms.row = j;
  terms.columns = {{w, "w", list(factors), shortest(factors, m.digits.factor)},
                   {"v_j", "v", list(column), shortest(column, m.digits.value)},
                   {w + " v_j", "c", list(products), shortest(products, m.digits.weighted)}};
  terms.total_label = fmt::format("{}[{}] =", colored("c", "c_i"), m.component + 1);
  const auto sum = static_cast<double>(m.cell.context[m.component]);
  terms.columns.back().adds = true;
  terms.columns.back().total = printed_number(sum, shorter(sum, m.digits.context));
  sign_product(terms);
  stage.parts.push_back(std::move(terms));
}

void fill_concat(const StageMaker& m, ArithmeticStage& stage) {
  const Index d_k = m.block.shape.d_k, head = m.cell.place.head, heads = m.block.heads();
  stage.formula = fmt::format("{} = \\left[ {}, \\ldots, {} \\right]", colored("c", "C_i"),
                              colored("c", "c_i^{(1)}"), colored("c", fmt::format("c_i^{{({})}}", heads)));
  stage.text =
      m.tr.plural("The context of the only head, in columns {2} to {3} of {4}.",
                  "The contexts of the {} heads side by side. Head {} stands in columns {} to {} of {}.",
                  heads, heads, head + 1, head * d_k + 1, (head + 1) * d_k, heads * d_k);
  stage.parts.push_back(m.vector("c", "c_i", m.cell.context, m.digits.context, m.query(), m.component,
                                 StageMatrix::Click::component));
  stage.parts.push_back(StageFormula{"\\to"});
  stage.parts.push_back(StageSegments{static_cast<int>(heads), static_cast<int>(head), "C_i", "c",
                                      m.tr.format("Head {}", head + 1)});
  stage.parts.push_back(StageBreak{});
  StageMatrix all = m.vector("c", "C_i", m.cell.concat, m.digits.context, m.query(), head * d_k);
  all.span = d_k;
  stage.parts.push_back(std::move(all));
}

namespace {

/// What this head's context gives to the chosen column of the output.
void add_head_products(const StageMaker& m, ArithmeticStage& stage) {
  const auto& linear = m.projection(ProjectionKind::o);
  if (!linear) return;
  const Index d_k = m.block.shape.d_k, first = m.cell.place.head * d_k;
  const Eigen::RowVectorXd w = as_matrix(linear->weight).row(m.output).segment(first, d_k).cast<double>();
  const Eigen::RowVectorXd c = m.cell.context.cast<double>(), products = c.cwiseProduct(w);
  StageTerms terms;
  for (Index k = 0; k < d_k; ++k) terms.labels.push_back(std::to_string(first + k + 1));
  terms.columns = {{"c_i", "c", list(c), shortest(c, m.digits.projection_o)},
                   {"W_O", "o", list(w), shortest(w, m.digits.projection_o)},
                   {"c_i W_O", "o", list(products), shortest(products, m.digits.o_products)}};
  const double term = m.cell.w_o_terms(m.cell.place.head, m.output);
  terms.total_label = "\\text{" + m.tr.format("Head {}", m.cell.place.head + 1) + "} =";
  terms.columns.back().adds = true;
  terms.columns.back().total = printed_number(term, shorter(term, m.digits.o_terms));
  sign_product(terms);
  stage.parts.push_back(std::move(terms));
}

}  // namespace

void fill_output(const StageMaker& m, ArithmeticStage& stage) {
  stage.formula = fmt::format("{} = {} W_O + b_O = \\sum_h {} W_O^{{(h)}} + b_O", colored("o", "o_i"),
                              colored("c", "C_i"), colored("c", "c_i^{(h)}"));
  stage.text = m.tr.plural(
      "Each head's context meets its own {} row of W_O; what the heads give is added, with the bias. The "
      "terms add up to column {}.",
      "Each head's context meets its own {} rows of W_O; what the heads give is added, with the bias. The "
      "terms add up to column {}.",
      m.block.shape.d_k, m.block.shape.d_k, m.output + 1);
  stage.parts.push_back(
      m.vector("o", "o_i", m.cell.output, m.digits.output, m.query(), m.output, StageMatrix::Click::output));
  stage.parts.push_back(StageBreak{});
  add_head_products(m, stage);
  if (m.cell.w_o_terms.rows() == 0) return;
  StageTerms heads;
  Eigen::RowVectorXd terms = m.cell.w_o_terms.col(m.output).transpose();
  for (Index h = 0; h < terms.size(); ++h) heads.labels.push_back(m.tr.format("Head {}", h + 1));
  const double bias = m.cell.b_o.size() > 0 ? static_cast<double>(m.cell.b_o[m.output]) : 0;
  if (bias != 0) {
    terms.conservativeResize(terms.size() + 1);
    terms[terms.size() - 1] = bias;
    heads.labels.push_back(StageTerms::output_bias);
  }
  heads.row = m.cell.place.head;
  heads.columns = {{"c^{(h)} W_O", "o", list(terms), shortest(terms, m.digits.o_terms)}};
  heads.total_label = fmt::format("{}[{}] =", colored("o", "o_i"), m.output + 1);
  const auto sum = static_cast<double>(m.cell.output[m.output]);
  heads.columns.back().adds = true;
  heads.columns.back().total = printed_number(sum, shorter(sum, m.digits.output));
  stage.parts.push_back(std::move(heads));
}

void fill_norm(const StageMaker& m, ArithmeticStage& stage) {
  const AddAndNorm& step = *m.cell.add_and_norm;
  const Index c = m.output;
  const std::string sum =
      step.residual ? colored("x", "x_i") + " + " + colored("o", "o_i") : colored("o", "o_i");
  stage.formula =
      step.layer_norm ? fmt::format("z_i = \\operatorname{{LayerNorm}}({})", sum) : "z_i = " + sum;
  if (step.layer_norm)
    stage.formula += " = \\frac{r_i - \\mu}{\\sqrt{\\sigma^2 + \\varepsilon}}, \\quad r_i = " + sum;
  stage.text = step.residual
                   ? m.tr("The layer's input is added again, so that what attention finds is a change to it.")
                   : std::string();
  const auto sentence = [&](const char* text) {
    if (!stage.text.empty() && m.tr.language() != Language::zh) stage.text += " ";
    stage.text += text;
  };
  if (step.layer_norm) sentence(m.tr("LayerNorm gives the row mean 0 and variance 1."));
  const bool last = m.cell.place.layer + 1 == m.block.layer_count();
  sentence(m.trace.inputs.feed_forward ? m.tr("The feed-forward network reads the result.")
           : last                      ? m.tr("The result is the output of the stack.")
                                       : m.tr("The next layer reads the result."));
  using Click = StageMatrix::Click;
  if (step.residual) {
    stage.parts.push_back(m.vector("x", "x_i", m.cell.x, 4, m.query(), c, Click::output));
    stage.parts.push_back(StageFormula{"+"});
    stage.parts.push_back(m.vector("o", "o_i", m.cell.output, 4, m.query(), c, Click::output));
    stage.parts.push_back(StageBreak{});
    stage.parts.push_back(StageFormula{"="});
    stage.parts.push_back(m.vector("o", "r_i", step.sum, 4, m.query(), c, Click::output));
    stage.parts.push_back(StageBreak{});
  }
  if (!step.layer_norm) return;
  const auto n = [&](double value) { return m.number(value, shorter(value, 4)); };
  stage.parts.push_back(m.vector("o", "z_i", step.result, m.digits.norm, m.query(), c, Click::output));
  stage.parts.push_back(StageBreak{});
  const std::string mean = step.mean < 0 ? "(" + n(step.mean) + ")" : n(step.mean);
  stage.parts.push_back(
      StageFormula{fmt::format("z_i[{}] = \\frac{{{} - {}}}{{{}}} = {}", c + 1, n(step.sum[c]), mean,
                               n(step.deviation), m.number(step.result[c], m.digits.norm))});
}

}  // namespace headscope
