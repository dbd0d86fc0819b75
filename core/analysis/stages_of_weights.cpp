#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/analysis/stage_maker.h"

namespace headscope {

void fill_products(const StageMaker& m, ArithmeticStage& stage) {
  const Index d_k = m.cell.q.size();
  stage.formula = fmt::format("{} \\cdot {} = \\sum_{{c=1}}^{{d_k}} {} {}", colored("q", "q_i"),
                              colored("k", "k_j"), colored("q", "q_{ic}"), colored("k", "k_{jc}"));
  stage.text = m.tr(
      "The {} components of q and k are multiplied pair by pair, and the products are added: the more the "
      "two "
      "vectors point in the same direction, the larger the sum.",
      d_k);
  stage.add_line(m.components("q", "q_i", m.cell.q, m.digits.projected, m.query()), StageFormula{"\\cdot"},
                 m.components("k", "k_j", m.cell.k, m.digits.projected, m.key()));
  StageTerms terms;
  for (Index c = 0; c < d_k; ++c) terms.labels.push_back(std::to_string(c + 1));
  terms.row = m.component;
  add_products(terms, {"q_i", "q", list(m.cell.q), m.digits.q}, {"k_j", "k", list(m.cell.k)},
               {"q_i k_j", "s", {}, m.digits.product},
               StageSum{m.cell.dot, shorter(m.cell.dot, m.digits.dot)});
  terms.total_label = fmt::format("{} \\cdot {} =", colored("q", "q_i"), colored("k", "k_j"));
  stage.add(std::move(terms));
}

namespace {

/// For a score that is still to be capped, or to which a bias is still to be added.
bool more_to_come(const StageMaker& m) {
  return m.cell.rule.bias.size() > 0 || m.cell.rule.cap > 0;
}
std::string score_before_bias(const StageMaker& m) {
  return colored("s", more_to_come(m) ? "s'_{ij}" : "s_{ij}");
}

/// q · k; what it is scaled by, with enough digits that the printed ones give the score; and the score.
std::vector<StageValue> scaled_by(const StageMaker& m, double by,
                                  const std::function<double(double dot, double by)>& scale) {
  const int dot_digits = shorter(m.cell.dot, m.digits.dot);
  const double dot = as_printed(m.cell.dot, dot_digits), score = m.cell.dot * m.cell.scale;
  const int digits = shorter(score, m.digits.scaled);
  const auto scaled = [&](int decimals) { return scale(dot, as_printed(by, decimals)); };
  const int decimals =
      operand_decimals(shorter(by, 4), 6, [&](int some) { return units_off(scaled(some), score, digits); });
  return {{dot, dot_digits}, {by, decimals}, {scaled(decimals), digits}};
}

/// The stage of a model with its own factor instead of 1 / √d_k; returns its formula with numbers.
std::string fill_own_factor(const StageMaker& m, const std::string& s, ArithmeticStage& stage) {
  const double factor = m.cell.scale;
  stage.numbers = scaled_by(m, factor, [](double dot, double by) { return dot * by; });
  stage.title = m.tr("Multiply by the model's factor");
  stage.text = m.tr("This model multiplies q · k by its own factor, {}, instead of 1 / √d_k.",
                    printed_number(factor, shorter(factor, stage.numbers[1].decimals)));
  stage.formula = fmt::format("{} = c \\, {} \\cdot {}", s, colored("q", "q_i"), colored("k", "k_j"));
  return fmt::format("{} = {} \\times {} = {}", s, m.number(stage.numbers[1]), m.number(stage.numbers[0]),
                     m.number(stage.numbers[2]));
}

/// The same for a model that divides by its layer's number alone, or by nothing.
std::string fill_unscaled(const StageMaker& m, const std::string& s, ArithmeticStage& stage) {
  const Index layer = m.cell.rule.layer_divisor;
  const bool model_scales = m.block.interventions.scale && m.block.computed_layers;
  stage.numbers =
      scaled_by(m, static_cast<double>(layer), [&](double dot, double /*by*/) { return dot * m.cell.scale; });
  stage.title = layer > 1 ? m.tr("Divide by the layer's number") : m.tr("Not divided by √d_k");
  stage.text = model_scales ? m.tr("This model does not divide by √d_k; its weights were trained without.")
                            : m.tr("Scaling by √d_k is off: the sum itself is the score.");
  const std::string q_k = colored("q", "q_i") + " \\cdot " + colored("k", "k_j");
  const std::string dot = m.number(stage.numbers[0]);
  stage.formula = layer > 1 ? fmt::format("{} = \\frac{{{}}}{{{}}}", s, q_k, layer) : s + " = " + q_k;
  return layer > 1 ? fmt::format("{} = \\frac{{{}}}{{{}}} = {}", s, dot, layer, m.number(stage.numbers[2]))
                   : s + " = " + dot;
}

/// By √d_k, and by the layer's number where the model has that.
std::string fill_divided(const StageMaker& m, const std::string& s, ArithmeticStage& stage) {
  const Index d_k = m.cell.q.size(), layer = m.cell.rule.layer_divisor;
  stage.numbers = scaled_by(m, std::sqrt(d_k),
                            [&](double dot, double by) { return dot / by / static_cast<double>(layer); });
  const std::string times = layer > 1 ? fmt::format(" \\cdot {}", layer) : std::string();
  stage.formula = fmt::format("{} = \\frac{{{} \\cdot {}}}{{\\sqrt{{d_k}}{}}}", s, colored("q", "q_i"),
                              colored("k", "k_j"), times);
  stage.text = m.tr.plural(
      "With one component the sum is a single product, and √d_k = 1 leaves it as it is.",
      "A sum of {} random products spreads √{} times as widely as one of them. Divided by √d_k, scores "
      "spread alike for every d_k, and the softmax does not saturate.",
      d_k, d_k, d_k);
  const std::string dot = m.number(stage.numbers[0]);
  return fmt::format("{} = \\frac{{{}}}{{\\sqrt{{{}}}{}}} = \\frac{{{}}}{{{}{}}} = {}", s, dot, d_k, times,
                     dot, m.number(stage.numbers[1]), times, m.number(stage.numbers[2]));
}

/// A capture has no mask, only queries without a key.
bool has_mask_stage(const StageMaker& m) {
  return m.block.masked() && !m.block.maps->given();
}

}  // namespace

void fill_scale(const StageMaker& m, ArithmeticStage& stage) {
  const RowRule& rule = m.cell.rule;
  const std::string s = score_before_bias(m);
  const auto fill = rule.own_factor ? fill_own_factor : rule.by_sqrt_d_k ? fill_divided : fill_unscaled;
  stage.add_line(StageFormula{fill(m, s, stage)});
  if (rule.layer_divisor > 1)
    m.say(stage, m.tr("This model divides by the number of the layer too: {}.", rule.layer_divisor));
  StageMatrix scores = m.over_keys("s", more_to_come(m) ? "s'_i" : "s_i", scaled_scores(m), m.digits.scaled);
  if (m.block.tokens_alone) {  // whose score is no product, and comes later
    scores.columns.pop_back();
    scores.values.conservativeResize(Eigen::NoChange, scores.values.cols() - 1);
    scores.shape = shape_text({scores.values.cols()});
  }
  stage.add(std::move(scores));
}

Eigen::RowVectorXd scaled_scores(const StageMaker& m) {
  if (m.cell.rule.cap > 0) return m.cell.way.uncapped;
  if (m.cell.rule.bias.size() > 0) return m.cell.scores - m.cell.rule.bias;
  return m.cell.scores;
}

void fill_temperature(const StageMaker& m, ArithmeticStage& stage) {
  const double t = m.cell.temperature, before = m.cell.masked[m.cell.place.key];
  const char* letter = has_mask_stage(m) ? "m" : "s";
  const std::string s = colored("s", fmt::format("{}_{{ij}}", letter));
  const int before_digits = shorter(before, m.digits.scaled);
  const double after = as_printed(before, before_digits) / t;
  stage.numbers = {{before, before_digits}, {after, shorter(after, m.digits.score)}};
  stage.formula = s + " / T";
  stage.text = t < 1 ? m.tr("A temperature below 1 spreads the scores: the weights become sharper.")
                     : m.tr("A temperature above 1 draws the scores together: the weights become more even.");
  stage.add_line(StageFormula{fmt::format("\\frac{{{}}}{{T}} = \\frac{{{}}}{{\\text{{{}}}}} = {}", s,
                                          m.number(stage.numbers.front()), short_number(t),
                                          m.number(stage.numbers.back()))});
  stage.add(m.over_keys("s", fmt::format("{}_i / T", letter), m.cell.tempered, m.digits.score));
}

void fill_mask(const StageMaker& m, ArithmeticStage& stage) {
  const auto [layer, head, i, j] = m.cell.place;
  const bool infinite = m.block.fills_with_infinity();
  const std::string before = "s_{ij}";
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
                         "A blocked key's score is replaced by −1e9: its exponential is 0 next to any that "
                         "is not blocked. Where every key is blocked, all are alike.");
  const auto& masked = m.cell.masked;
  if (!infinite && (masked.array() == -std::numeric_limits<double>::infinity()).any())
    m.say(stage, m.tr("Keys that the model itself never lets this query see stay at −∞."));
  const Eigen::RowVectorXd& scores = m.cell.scores;
  StageTerms terms;
  terms.labels = m.keys();
  terms.row = j;
  const int digits = shortest(scores, m.digits.scaled);
  terms.columns = {{before, "s", list(scores), digits}};
  // The fill replaces the score and is not added: PyTorch's masked_fill.
  if (infinite) {
    std::vector<double> mask;
    for (Index key = 0; key < scores.size(); ++key)
      mask.push_back(m.mask().blocked(head, i, key) ? masked[key] : 0);
    terms.columns.push_back({"M_{ij}", "", mask, 0});
    terms.columns.back().sign = "+";
  }
  terms.columns.push_back({"m_{ij}", "s", list(masked), digits});
  terms.columns.back().sign = infinite ? "=" : "→";
  stage.add(std::move(terms));
}

