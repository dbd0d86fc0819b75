#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/analysis/stage_maker.h"

namespace headscope {

// What trained models have beside the equation.

namespace {

double largest_of(const Eigen::RowVectorXd& row) {
  return row.size() == 0 ? 0 : row.cwiseAbs().maxCoeff();
}

/// How many decimals each number of a norm is shown with; as StageDigits, from the last one backwards.
struct NormDigits {
  int y, factor, deviation, x, mean, square, square_sum, sum;
};
NormDigits norm_digits(const NormedRow& norm) {
  const auto d = static_cast<double>(norm.x.size());
  const Eigen::RowVectorXd z = (norm.x.array() - norm.mean) / norm.deviation;
  const double z_size = std::max(largest_of(z), 1.0), x_size = largest_of(norm.x);
  const double y = unit_of(largest_of(norm.y), 3, 1e-3);
  const double factor = unit_of_factors(y / 2, z_size, largest_of(norm.weight));
  const double deviation = known(power_of_ten(factor * norm.deviation / z_size), norm.deviation);
  const double x = known(power_of_ten(factor * norm.deviation / 2), x_size);
  const double sum = std::max(x, power_of_ten(x * d));
  const double square_sum = power_of_ten(2 * d * norm.deviation * deviation);
  NormDigits digits{};
  digits.y = decimals_of(y);
  digits.factor = decimals_of(factor);
  digits.deviation = decimals_of(deviation);
  digits.mean = decimals_of(x);
  digits.sum = decimals_of(sum);
  digits.x = decimals_of(known(unit_of_terms(sum, norm.x.size()), x_size));
  digits.square_sum = decimals_of(square_sum);
  digits.square = decimals_of(known(unit_of_terms(square_sum, norm.x.size()), x_size * x_size));
  return digits;
}

/// "1e−5"
std::string small_number(double value) {
  std::string text = fmt::format("{:g}", value);
  const std::size_t e = text.find("e-");
  return e == std::string::npos ? text
                                : text.substr(0, e) + "e−" + std::to_string(std::stoi(text.substr(e + 2)));
}

/// The mean and the deviation, from the sums of the list.
void add_norm_formulas(const StageMaker& m, const NormedRow& norm, const NormDigits& digits, double sum,
                       double squares, ArithmeticStage& stage) {
  const Index d = norm.x.size();
  if (!norm.rms) {
    stage.parts.push_back(StageFormula{fmt::format(
        "\\mu = \\frac{{{}}}{{{}}} = {}", m.number(sum, digits.sum), d, m.number(norm.mean, digits.mean))});
    stage.parts.push_back(StageBreak{});
  }
  stage.parts.push_back(StageFormula{fmt::format(
      "\\sigma = \\sqrt{{\\frac{{{}}}{{{}}} + \\text{{{}}}}} = {}", m.number(squares, digits.square_sum), d,
      small_number(norm.epsilon), m.number(norm.deviation, digits.deviation))});
  stage.parts.push_back(StageBreak{});
}

}  // namespace

std::string norm_name(const NormedRow& norm) {
  return norm.rms ? "\\operatorname{RMSNorm}" : "\\operatorname{LayerNorm}";
}

std::string norm_text(const StageMaker& m, const NormedRow& norm) {
  return norm.rms ? m.tr(
                        "RMSNorm divides the row by the root of its mean square, so that its size does not "
                        "matter; each component has a learnt gain γ.")
                  : m.tr(
                        "LayerNorm takes off the row's mean and divides by its standard deviation; each "
                        "component has a learnt gain γ and bias β.");
}

void add_norm(const StageMaker& m, const NormedRow& norm, const char* role, const std::string& x,
              const std::string& y, Index row, ArithmeticStage& stage) {
  const NormDigits digits = norm_digits(norm);
  const Eigen::RowVectorXd centred = norm.x.array() - norm.mean, squares = centred.cwiseAbs2(),
                           z = centred / norm.deviation;
  StageTerms terms;
  for (Index c = 0; c < norm.x.size(); ++c) terms.labels.push_back(std::to_string(c + 1));
  terms.row = row;
  terms.total_label = "\\sum";
  StageTerms::Column of_x{x, role, list(norm.x), digits.x};
  if (!norm.rms) {
    of_x.adds = true;
    of_x.total = printed_number(norm.x.sum(), digits.sum);
  }
  StageTerms::Column of_squares{norm.rms ? x + "^2" : "(" + x + " - \\mu)^2", "", list(squares),
                                digits.square};
  of_squares.adds = true;
  of_squares.total = printed_number(squares.sum(), digits.square_sum);
  terms.columns = {
      std::move(of_x),
      std::move(of_squares),
      {norm.rms ? x + " / \\sigma" : "(" + x + " - \\mu) / \\sigma", role, list(z), digits.factor},
      {"\\gamma", "", list(norm.weight), digits.factor}};
  terms.columns.back().sign = "×";
  if (norm.bias.size() > 0) {
    terms.columns.push_back({"\\beta", "", list(norm.bias), std::max(digits.factor, digits.y)});
    terms.columns.back().sign = "+";
  }
  terms.columns.push_back({y, role, list(norm.y), digits.y});
  terms.columns.back().sign = "=";
  add_norm_formulas(m, norm, digits, norm.x.sum(), squares.sum(), stage);
  stage.parts.push_back(std::move(terms));
}

namespace {

/// The formula of a norm, with its letters.
std::string norm_formula(const NormedRow& norm, const std::string& x, const std::string& y) {
  return norm.rms ? fmt::format(
                        "{} = {}({}) = \\frac{{{}}}{{\\sqrt{{\\frac{{1}}{{d}} \\sum_c x_c^2 + "
                        "\\varepsilon}}}} \\odot \\gamma",
                        y, norm_name(norm), x, x)
                  : fmt::format(
                        "{} = {}({}) = \\frac{{{} - \\mu}}{{\\sqrt{{\\sigma^2 + \\varepsilon}}}} "
                        "\\odot \\gamma + \\beta",
                        y, norm_name(norm), x, x);
}

}  // namespace

void fill_input_norm(const StageMaker& m, ArithmeticStage& stage) {
  const CellWay& way = m.cell.way;
  const NormedRow& norm = *way.query_norm;
  stage.formula = norm_formula(norm, colored("x", "x_i"), colored("x", "n_i"));
  stage.text = norm_text(m, norm);
  m.say(stage, way.key_norm
                   ? m.tr("Queries, keys and values are all made of normed rows.")
                   : m.tr("Only the queries' row is normed here: the keys come normed from the encoder."));
  using Click = StageMatrix::Click;
  stage.parts.push_back(m.vector("x", "x_i", norm.x, 4, m.query(), m.output, Click::output));
  stage.parts.push_back(StageFormula{"\\to"});
  stage.parts.push_back(m.vector("x", "n_i", norm.y, 4, m.query(), m.output, Click::output));
  stage.parts.push_back(StageBreak{});
  if (way.key_norm) {
    stage.parts.push_back(m.vector("x", "x_j", way.key_norm->x, 4, m.key(), m.output, Click::output));
    stage.parts.push_back(StageFormula{"\\to"});
    stage.parts.push_back(m.vector("x", "n_j", way.key_norm->y, 4, m.key(), m.output, Click::output));
    stage.parts.push_back(StageBreak{});
  }
  add_norm(m, norm, "x", "x_i", "n_i", m.output, stage);
}

void fill_head_norm(const StageMaker& m, ArithmeticStage& stage) {
  const CellWay& way = m.cell.way;
  // What is still to be turned keeps a sign.
  const char *projected = way.q_turn ? "''" : "'", *normed = way.q_turn ? "'" : "";
  const std::string q = fmt::format("q{}_i", normed), k = fmt::format("k{}_j", normed),
                    q_before = fmt::format("q{}_i", projected), k_before = fmt::format("k{}_j", projected);
  stage.formula =
      fmt::format("{} = {}({}), \\quad {} = {}({})", colored("q", q), norm_name(*way.q_norm),
                  colored("q", q_before), colored("k", k), norm_name(*way.k_norm), colored("k", k_before));
  stage.text =
      m.tr("Each head's query and key are normed on their own, so that no product of them grows large.");
  m.say(stage, norm_text(m, *way.q_norm));
  using Click = StageMatrix::Click;
  stage.parts.push_back(m.vector("q", q_before, way.q_norm->x, 4, m.query(), m.component, Click::component));
  stage.parts.push_back(StageFormula{"\\to"});
  stage.parts.push_back(m.vector("q", q, way.q_norm->y, 4, m.query(), m.component, Click::component));
  stage.parts.push_back(StageBreak{});
  stage.parts.push_back(m.vector("k", k_before, way.k_norm->x, 4, m.key(), m.component, Click::component));
  stage.parts.push_back(StageFormula{"\\to"});
  stage.parts.push_back(m.vector("k", k, way.k_norm->y, 4, m.key(), m.component, Click::component));
  stage.parts.push_back(StageBreak{});
  add_norm(m, *way.q_norm, "q", q_before, q, m.component, stage);
}

namespace {

/// The pairs of components of a row, and what they turn to.
void add_turns(const StageMaker& m, const TurnedRow& turn, const Eigen::RowVectorXf& after, const char* role,
               const std::string& before_name, const std::string& name, ArithmeticStage& stage) {
  const Index pairs = turn.angle.size();
  const Eigen::RowVectorXd a = turn.before.head(pairs), b = turn.before.segment(pairs, pairs);
  const Eigen::RowVectorXd to = after.cast<double>();
  const double size = largest_of(turn.before), unit = std::pow(10.0, -m.digits.q);
  const double factor = unit_of_factors(unit / 2, size, std::max(1.0, largest_of(turn.cosine)));
  const int digits = decimals_of(known(factor, size)), turns = decimals_of(factor);
  StageTerms terms;
  for (Index i = 0; i < pairs; ++i) terms.labels.push_back(fmt::format("{}, {}", i + 1, i + pairs + 1));
  terms.row = m.component < 2 * pairs ? m.component % pairs : -1;
  terms.columns = {{before_name + "[c]", role, list(a), digits},
                   {before_name + fmt::format("[c + {}]", pairs), role, list(b), digits},
                   {"\\theta", "", list(turn.angle), std::min(turns, 6)},
                   {"\\cos", "", list(turn.cosine), turns},
                   {"\\sin", "", list(turn.sine), turns},
                   {name + "[c]", role, list(to.head(pairs)), m.digits.q},
                   {name + fmt::format("[c + {}]", pairs), role, list(to.segment(pairs, pairs)), m.digits.q}};
  terms.columns[5].sign = "→";
  // The angle of the chosen pair, with as many digits as its row has.
  const Index pair = std::max<Index>(terms.row, 0);
  const int angle_digits = terms.columns[2].decimals;
  const int more = turn.position < 2 ? 0 : static_cast<int>(std::ceil(std::log10(turn.position)));
  const auto number = [&](double value, int decimals) { return m.number(value, shorter(value, decimals)); };
  stage.parts.push_back(StageFormula{fmt::format("\\theta = p \\cdot \\omega_{{{}}} = {} \\times {} = {}",
                                                 pair + 1, number(static_cast<double>(turn.position), 0),
                                                 number(turn.frequency[pair], angle_digits + more),
                                                 number(turn.angle[pair], angle_digits))});
  stage.parts.push_back(StageBreak{});
  stage.parts.push_back(std::move(terms));
  stage.parts.push_back(StageBreak{});
}

}  // namespace

void fill_rotation(const StageMaker& m, ArithmeticStage& stage) {
  const TurnedRow &q = *m.cell.way.q_turn, &k = *m.cell.way.k_turn;
  const Index pairs = q.angle.size(), d_k = m.cell.q.size();
  const std::string q_before = "q'_i", k_before = "k'_j";
  const std::string a = colored("q", q_before + "[c]"),
                    b = colored("q", q_before + fmt::format("[c + {}]", pairs));
  stage.formula =
      fmt::format("{} = {} \\cos\\theta - {} \\sin\\theta, \\quad {} = {} \\cos\\theta + {} \\sin\\theta",
                  colored("q", "q_i[c]"), a, b, colored("q", fmt::format("q_i[c + {}]", pairs)), b, a);
  stage.text = m.tr.format(
      "Component c turns with component c + {} by an angle θ, the token's position p (from 0: query {}, "
      "key {}) times the pair's frequency ω. In q · k only the distance between the two positions is left.",
      pairs, q.position, k.position);
  if (2 * pairs < d_k) m.say(stage, m.tr.format("Components from {} on stay as they are.", 2 * pairs + 1));
  if (q.cosine.size() > 0 && std::abs(std::hypot(q.cosine[0], q.sine[0]) - 1) > 1e-6)
    m.say(stage, m.tr.format("For long texts this model multiplies cos and sin by {}.",
                             printed_number(std::hypot(q.cosine[0], q.sine[0]), 4)));
  using Click = StageMatrix::Click;
  stage.parts.push_back(m.vector("q", q_before, q.before, 4, m.query(), m.component, Click::component));
  stage.parts.push_back(StageFormula{"\\to"});
  stage.parts.push_back(m.vector("q", "q_i", m.cell.q, 4, m.query(), m.component, Click::component));
  stage.parts.push_back(StageBreak{});
  add_turns(m, q, m.cell.q, "q", q_before, "q_i", stage);
  stage.parts.push_back(m.vector("k", k_before, k.before, 4, m.key(), m.component, Click::component));
  stage.parts.push_back(StageFormula{"\\to"});
  stage.parts.push_back(m.vector("k", "k_j", m.cell.k, 4, m.key(), m.component, Click::component));
  stage.parts.push_back(StageBreak{});
  add_turns(m, k, m.cell.k, "k", k_before, "k_j", stage);
}

void fill_relative_bias(const StageMaker& m, ArithmeticStage& stage) {
  const RowRule& rule = m.cell.rule;
  const Eigen::RowVectorXd before = m.cell.scores - rule.bias;
  const Index j = m.cell.place.key;
  stage.formula = fmt::format("{} = {} + b_{{\\mathrm{{bucket}}(j - i)}}", colored("s", "s_{ij}"),
                              colored("s", "s'_{ij}"));
  stage.text = m.tr.format(
      "Positions come in here: each head has a learnt number for each bucket of distances from the query to "
      "the "
      "key. Near distances have a bucket each, farther ones share them. Distance {} is in bucket {}.",
      printed_number(static_cast<double>(j - m.cell.place.query), 0),
      rule.buckets[static_cast<std::size_t>(j)]);
  std::vector<double> distances, buckets;
  for (Index key = 0; key < before.size(); ++key) {
    distances.push_back(static_cast<double>(key - m.cell.place.query));
    buckets.push_back(static_cast<double>(rule.buckets[static_cast<std::size_t>(key)]));
  }
  StageTerms terms;
  terms.labels = m.keys();
  terms.row = j;
  terms.columns = {{"j - i", "", distances, 0},
                   {"\\text{" + std::string(m.tr("bucket")) + "}", "", buckets, 0},
                   {"s'_{ij}", "s", list(before), m.digits.scaled},
                   {"b", "", list(rule.bias), m.digits.scaled},
                   {"s_{ij}", "s", list(m.cell.scores), m.digits.scaled}};
  terms.columns[3].sign = "+";
  terms.columns[4].sign = "=";
  stage.parts.push_back(std::move(terms));
}

}  // namespace headscope
