#include <fmt/format.h>

#include <algorithm>

#include "core/analysis/stage_maker.h"

namespace headscope {

void fill_products(const StageMaker& m, ArithmeticStage& stage) {
  const Index d_k = m.cell.q.size();
  stage.formula = fmt::format("{} \\cdot {} = \\sum_{{c=1}}^{{d_k}} {} {}", colored("q", "q_i"),
                              colored("k", "k_j"), colored("q", "q_{ic}"), colored("k", "k_{jc}"));
  stage.text = m.tr.format(
      "The {} components of q and k are multiplied pair by pair, and the products are added: the more the "
      "two "
      "vectors point in the same direction, the larger the sum.",
      d_k);
  using Click = StageMatrix::Click;
  stage.parts.push_back(
      m.vector("q", "q_i", m.cell.q, m.digits.projected, m.query(), m.component, Click::component));
  stage.parts.push_back(StageFormula{"\\cdot"});
  stage.parts.push_back(
      m.vector("k", "k_j", m.cell.k, m.digits.projected, m.key(), m.component, Click::component));
  stage.parts.push_back(StageBreak{});
  StageTerms terms;
  for (Index c = 0; c < d_k; ++c) terms.labels.push_back(std::to_string(c + 1));
  terms.row = m.component;
  terms.columns = {{"q_i", "q", list(m.cell.q), shortest(m.cell.q, m.digits.q)},
                   {"k_j", "k", list(m.cell.k), shortest(m.cell.k, m.digits.q)},
                   {"q_i k_j", "s", list(m.cell.products), shortest(m.cell.products, m.digits.product)}};
  terms.total_label = fmt::format("{} \\cdot {} =", colored("q", "q_i"), colored("k", "k_j"));
  terms.columns.back().adds = true;
  terms.columns.back().total = printed_number(m.cell.dot, shorter(m.cell.dot, m.digits.dot));
  sign_product(terms);
  stage.parts.push_back(std::move(terms));
}

namespace {

/// Of a score to which a bias is still to be added.
std::string score_before_bias(const StageMaker& m) {
  return colored("s", m.cell.rule.bias.size() > 0 ? "s'_{ij}" : "s_{ij}");
}

}  // namespace

void fill_scale(const StageMaker& m, ArithmeticStage& stage) {
  const Index d_k = m.cell.q.size();
  const std::string dot = m.number(m.cell.dot, shorter(m.cell.dot, m.digits.dot));
  const RowRule& rule = m.cell.rule;
  const double score = m.cell.dot * m.cell.scale;
  const std::string s = score_before_bias(m);
  stage.parts.push_back(StageFormula{});
  std::string& tex = std::get<StageFormula>(stage.parts.back()).tex;
  const bool model_scales = m.block.what_if.scale && m.block.computed_layers;
  if (!rule.by_root) {
    stage.title = rule.layer_divisor > 1 ? m.tr("Divide by the layer's number") : m.tr("Not divided by √d_k");
    stage.text = model_scales ? m.tr("This model does not divide by √d_k; its weights were trained without.")
                              : m.tr("Scaling by √d_k is off: the sum itself is the score.");
    if (rule.layer_divisor > 1) {
      stage.formula = fmt::format("{} = \\frac{{{} \\cdot {}}}{{{}}}", s, colored("q", "q_i"),
                                  colored("k", "k_j"), rule.layer_divisor);
      tex = fmt::format("{} = \\frac{{{}}}{{{}}} = {}", s, dot, rule.layer_divisor,
                        m.number(score, shorter(score, m.digits.scaled)));
    } else {
      stage.formula = fmt::format("{} = {} \\cdot {}", s, colored("q", "q_i"), colored("k", "k_j"));
      tex = s + " = " + dot;
    }
  } else {
    const std::string times =
        rule.layer_divisor > 1 ? fmt::format(" \\cdot {}", rule.layer_divisor) : std::string();
    stage.formula = fmt::format("{} = \\frac{{{} \\cdot {}}}{{\\sqrt{{d_k}}{}}}", s, colored("q", "q_i"),
                                colored("k", "k_j"), times);
    stage.text = m.tr.plural(
        "With one component the sum is a single product, and √d_k = 1 leaves it as it is.",
        "A sum of {} random products spreads √{} times as widely as one of them. Divided by √d_k, scores "
        "spread alike for every d_k, and the softmax does not saturate.",
        d_k, d_k, d_k);
    const double root = std::sqrt(static_cast<double>(d_k));
    const int root_digits = shorter(root, 4);
    tex = fmt::format("{} = \\frac{{{}}}{{\\sqrt{{{}}}{}}} = \\frac{{{}}}{{{}{}}} = {}", s, dot, d_k, times,
                      dot, m.number(root, root_digits), times,
                      m.number(score, shorter(score, m.digits.scaled)));
  }
  if (rule.layer_divisor > 1)
    m.say(stage, m.tr.format("This model divides by the number of the layer too: {}.", rule.layer_divisor));
  const Eigen::RowVectorXd& bias = rule.bias;
  const Eigen::RowVectorXd scores =
      bias.size() > 0 ? Eigen::RowVectorXd(m.cell.scores - bias) : m.cell.scores;
  stage.parts.push_back(StageBreak{});
  stage.parts.push_back(m.over_keys("s", bias.size() > 0 ? "s'_i" : "s_i", scores, m.digits.scaled));
}

void fill_temperature(const StageMaker& m, ArithmeticStage& stage) {
  const double t = m.cell.temperature, scaled = m.cell.score / t;
  stage.formula = fmt::format("{} / T", colored("s", "s_{ij}"));
  stage.text = t < 1 ? m.tr("A temperature below 1 spreads the scores: the weights become sharper.")
                     : m.tr("A temperature above 1 draws the scores together: the weights become more even.");
  stage.parts.push_back(StageFormula{
      fmt::format("\\frac{{{}}}{{T}} = \\frac{{{}}}{{{}}} = {}", colored("s", "s_{ij}"),
                  m.number(m.cell.score, shorter(m.cell.score, m.digits.scaled)),
                  fmt::format("\\text{{{}}}", t), m.number(scaled, shorter(scaled, m.digits.score)))});
  stage.parts.push_back(StageBreak{});
  stage.parts.push_back(m.over_keys("s", "s_i / T", m.cell.scores / t, m.digits.score));
}

void fill_mask(const StageMaker& m, ArithmeticStage& stage) {
  const auto [layer, head, i, j] = m.cell.place;
  const bool infinite = m.block.fills_with_infinity();
  const std::string before = m.cell.temperature == 1 ? "s_{ij}" : "s_{ij} / T";
  const char* fill = infinite ? "-\\infty" : "\\text{−1e9}";
  stage.formula = fmt::format("{} = {} + M_{{ij}}, \\quad M_{{ij}} \\in \\{{ {}, {} \\}}",
                              colored("s", "m_{ij}"), colored("s", before), 0, fill);
  if (!infinite)
    stage.formula = fmt::format("{} = {} \\quad {} \\to {}", colored("s", "m_{ij}"), colored("s", before),
                                "\\text{" + std::string(m.tr("blocked")) + "}", fill);
  stage.text = infinite
                   ? m.tr(
                         "A blocked key gets −∞ added to its score, which makes it −∞: e^−∞ is 0, and so is "
                         "its weight.")
                   : m.tr(
                         "A blocked key's score is replaced by −1e9: its exponential is 0 beside any that is "
                         "not blocked. Where every key is blocked, all are alike.");
  const auto& masked = m.cell.masked;
  if (!infinite && (masked.array() == -std::numeric_limits<double>::infinity()).any())
    m.say(stage, m.tr("Keys that the model itself never lets this query see stay at −∞."));
  const Eigen::RowVectorXd scores = m.cell.scores / m.cell.temperature;
  StageTerms terms;
  terms.labels = m.keys();
  terms.row = j;
  terms.columns = {{before, "s", list(scores), shortest(scores, m.digits.score)}};
  // What takes the score's place is no summand: PyTorch's masked_fill.
  if (infinite) {
    std::vector<double> mask;
    for (Index key = 0; key < scores.size(); ++key)
      mask.push_back(m.mask().blocked(head, i, key) ? masked[key] : 0);
    terms.columns.push_back({"M_{ij}", "", mask, 0});
    terms.columns.back().sign = "+";
  }
  terms.columns.push_back({"m_{ij}", "s", list(masked), shortest(masked, m.digits.score)});
  terms.columns.back().sign = infinite ? "=" : "→";
  stage.parts.push_back(std::move(terms));
}

namespace {

std::string softmax_text(const StageMaker& m) {
  if (m.cell.row_sum == 0)
    return m.tr(
        "Every key is blocked: there is no maximum to subtract, and the exponentials sum to 0, by which "
        "nothing "
        "can be divided. All weights of a blocked row are 0.");
  if (m.cell.row_max <= -1e9)
    return m.tr(
        "Every key is blocked with the same −1e9: less the maximum all are 0, the exponentials are 1, "
        "and the weights are uniform.");
  return m.tr(
      "The row's maximum is subtracted first, so that no exponential overflows. It changes no weight: the "
      "factor e^−max stands above and below the line and cancels out.");
}

}  // namespace

namespace {

/// The weights are not made of the exponentials here, but stand in a file.
void say_given(const StageMaker& m, ArithmeticStage& stage) {
  const CellArithmetic& cell = m.cell;
  const Index j = cell.place.key;
  if ((cell.weights.array() == 0).any())
    m.say(stage, m.tr("A key whose weight is 0 in the file counts as blocked: its score becomes −∞."));
  if (cell.row_sum == 0) return;
  constexpr double most_off = 0.02;  // beyond what 16-bit numbers leave
  const Eigen::RowVectorXd own = cell.exponentials / cell.row_sum;
  if ((own - cell.weights).cwiseAbs().maxCoeff() <= most_off)
    m.say(stage, m.tr("The weights are those of the file, rounded as they are there."));
  else
    m.say(stage, m.tr.format("The weights are those of the file. Softmax alone would give {} here instead of "
                             "{}: something that is not in the file changed them.",
                             printed_number(own[j], 4), printed_number(cell.weights[j], 4)));
}

}  // namespace

void fill_softmax(const StageMaker& m, ArithmeticStage& stage) {
  const CellArithmetic& cell = m.cell;
  const bool masked = m.block.masked(), empty = cell.row_sum == 0;
  const std::string s = masked ? "m_{ij}" : cell.temperature == 1 ? "s_{ij}" : "s_{ij} / T";
  // Another letter for the keys that are gone through than for the one in question.
  const std::string each = masked ? "m_{i\\ell}" : cell.temperature == 1 ? "s_{i\\ell}" : "s_{i\\ell} / T";
  const std::string most = "\\max_\\ell " + colored("s", each);
  stage.formula = fmt::format("{} = \\frac{{\\exp({} - {})}}{{\\sum_\\ell \\exp({} - {})}}",
                              colored("w", "w_{ij}"), colored("s", s), most, colored("s", each), most);
  if (empty) stage.formula = fmt::format("{} = 0", colored("w", "w_{ij}"));
  stage.text = softmax_text(m);
  stage.reason = empty || cell.row_max <= -1e9
                     ? stage.text
                     : m.tr("Less the maximum, exp cannot overflow; the weights stay the same.");
  if (m.block.maps->given()) say_given(m, stage);
  StageTerms terms;
  terms.labels = m.keys();
  terms.row = cell.place.key;
  terms.total_label = "\\sum";
  const int score = shortest(cell.masked, m.digits.score), weight = shortest(cell.weights, m.digits.weight);
  if (empty) {
    terms.columns = {{s, "s", list(cell.masked), score},
                     {"\\exp", "w", list(cell.exponentials), 0},
                     {"w_{ij}", "w", list(cell.weights), 0}};
    for (const std::size_t column : {1U, 2U})
      terms.columns[column].adds = true, terms.columns[column].total = "0";
    stage.parts.push_back(std::move(terms));
    return;
  }
  const Eigen::RowVectorXd shifted = cell.masked.array() - cell.row_max;
  terms.columns = {{s, "s", list(cell.masked), score},
                   {s + " - \\max", "s", list(shifted), std::max(score, shortest(shifted, score))},
                   {"\\exp", "w", list(cell.exponentials), shortest(cell.exponentials, m.digits.exponential)},
                   {"w_{ij}", "w", list(cell.weights), weight}};
  terms.columns[0].total = "max " + printed_number(cell.row_max, shorter(cell.row_max, m.digits.score));
  terms.columns[2].adds = terms.columns[3].adds = true;
  terms.columns[2].total = printed_number(cell.row_sum, shorter(cell.row_sum, m.digits.row_sum));
  const double sum = cell.weights.sum();
  terms.columns[3].total = std::abs(sum - 1) < 1e-6 ? "= 1 ✓" : printed_number(sum, weight);
  stage.parts.push_back(std::move(terms));
  const Index j = cell.place.key;
  stage.parts.push_back(StageFormula{
      fmt::format("{} = \\frac{{{}}}{{{}}} = {}", colored("w", "w_{ij}"),
                  m.number(cell.exponentials[j], shortest(cell.exponentials, m.digits.exponential)),
                  m.number(cell.row_sum, shorter(cell.row_sum, m.digits.row_sum)),
                  colored("w", m.number(cell.weights[j], weight)))});
}

void fill_dropout(const StageMaker& m, ArithmeticStage& stage) {
  const Eigen::RowVectorXd factors = m.cell.dropout.cast<double>();
  const Eigen::RowVectorXd dropped = m.cell.weights.cwiseProduct(factors);
  const double p = m.block.what_if.dropout;
  stage.formula = fmt::format("{} \\in \\left\\{{ 0, \\frac{{{}}}{{1 - p}} \\right\\}}",
                              colored("w", "w'_{ij}"), colored("w", "w_{ij}"));
  stage.text = m.tr.format(
      "In training each weight is set to 0 with probability p = {}, and the others are divided by 1 − p: on "
      "average the sum stays 1.",
      p);
  StageTerms terms;
  terms.labels = m.keys();
  terms.row = m.cell.place.key;
  terms.columns = {{"w_{ij}", "w", list(m.cell.weights), shortest(m.cell.weights, m.digits.weight)},
                   {"", "", list(factors), shortest(factors, 4)},
                   {"w'_{ij}", "w", list(dropped), shortest(dropped, m.digits.weight)}};
  sign_product(terms);
  stage.parts.push_back(std::move(terms));
}

}  // namespace headscope