namespace {

std::string softmax_text(const StageMaker& m) {
  if (m.cell.row_sum == 0)
    return m.tr(
        "Every key is blocked: there is no maximum to subtract, and the exponentials sum to 0, by which "
        "nothing "
        "can be divided. All weights of a blocked row are 0.");
  if (m.cell.all_blocked)
    return m.tr(
        "Every key is blocked with the same −1e9: less the maximum all are 0, the exponentials are 1, "
        "and the weights are uniform.");
  return m.tr(
      "The row's maximum is subtracted first, so that no exponential overflows. It changes no weight: the "
      "factor e^−max appears above and below the line and cancels out.");
}

}  // namespace

namespace {

/// The weights are not computed from the exponentials here but read from a file.
void say_given(const StageMaker& m, ArithmeticStage& stage) {
  const CellArithmetic& cell = m.cell;
  const Index j = cell.place.key;
  if ((cell.weights.array() == 0).any())
    m.say(stage, m.tr("A key whose weight is 0 in the file counts as blocked: its score becomes −∞."));
  if (cell.row_sum == 0) return;
  constexpr double max_off = 0.02;  // beyond the rounding of 16-bit numbers
  const Eigen::RowVectorXd own = cell.exponentials / cell.row_sum;
  if ((own - cell.weights).cwiseAbs().maxCoeff() <= max_off)
    m.say(stage, m.tr("The weights are those of the file, rounded as they are there."));
  else
    m.say(stage, m.tr("The weights are those of the file. Softmax alone would give {} here instead of "
                      "{}: something that is not in the file changed them.",
                      printed_number(own[j], 4), printed_number(cell.weights[j], 4)));
}

/// The row as printed: each number follows from the printed ones before it.
struct PrintedSoftmax {
  std::vector<double> scores, shifted, exponentials, weights;
  double max = 0, sum = 0;
};
struct SoftmaxDigits {
  int score, exponential, sum, weight;
};

std::vector<double> printed_exponentials(const CellArithmetic& cell, int score, int exponential) {
  const double max = as_printed(cell.row_max, score);
  std::vector<double> values;
  for (const double s : cell.tempered)
    values.push_back(as_printed(std::exp(as_printed(s, score) - max), exponential));
  return values;
}

PrintedSoftmax printed_softmax(const CellArithmetic& cell, const SoftmaxDigits& digits) {
  PrintedSoftmax row;
  row.max = as_printed(cell.row_max, digits.score);
  row.scores = as_printed(list(cell.tempered), digits.score);
  for (const double score : row.scores) row.shifted.push_back(as_printed(score - row.max, digits.score));
  row.exponentials = printed_exponentials(cell, digits.score, digits.exponential);
  row.sum = as_printed(std::accumulate(row.exponentials.begin(), row.exponentials.end(), 0.0), digits.sum);
  for (const double e : row.exponentials) row.weights.push_back(as_printed(e / row.sum, digits.weight));
  return row;
}

/// From the weights backwards.
SoftmaxDigits softmax_digits(const StageMaker& m) {
  const CellArithmetic& cell = m.cell;
  SoftmaxDigits digits{};
  digits.score = shortest(cell.tempered, m.digits.score);
  digits.weight = shortest(cell.weights, m.digits.weight);
  if (cell.row_sum == 0) return digits;
  const std::vector<double> exact = list(cell.exponentials);
  const auto off = [&](int decimals) {
    const double sum = as_printed(sum_as_printed(exact, decimals), digits.sum);
    double maximum = units_off(sum, cell.row_sum, digits.sum);
    for (const double e : exact)
      maximum = std::max(maximum, units_off(as_printed(e, decimals) / sum, e / cell.row_sum, digits.weight));
    return maximum;
  };
  // A longer sum where a weight would differ from the true one in its last digit.
  constexpr int max_more = 2;
  int exponential = 0;
  for (int more = 0; more <= max_more; ++more) {
    digits.sum = shorter(cell.row_sum, m.digits.row_sum + more);
    exponential = operand_decimals(std::max(m.digits.exponential, digits.sum), 2, off);
    if (off(exponential) < 0.5) break;
  }
  digits.exponential = shortest(exact, exponential);
  digits.score = operand_decimals(digits.score, 3, [&](int decimals) {
    const std::vector<double> printed = printed_exponentials(cell, decimals, digits.exponential);
    double maximum = 0;
    for (std::size_t j = 0; j < exact.size(); ++j)
      maximum = std::max(maximum, units_off(printed[j], exact[j], digits.exponential));
    return maximum;
  });
  return digits;
}

}  // namespace

void fill_softmax(const StageMaker& m, ArithmeticStage& stage) {
  const CellArithmetic& cell = m.cell;
  const bool masked = has_mask_stage(m), empty = cell.row_sum == 0;
  const std::string letter = masked ? "m" : "s", over = cell.temperature == 1 ? "" : " / T";
  const std::string s = letter + "_{ij}" + over;
  // The sum runs over another letter than that of the key in question.
  const std::string each = letter + "_{i\\ell}" + over;
  const std::string maximum = "\\max_\\ell " + colored("s", each);
  stage.formula = fmt::format("{} = \\frac{{\\exp({} - {})}}{{\\sum_\\ell \\exp({} - {})}}",
                              colored("w", "w_{ij}"), colored("s", s), maximum, colored("s", each), maximum);
  if (empty) stage.formula = fmt::format("{} = 0", colored("w", "w_{ij}"));
  stage.text = softmax_text(m);
  stage.reason = empty || cell.all_blocked
                     ? stage.text
                     : m.tr("Less the maximum, exp cannot overflow; the weights stay the same.");
  if (m.block.maps->given()) say_given(m, stage);
  StageTerms terms;
  terms.labels = m.keys();
  terms.row = cell.place.key;
  terms.total_label = "\\sum";
  const SoftmaxDigits digits = softmax_digits(m);
  if (empty) {
    terms.columns = {{s, "s", list(cell.tempered), digits.score},
                     {"\\exp", "w", list(cell.exponentials), 0},
                     {"w_{ij}", "w", list(cell.weights), 0}};
    for (const std::size_t column : {1U, 2U})
      terms.columns[column].adds = true, terms.columns[column].total = "0";
    stage.add(std::move(terms));
    return;
  }
  const PrintedSoftmax printed = printed_softmax(cell, digits);
  // Weights from a file do not follow from the exponentials to the last digit.
  const bool given = m.block.maps->given();
  terms.columns = {{s, "s", printed.scores, digits.score},
                   {s + " - \\max", "s", printed.shifted, digits.score},
                   {"\\exp", "w", printed.exponentials, digits.exponential},
                   {"w_{ij}", "w", given ? list(cell.weights) : printed.weights, digits.weight}};
  terms.columns[0].total = "max " + printed_number(printed.max, digits.score);
  terms.columns[2].adds = terms.columns[3].adds = true;
  terms.columns[2].total = printed_number(printed.sum, digits.sum);
  const double sum = cell.weights.sum();
  terms.columns[3].total = std::abs(sum - 1) < 1e-6 ? "= 1 ✓" : printed_number(sum, digits.weight);
  stage.add(std::move(terms));
  const std::size_t j = cell.place.key;
  stage.add(StageFormula{fmt::format("{} = \\frac{{{}}}{{{}}} = {}", colored("w", "w_{ij}"),
                                     m.number(printed.exponentials[j], digits.exponential),
                                     m.number(printed.sum, digits.sum),
                                     colored("w", m.number(printed.weights[j], digits.weight)))});
}

void fill_dropout(const StageMaker& m, ArithmeticStage& stage) {
  const Eigen::RowVectorXd factors = m.cell.dropout.cast<double>();
  const double p = m.block.interventions.dropout;
  stage.formula = fmt::format("{} \\in \\left\\{{ 0, \\frac{{{}}}{{1 - p}} \\right\\}}",
                              colored("w", "w'_{ij}"), colored("w", "w_{ij}"));
  stage.text = m.tr(
      "In training each weight is set to 0 with probability p = {}, and the others are divided by 1 − p: on "
      "average the sum stays 1.",
      p);
  StageTerms terms;
  terms.labels = m.keys();
  terms.row = m.cell.place.key;
  add_products(terms, {"w_{ij}", "w", list(m.cell.weights), m.digits.weight}, {"", "", list(factors)},
               {"w'_{ij}", "w", {}, m.digits.weight});
  stage.add(std::move(terms));
}

}  // namespace headscope
