#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/analysis/stage_maker.h"

namespace headscope {

// What trained models have in addition to the equation.

namespace {

double largest_of(const Eigen::RowVectorXd& row) {
  return row.size() == 0 ? 0 : row.cwiseAbs().maxCoeff();
}

/// How many decimals each number of a norm is shown with; as StageDigits, from the last one backwards. Among
/// hundreds of components one is always between two digits, however many there are: each number is printed as
/// the printed ones before it give it, and those have enough digits that together they move it by a few
/// hundredths of a unit.
struct NormDigits {
  int y, factor, deviation, x, mean, square, square_sum, sum;
};
NormDigits norm_digits(const NormedRow& norm) {
  constexpr double share = 0.03;
  const auto d = static_cast<double>(norm.x.size());
  const Eigen::RowVectorXd z = (norm.x.array() - norm.mean) / norm.deviation;
  const double z_size = std::max(largest_of(z), 1.0);
  const double y = unit_of(largest_of(norm.y), 3, 1e-3);
  const double factor = unit_of_factors(share * y, z_size, largest_of(norm.weight));
  const double deviation = power_of_ten(share * factor * norm.deviation / z_size);
  const double x = power_of_ten(share * factor * norm.deviation);
  const double sum = std::max(x, power_of_ten(share * x * d));
  const double square_sum = power_of_ten(share * 2 * d * norm.deviation * deviation);
  NormDigits digits{};
  digits.y = decimals_of(y);
  digits.factor = decimals_of(factor);
  digits.deviation = decimals_of(deviation);
  digits.mean = decimals_of(x);
  digits.sum = decimals_of(sum);
  digits.x = decimals_of(std::min(x, unit_of_terms(share * sum, norm.x.size())));
  digits.square_sum = decimals_of(square_sum);
  digits.square = decimals_of(unit_of_terms(share * square_sum, norm.x.size()));
  return digits;
}

/// A norm as printed.
struct PrintedNorm {
  std::vector<double> x, squares, z, weight, bias, y;
  double sum = 0, mean = 0, square_sum = 0, deviation = 0;
};
PrintedNorm printed_norm(const NormedRow& norm, const NormDigits& digits) {
  PrintedNorm p;
  const auto d = static_cast<double>(norm.x.size());
  const auto sum_of = [](const std::vector<double>& values, int decimals) {
    return as_printed(std::accumulate(values.begin(), values.end(), 0.0), decimals);
  };
  p.x = as_printed(list(norm.x), digits.x);
  if (!norm.rms) {
    p.sum = sum_of(p.x, digits.sum);
    p.mean = as_printed(p.sum / d, digits.mean);
  }
  for (const double x : p.x) p.squares.push_back(as_printed((x - p.mean) * (x - p.mean), digits.square));
  p.square_sum = sum_of(p.squares, digits.square_sum);
  p.deviation = as_printed(std::sqrt(p.square_sum / d + norm.epsilon), digits.deviation);
  if (norm.scale)
    p.z = as_printed(list(norm.x), digits.factor);
  else
    for (const double x : p.x) p.z.push_back(as_printed((x - p.mean) / p.deviation, digits.factor));
  p.weight = as_printed(list(norm.weight), digits.factor);
  p.bias = as_printed(list(norm.bias), std::max(digits.factor, digits.y));
  for (std::size_t c = 0; c < p.x.size(); ++c)
    p.y.push_back(as_printed(p.z[c] * p.weight[c] + (p.bias.empty() ? 0 : p.bias[c]), digits.y));
  return p;
}

/// The mean and the deviation, from the sums of the list.
void add_norm_formulas(const StageMaker& m, const NormedRow& norm, const NormDigits& digits,
                       const PrintedNorm& printed, ArithmeticStage& stage) {
  const Index d = norm.x.size();
  if (!norm.rms) {
    stage.add_line(
        StageFormula{fmt::format("\\mu = \\frac{{{}}}{{{}}} = {}", m.number(printed.sum, digits.sum), d,
                                 m.number(printed.mean, digits.mean))});
  }
  stage.add_line(
      StageFormula{fmt::format("\\sigma = \\sqrt{{\\frac{{{}}}{{{}}} + \\text{{{}}}}} = {}",
                               m.number(printed.square_sum, digits.square_sum), d, short_number(norm.epsilon),
                               m.number(printed.deviation, digits.deviation))});
}

}  // namespace

std::string norm_name(const NormedRow& norm) {
  if (norm.scale) return "\\operatorname{LayerScale}";
  return norm.rms ? "\\operatorname{RMSNorm}" : "\\operatorname{LayerNorm}";
}

std::string norm_text(const StageMaker& m, const NormedRow& norm) {
  if (norm.scale) return m.tr("LayerScale multiplies each component by a learnt factor γ.");
  if (!norm.rms && norm.bias.size() == 0)
    return (norm.weight.array() == 1).all()
               ? m.tr(
                     "LayerNorm subtracts the row's mean and divides by its standard deviation; this "
                     "model has no learnt gain: γ is 1.")
               : m.tr(
                     "LayerNorm subtracts the row's mean and divides by its standard deviation; each "
                     "component has a learnt gain γ.");
  return norm.rms ? m.tr(
                        "RMSNorm divides the row by the root of its mean square, so that its size does not "
                        "matter; each component has a learnt gain γ.")
                  : m.tr(
                        "LayerNorm subtracts the row's mean and divides by its standard deviation; each "
                        "component has a learnt gain γ and bias β.");
}

namespace {

void add_layer_scale(PrintedNorm& printed, const NormDigits& digits, const char* role, const std::string& x,
                     const std::string& y, Index row, ArithmeticStage& stage) {
  StageTerms terms;
  for (std::size_t c = 0; c < printed.x.size(); ++c) terms.labels.push_back(std::to_string(c + 1));
  terms.row = row;
  terms.columns = {{x, role, std::move(printed.z), digits.factor},
                   {"\\gamma", "", std::move(printed.weight), digits.factor},
                   {y, role, std::move(printed.y), digits.y}};
  terms.columns[1].sign = "×";
  terms.columns[2].sign = "=";
  stage.add(std::move(terms));
}

}  // namespace

void add_norm(const StageMaker& m, const NormedRow& norm, const char* role, const std::string& x,
              const std::string& y, Index row, ArithmeticStage& stage) {
  const NormDigits digits = norm_digits(norm);
  PrintedNorm printed = printed_norm(norm, digits);
  if (norm.scale) return add_layer_scale(printed, digits, role, x, y, row, stage);
  add_norm_formulas(m, norm, digits, printed, stage);
  StageTerms terms;
  for (Index c = 0; c < norm.x.size(); ++c) terms.labels.push_back(std::to_string(c + 1));
  terms.row = row;
  terms.total_label = "\\sum";
  StageTerms::Column of_x{x, role, std::move(printed.x), digits.x};
  if (!norm.rms) {
    of_x.adds = true;
    of_x.total = printed_number(printed.sum, digits.sum);
  }
  StageTerms::Column of_squares{norm.rms ? x + "^2" : "(" + x + " - \\mu)^2", "", std::move(printed.squares),
                                digits.square};
  of_squares.adds = true;
  of_squares.total = printed_number(printed.square_sum, digits.square_sum);
  terms.columns = {std::move(of_x),
                   std::move(of_squares),
                   {norm.rms ? x + " / \\sigma" : "(" + x + " - \\mu) / \\sigma", role, std::move(printed.z),
                    digits.factor},
                   {"\\gamma", "", std::move(printed.weight), digits.factor}};
  terms.columns.back().sign = "×";
  if (norm.bias.size() > 0) {
    terms.columns.push_back({"\\beta", "", std::move(printed.bias), std::max(digits.factor, digits.y)});
    terms.columns.back().sign = "+";
  }
  terms.columns.push_back({y, role, std::move(printed.y), digits.y});
  terms.columns.back().sign = "=";
  stage.add(std::move(terms));
}

namespace {

/// The formula of a norm, with its letters.
std::string norm_formula(const NormedRow& norm, const std::string& x, const std::string& y) {
  if (norm.scale) return fmt::format("{} = {} \\odot \\gamma", y, x);
  return norm.rms ? fmt::format(
                        "{} = {}({}) = \\frac{{{}}}{{\\sqrt{{\\frac{{1}}{{d}} \\sum_c x_c^2 + "
                        "\\varepsilon}}}} \\odot \\gamma",
                        y, norm_name(norm), x, x)
                  : fmt::format(
                        "{} = {}({}) = \\frac{{{} - \\mu}}{{\\sqrt{{\\sigma^2 + \\varepsilon}}}} "
                        "\\odot \\gamma{}",
                        y, norm_name(norm), x, x, norm.bias.size() > 0 ? " + \\beta" : "");
}

}  // namespace

void fill_input_norm(const StageMaker& m, ArithmeticStage& stage) {
  const CellIntermediates& way = m.cell.way;
  if (!way.query_norm) {
    stage.formula = fmt::format("{} = {}", colored("x", "n_i"), colored("x", "x_i"));
    stage.text = m.tr("The first layer reads the embedding, which is normed already, as it is.");
    stage.add_line(m.outputs("x", "x_i", m.cell.query_input(), 4, m.query()));
    return;
  }
  const NormedRow& norm = *way.query_norm;
  stage.formula = norm_formula(norm, colored("x", "x_i"), colored("x", "n_i"));
  stage.text = norm_text(m, norm);
  m.say(stage, way.key_norm
                   ? m.tr("Queries, keys and values are all made of normed rows.")
                   : m.tr("Only the queries' row is normed here: the keys come normed from the encoder."));
  stage.add_line(m.outputs("x", "x_i", norm.x, 4, m.query()), StageFormula{"\\to"},
                 m.outputs("x", "n_i", norm.y, 4, m.query()));
  if (way.key_norm) {
    stage.add_line(m.outputs("x", "x_j", way.key_norm->x, 4, m.key()), StageFormula{"\\to"},
                   m.outputs("x", "n_j", way.key_norm->y, 4, m.key()));
  }
  if (way.input_factor != 1)
    m.say(stage, m.tr("The model multiplies what attention reads by {}: γ has it in it.",
                      printed_number(way.input_factor, 4)));
  add_norm(m, norm, "x", "x_i", "n_i", m.output, stage);
}

void fill_latent(const StageMaker& m, ArithmeticStage& stage) {
  const CellIntermediates& way = m.cell.way;
  const NormedRow& key = *way.key_latent;
  const Index rank = key.y.size(), heads = m.block.heads();
  const std::string c = colored("k", "c_j"), x = way.key_norm ? "n_j" : "x_j";
  stage.formula = fmt::format("{} = {}({} W_{{DKV}}), \\quad {} = {} W_{{KR}}", c, norm_name(key),
                              colored("x", x), colored("k", "k^R_j"), colored("x", x));
  stage.text = m.tr(
      "Keys and values of all heads come from one short row for each token, of length {}. Another one, of "
      "length {}, "
      "is rotated with its position and is the end of every head's key. A cache keeps the two, of length {} "
      "in all, "
      "in place of all keys and values, whose length is {}.",
      rank, way.shared, rank + way.shared, heads * (m.d_k() + m.d_v()));
  if (way.query_latent)
    m.say(stage, m.tr("Queries come from a short row, too, of length {}.", way.query_latent->y.size()));
  stage.add_line(m.outputs("k", "c'_j", key.x, 4, m.key()), StageFormula{"\\to"},
                 m.outputs("k", "c_j", key.y, 4, m.key()));
  stage.add_line(m.outputs("k", "k^R_j", way.k_projected.tail(way.shared), 4, m.key()));
  if (way.query_latent)
    stage.add_line(m.outputs("q", "c'_i", way.query_latent->x, 4, m.query()), StageFormula{"\\to"},
                   m.outputs("q", "c_i", way.query_latent->y, 4, m.query()));
  add_norm(m, key, "k", "c'_j", "c_j", std::min<Index>(m.output, rank - 1), stage);
}

void fill_state(const StageMaker& m, ArithmeticStage& stage) {
  const StateCell& cell = *m.cell.way.state;
  const bool replaces = m.block.shape.mixer_of(m.cell.place.layer) == Mixer::delta_rule;
  const std::string k = colored("k", "k_j"), q = colored("q", "q_i"), cell_name = colored("w", "M_{ij}");
  stage.formula = replaces
                      ? fmt::format("{} = \\beta_j \\, {} \\cdot {}", cell_name, k, colored("q", "r_{ij}"))
                      : fmt::format(
                            "{} = \\Delta_j \\, \\prod_{{t=j+1}}^{{i}} a_t \\, {} "
                            "\\cdot {}",
                            cell_name, q, k);
  stage.text = m.tr(
      "These heads have no softmax. Each has a state, to which every token adds its key times its value; "
      "the "
      "query reads it. So the head gives the query a sum of values, each times a cell of this map. Rows need "
      "not "
      "sum to 1, and cells may be negative.");
  if (m.cell.place.key > m.cell.place.query) {
    m.say(stage, m.tr("The query reads no later token: the cell is 0."));
    return stage.add(m.over_keys("w", "M_i", m.cell.weights, 4));
  }
  m.say(stage,
        replaces
            ? m.tr("Token by token the state decays, and each key takes out of it what the state had for it: "
                   "r is what is left of the query before token j. Of the decays alone, {} × q · k would be "
                   "left.",
                   printed_number(cell.decay, 4))
            : m.tr("Token by token the state decays: the decays between the two tokens multiply to {}.",
                   printed_number(cell.decay, 4)));
  // Printed factors give the printed product.
  constexpr int of_value = 5;
  const auto computed = [&](int decimals) {
    const auto p = [&](double value) { return as_printed(value, decimals); };
    const double left = replaces ? p(cell.left) : p(cell.decay) * p(cell.product);
    return p(cell.strength) * left + p(cell.skip);
  };
  const int digits = operand_decimals(
      of_value, 8, [&](int decimals) { return units_off(computed(decimals), cell.value, of_value); });
  const auto n = [&](double value) { return m.number(value, shorter(value, digits)); };
  std::string sum = replaces ? n(cell.strength) + " \\times " + n(cell.left)
                             : n(cell.strength) + " \\times " + n(cell.decay) + " \\times " + n(cell.product);
  if (cell.skip != 0) {
    sum += " + " + n(cell.skip);
    m.say(stage, m.tr("On the diagonal the layer adds D, here {}, times the value itself.",
                      printed_number(cell.skip, 4)));
  }
  stage.add_line(
      StageFormula{fmt::format("{} = {} = {}", cell_name, sum, m.number(computed(digits), of_value))});
  stage.add(m.over_keys("w", "M_i", m.cell.weights, 4));
}

void fill_head_norm(const StageMaker& m, ArithmeticStage& stage) {
  const CellIntermediates& way = m.cell.way;
  const int left = steps_after_norm(m);
  const std::string q = q_name(left), k = k_name(left), q_before = q_name(left + 1),
                    k_before = k_name(left + 1);
  stage.formula =
      fmt::format("{} = {}({}), \\quad {} = {}({})", colored("q", q), norm_name(*way.q_norm),
                  colored("q", q_before), colored("k", k), norm_name(*way.k_norm), colored("k", k_before));
  const Index d_k = m.cell.q.size();
  const bool together = way.q_norm->x.size() > d_k;
  stage.text =
      together ? m.tr(
                     "The queries of all heads are normalized as one row, and so are the keys, which keeps "
                     "their products small.")
               : m.tr(
                     "Each head's query and key are normalized on their own, which keeps their products "
                     "small.");
  m.say(stage, norm_text(m, *way.q_norm));
  const auto add = [&](const char* role, const std::string& from, const std::string& to,
                       const NormedRow& norm, Index head, const std::string& label) {
    const Index first = together ? head * d_k : 0;
    stage.add_line(m.components(role, from, norm.x.segment(first, d_k), 4, label), StageFormula{"\\to"},
                   m.components(role, to, norm.y.segment(first, d_k), 4, label));
  };
  add("q", q_before, q, *way.q_norm, m.cell.place.head, m.query());
  add("k", k_before, k, *way.k_norm, m.cell.kv_head, m.key());
  if (way.v_norm) {
    stage.formula += fmt::format(", \\quad {} = {}({})", colored("v", "v_j"), norm_name(*way.v_norm),
                                 colored("v", "v'_j"));
    m.say(stage, m.tr("The key's value is normalized, too, without a gain."));
    add("v", "v'_j", "v_j", *way.v_norm, m.cell.kv_head, m.key());
  }
  add_norm(m, *way.q_norm, "q", q_before, q, (together ? m.cell.place.head * d_k : 0) + m.component, stage);
}

namespace {

/// The pairs of components of a row, and what they are rotated to.
void add_turns(const StageMaker& m, const RotatedRow& turn, const char* role, const std::string& before_name,
               const std::string& name, ArithmeticStage& stage) {
  const Index pairs = turn.angle.size();
  Eigen::RowVectorXd a(pairs), b(pairs);
  for (Index i = 0; i < pairs; ++i) {
    a[i] = turn.before[turn.first(i)];
    b[i] = turn.before[turn.second(i)];
  }
  const double size = largest_of(turn.before), unit = std::pow(10.0, -m.digits.q);
  const double scale = pairs > 0 ? std::hypot(turn.cosine[0], turn.sine[0]) : 1;
  constexpr double share = 0.1;
  const int turns = decimals_of(unit_of_factors(share * unit, size, std::max(1.0, scale)));
  // Each number follows from the printed ones before it.
  const int angles = turns + 1;
  const std::vector<double> printed_a = as_printed(list(a), turns), printed_b = as_printed(list(b), turns),
                            angle = as_printed(list(turn.angle), angles);
  std::vector<double> cosine, sine, to_a, to_b;
  for (std::size_t i = 0; i < angle.size(); ++i) {
    cosine.push_back(as_printed(scale * std::cos(angle[i]), turns));
    sine.push_back(as_printed(scale * std::sin(angle[i]), turns));
    to_a.push_back(as_printed(printed_a[i] * cosine[i] - printed_b[i] * sine[i], m.digits.q));
    to_b.push_back(as_printed(printed_b[i] * cosine[i] + printed_a[i] * sine[i], m.digits.q));
  }
  StageTerms terms;
  for (Index i = 0; i < pairs; ++i)
    terms.labels.push_back(fmt::format("{}, {}", turn.first(i) + 1, turn.second(i) + 1));
  terms.row = turn.pair_of(m.component);
  const std::string other = turn.in_pairs ? "[c + 1]" : fmt::format("[c + {}]", pairs);
  terms.columns = {{before_name + "[c]", role, printed_a, turns},
                   {before_name + other, role, printed_b, turns},
                   {"\\theta", "", angle, angles},
                   {"\\cos", "", cosine, turns},
                   {"\\sin", "", sine, turns},
                   {name + "[c]", role, to_a, m.digits.q},
                   {name + other, role, to_b, m.digits.q}};
  terms.columns[5].sign = "→";
  // The angle of the selected pair, with as many digits as its row has.
  const Index pair = std::max<Index>(terms.row, 0);
  const double position = turn.place[pair];
  const auto product_of = [&](int decimals) {
    return as_printed(position, turn.of_patches ? decimals : 0) * as_printed(turn.frequency[pair], decimals);
  };
  const int operands = operand_decimals(
      angles, 8, [&](int decimals) { return units_off(product_of(decimals), turn.angle[pair], angles); });
  const auto number = [&](double value, int decimals) { return m.number(value, shorter(value, decimals)); };
  stage.add_line(
      StageFormula{fmt::format("\\theta = p \\cdot \\omega_{{{}}} = {} \\times {} = {}", pair + 1,
                               number(position, turn.of_patches ? operands : 0),
                               number(turn.frequency[pair], operands), number(turn.angle[pair], angles))});
  stage.add_line(std::move(terms));
}

}  // namespace

void fill_rotation(const StageMaker& m, ArithmeticStage& stage) {
  if (!m.cell.way.q_turn) {
    stage.formula = colored("q", "q_i") + ", \\quad " + colored("k", "k_j");
    stage.text = m.tr("Layer {} of this model has no rotary positions: q and k stay as they are.",
                      m.cell.place.layer + 1);
    stage.add_line(m.components("q", "q_i", m.cell.q, 4, m.query()));
    stage.add_line(m.components("k", "k_j", m.cell.k, 4, m.key()));
    return;
  }
  const RotatedRow &q = *m.cell.way.q_turn, &k = *m.cell.way.k_turn;
  const Index pairs = q.angle.size(), d_k = m.cell.q.size(), apart = q.in_pairs ? 1 : pairs;
  const std::string q_before = "q'_i", k_before = "k'_j";
  const std::string a = colored("q", q_before + "[c]"),
                    b = colored("q", q_before + fmt::format("[c + {}]", apart));
  stage.formula =
      fmt::format("{} = {} \\cos\\theta - {} \\sin\\theta, \\quad {} = {} \\cos\\theta + {} \\sin\\theta",
                  colored("q", "q_i[c]"), a, b, colored("q", fmt::format("q_i[c + {}]", apart)), b, a);
  stage.text =
      q.of_patches
          ? m.tr(
                "Component c turns with component c + {} by an angle θ, the place p of the patch's centre, "
                "between −2π and 2π, times the pair's frequency ω. In the first half of the pairs p is the "
                "place down, in the others that across. Tokens that are no patches stay as they are.",
                pairs)
      : q.in_pairs
          ? m.tr(
                "Each component c with an odd number turns with the next one by an angle θ, the token's "
                "position p (from {}: query {}, key {}) times the pair's frequency ω. In q · k only the "
                "distance between the two positions is left.",
                q.first_position, q.position, k.position)
          : m.tr(
                "Component c turns with component c + {} by an angle θ, the token's position p (from {}: "
                "query {}, key {}) times the pair's frequency ω. In q · k only the distance between the two "
                "positions "
                "is left.",
                pairs, q.first_position, q.position, k.position);
  if (q.first_dimension > 0)
    m.say(stage, m.tr("Components before {} stay as they are.", q.first_dimension + 1));
  else if (2 * pairs < d_k)
    m.say(stage, m.tr("Components from {} on stay as they are.", 2 * pairs + 1));
  if (const Index turning = (q.frequency.array() != 0).count(); turning < pairs)
    m.say(stage, m.tr("Behind the first {} the pairs have the frequency 0 and do not turn.", turning));
  const double factor = pairs > 0 ? std::hypot(k.cosine[0], k.sine[0]) : 1,
               of_query = pairs > 0 ? std::hypot(q.cosine[0], q.sine[0]) / factor : 1;
  if (std::abs(factor - 1) > 1e-6)
    m.say(stage, m.tr("For long texts this model multiplies cos and sin by {}.", printed_number(factor, 4)));
  if (std::abs(of_query - 1) > 1e-6)
    m.say(stage, m.tr("At this position it also multiplies the query (its cos and sin) by {}.",
                      printed_number(of_query, 4)));
  stage.add_line(m.components("q", q_before, q.before, 4, m.query()), StageFormula{"\\to"},
                 m.components("q", "q_i", m.cell.q, 4, m.query()));
  add_turns(m, q, "q", q_before, "q_i", stage);
  stage.add_line(m.components("k", k_before, k.before, 4, m.key()), StageFormula{"\\to"},
                 m.components("k", "k_j", m.cell.k, 4, m.key()));
  add_turns(m, k, "k", k_before, "k_j", stage);
}

namespace {

/// What is added to the scores, and its name.
using NamedRow = std::pair<const char*, const Eigen::RowVectorXd&>;

/// The columns of s' + … = s for every key.
void add_biased(const StageMaker& m, std::initializer_list<NamedRow> added_rows, StageTerms& terms) {
  const Eigen::RowVectorXd before = m.cell.scores - m.cell.rule.bias;
  // Numbers and their sum, each with enough decimals that the printed ones add up.
  const auto sum_of = [&](Index key, int decimals) {
    double sum = as_printed(before[key], decimals);
    for (const auto& [name, row] : added_rows) sum += as_printed(row[key], decimals);
    return sum;
  };
  const int added =
      operand_decimals(m.digits.scaled, 1 + static_cast<int>(added_rows.size()), [&](int decimals) {
        double maximum = 0;
        for (Index key = 0; key < before.size(); ++key)
          maximum = std::max(maximum, units_off(sum_of(key, decimals), m.cell.scores[key], m.digits.scaled));
        return maximum;
      });
  std::vector<double> sums;
  for (Index key = 0; key < before.size(); ++key)
    sums.push_back(as_printed(sum_of(key, added), m.digits.scaled));
  terms.columns.push_back({"s'_{ij}", "s", list(before), added});
  for (const auto& [name, row] : added_rows) {
    terms.columns.push_back({name, "", list(row), added});
    terms.columns.back().sign = "+";
  }
  terms.columns.push_back({"s_{ij}", "s", std::move(sums), m.digits.scaled});
  terms.columns.back().sign = "=";
}

}  // namespace

void fill_relative_bias(const StageMaker& m, ArithmeticStage& stage) {
  const RowRule& rule = m.cell.rule;
  const Index j = m.cell.place.key;
  StageTerms terms;
  terms.labels = m.keys();
  terms.row = j;
  if (rule.of_patches) {
    stage.formula = fmt::format("{} = {} + b_{{ij}}", colored("s", "s_{ij}"), colored("s", "s'_{ij}"));
    stage.text = m.tr(
        "Positions enter here: each head has a learnt number for how far the key's patch is from the "
        "query's, down and across, and three for pairs with [CLS].");
    add_biased(m, {{"b_{ij}", rule.bias}}, terms);
    stage.add(std::move(terms));
    return;
  }
  stage.formula = fmt::format("{} = {} + b_{{\\mathrm{{bucket}}(j - i)}}", colored("s", "s_{ij}"),
                              colored("s", "s'_{ij}"));
  stage.text = m.tr(
      "Positions enter here: each head has a learnt number for each bucket of distances from the query to "
      "the "
      "key. Near distances have a bucket each, farther ones share them. Distance {} is in bucket {}.",
      printed_number(static_cast<double>(j - m.cell.place.query), 0), rule.buckets[j]);
  std::vector<double> distances, buckets;
  for (Index key = 0; key < m.cell.scores.size(); ++key) {
    distances.push_back(static_cast<double>(key - m.cell.place.query));
    buckets.push_back(static_cast<double>(rule.buckets[key]));
  }
  terms.columns = {{"j - i", "", distances, 0},
                   {"\\text{" + std::string(m.tr("bucket")) + "}", "", buckets, 0}};
  add_biased(m, {{"b", rule.bias}}, terms);
  stage.add(std::move(terms));
}

void fill_linear_bias(const StageMaker& m, ArithmeticStage& stage) {
  const RowRule& rule = m.cell.rule;
  const char* const place = rule.slope_of_keys ? "j" : "(j - i)";
  stage.formula = fmt::format("{} = {} + m_h \\, {}", colored("s", "s_{ij}"), colored("s", "s'_{ij}"), place);
  stage.text =
      rule.slope_of_keys
          ? m.tr(
                "Positions enter here (ALiBi): the score of a key increases by {} for each token before it, "
                "rounded to bfloat16 as the published model does. Each head has its own slope, fixed before "
                "training.",
                short_number(rule.slope))
          : m.tr(
                "Positions enter here (ALiBi): the score of a key decreases by {} for each token of "
                "distance. Each head has its own slope, fixed before training.",
                short_number(rule.slope));
  StageTerms terms;
  terms.labels = m.keys();
  terms.row = m.cell.place.key;
  std::vector<double> distances;
  for (Index key = 0; key < m.cell.scores.size(); ++key)
    distances.push_back(static_cast<double>(rule.slope_of_keys ? key : key - m.cell.place.query));
  terms.columns = {{rule.slope_of_keys ? "j" : "j - i", "", std::move(distances), 0}};
  add_biased(m, {{"b", rule.bias}}, terms);
  stage.add(std::move(terms));
}

void fill_repeats(const StageMaker& m, ArithmeticStage& stage) {
  const RowRule& rule = m.cell.rule;
  if (rule.repeats == 1) {
    stage.formula = colored("s", "s_{ij}");
    stage.text = m.tr("This query sees every key, once.");
    stage.add_line(m.over_keys("s", "s_i", m.cell.scores, m.digits.scaled));
    return;
  }
  stage.formula = fmt::format("{} = {} + {}\\ln r_j", colored("s", "s_{ij}"), colored("s", "s'_{ij}"),
                              m.cell.temperature == 1 ? "" : "T ");
  stage.text = m.tr(
      "The keys of the first block, of length {}, count as r = {}: once for themselves, and once for each "
      "block that is drawn at random in training. A key that counts r times has the softmax's weight of r "
      "equal keys.",
      rule.repeated, rule.repeats);
  StageTerms terms;
  terms.labels = m.keys();
  terms.row = m.cell.place.key;
  std::vector<double> times;
  for (Index key = 0; key < m.cell.scores.size(); ++key)
    times.push_back(static_cast<double>(key < rule.repeated ? rule.repeats : 1));
  terms.columns = {{"r_j", "", std::move(times), 0}};
  add_biased(m, {{"\\ln r_j", rule.bias}}, terms);
  stage.add(std::move(terms));
}

void fill_no_token(const StageMaker& m, ArithmeticStage& stage) {
  stage.formula = fmt::format("{} = {} = 0", colored("k", "k_j"), colored("v", "v_j"));
  stage.text = m.tr("No token has no vector, no key and no value, only a score.");
}

void fill_sink(const StageMaker& m, ArithmeticStage& stage) {
  const double sink = *m.cell.rule.sink;
  const int digits = shorter(sink, m.digits.scaled);
  stage.formula = fmt::format("{} = {}", colored("s", "z_h"), m.number(sink, digits));
  stage.text = m.tr(
      "Beside those of the keys, softmax reads one more score that the head has learnt, {}, the same for "
      "every "
      "query. What it takes goes to no token: it has no value that could be added.",
      printed_number(sink, digits));
  stage.add(m.over_keys("s", "s_i", m.cell.scores, m.digits.scaled));
}

void fill_cap(const StageMaker& m, ArithmeticStage& stage) {
  const double cap = m.cell.rule.cap;
  const Eigen::RowVectorXd& before = m.cell.way.uncapped;
  const std::string c = short_number(cap), s = colored("s", "s_{ij}"), uncapped = colored("s", "s'_{ij}");
  stage.formula = fmt::format("{} = c \\tanh\\frac{{{}}}{{c}}", s, uncapped);
  stage.text = m.tr(
      "Scores are kept between −{} and {}: small ones hardly change, large ones approach the cap.", c, c);
  StageTerms terms;
  terms.labels = m.keys();
  terms.row = m.cell.place.key;
  const auto capped = [&](Index key, int decimals) {
    return cap * as_printed(std::tanh(as_printed(before[key], decimals) / cap), decimals);
  };
  const int decimals = operand_decimals(m.digits.scaled + 1, 4, [&](int some) {
    double maximum = 0;
    for (Index key = 0; key < before.size(); ++key)
      maximum = std::max(maximum, units_off(capped(key, some), m.cell.scores[key], m.digits.scaled));
    return maximum;
  });
  std::vector<double> tangents, scores;
  for (Index key = 0; key < before.size(); ++key) {
    tangents.push_back(as_printed(std::tanh(as_printed(before[key], decimals) / cap), decimals));
    scores.push_back(as_printed(capped(key, decimals), m.digits.scaled));
  }
  terms.columns = {{"s'_{ij}", "s", list(before), decimals},
                   {"\\tanh(s'_{ij} / \\text{" + c + "})", "", std::move(tangents), decimals},
                   {"s_{ij}", "s", std::move(scores), m.digits.scaled}};
  terms.columns.back().sign = "=";
  stage.add(std::move(terms));
}

int steps_after_norm(const StageMaker& m) {
  return m.cell.way.q_turn ? 1 : 0;
}
int steps_after_clamp(const StageMaker& m) {
  return steps_after_norm(m) + (m.cell.way.q_norm ? 1 : 0);
}
std::string q_name(int steps_left) {
  return fmt::format("q{}_i", std::string(steps_left, '\''));
}
std::string k_name(int steps_left) {
  return fmt::format("k{}_j", std::string(steps_left, '\''));
}

void fill_clamp(const StageMaker& m, ArithmeticStage& stage) {
  const CellIntermediates& way = m.cell.way;
  const int left = steps_after_clamp(m);
  const std::string q = q_name(left), k = k_name(left), q_before = q_name(left + 1),
                    k_before = k_name(left + 1), limit = short_number(way.limit);
  stage.formula = fmt::format("{} = \\max(-\\text{{{}}}, \\min({}, \\text{{{}}}))", colored("q", q), limit,
                              colored("q", q_before), limit);
  stage.text = m.tr("Components of q, k and v beyond ±{} are set to that.", limit);
  const auto add = [&](const char* role, const std::string& from, const std::string& to,
                       const Eigen::RowVectorXd& row, const std::string& label) {
    const Eigen::RowVectorXd clamped = row.cwiseMax(-way.limit).cwiseMin(way.limit);
    stage.add_line(m.components(role, from, row, m.digits.projected, label), StageFormula{"\\to"},
                   m.components(role, to, clamped, m.digits.projected, label));
  };
  add("q", q_before, q, way.q_projected, m.query());
  add("k", k_before, k, way.k_projected, m.key());
  add("v", "v'_j", "v_j", way.v_projected, m.key());
}

void fill_output_norm(const StageMaker& m, ArithmeticStage& stage) {
  const NormedRow& norm = *m.cell.way.added_norm;
  stage.formula = norm_formula(norm, colored("o", "o_i"), colored("o", "a_i"));
  if (norm.scale) {
    stage.text = m.tr("The output of attention is scaled before it is added to the residual stream.");
  } else {
    stage.text = m.tr("The output of attention is normalized before it is added to the residual stream.");
  }
  m.say(stage, norm_text(m, norm));
  stage.add_line(m.outputs("o", "o_i", norm.x, 4, m.query()), StageFormula{"\\to"},
                 m.outputs("o", "a_i", norm.y, 4, m.query()));
  add_norm(m, norm, "o", "o_i", "a_i", m.output, stage);
}

namespace {

/// Distances from the keys, and what the cell's is.
StageTerms terms_by_distance(const StageMaker& m, ArithmeticStage& stage) {
  const RowRule& rule = m.cell.rule;
  const std::vector<Index>& distances = rule.distances;
  const Index j = m.cell.place.key;
  const std::string distance = printed_number(static_cast<double>(distances[j]), 0);
  if (!m.trace.about().pools_rows)
    m.say(stage, m.tr("The distance {} from key to query has the vector of {}.",
                      printed_number(static_cast<double>(m.cell.place.query - j), 0), distance));
  else if (rule.to_position[j] == 0 && rule.of_segment[j] == 0)
    m.say(stage, m.tr("The first row is kept apart: it has none of these terms, as a query and as a key."));
  else
    m.say(stage, m.tr("Distances are those between the first tokens of two rows: here {}.", distance));
  StageTerms terms;
  terms.labels = m.keys();
  terms.row = j;
  terms.columns = {{"\\delta", "", {distances.begin(), distances.end()}, 0}};
  return terms;
}

// XLNet's.
void fill_computed_terms(const StageMaker& m, ArithmeticStage& stage) {
  const RowRule& rule = m.cell.rule;
  const bool segments = rule.of_segment.size() > 0;
  const std::string q = colored("q", "q^r_i"), of_segment = colored("q", "q^g_i");
  stage.formula =
      fmt::format("{} = {} + c {} \\cdot r_{{\\delta}}", colored("s", "s_{ij}"), colored("s", "s'_{ij}"), q);
  if (segments) stage.formula += fmt::format(" + c {} \\cdot g_{{ij}}", of_segment);
  stage.text = m.tr(
      "Positions enter here: sines and cosines of each distance δ, projected by a matrix of their own, are "
      "multiplied with the query and scaled by c, as q · k is. For this the query has another learnt bias "
      "than for contents.");
  StageTerms terms = terms_by_distance(m, stage);
  if (!segments) {
    add_biased(m, {{"c\\,q^r r", rule.to_position}}, terms);
    stage.add(std::move(terms));
    return;
  }
  m.say(stage,
        m.tr("With a third bias the query is multiplied with one of two learnt vectors g: that of keys "
             "in its own segment, or that of others."));
  m.say(stage, rule.in_segment[m.cell.place.key] ? m.tr("This key is in the query's segment.")
                                                 : m.tr("This key is in another segment than the query."));
  add_biased(m, {{"c\\,q^r r", rule.to_position}, {"c\\,q^g g", rule.of_segment}}, terms);
  stage.add(std::move(terms));
}

}  // namespace

void fill_made(const StageMaker& m, ArithmeticStage& stage) {
  using By = MadeRow::By;
  const std::string x = colored("x", "x_i"), a = colored("x", "h_a"), b = colored("x", "h_b");
  const auto& made = m.cell.way.made_of;
  if (!made) {
    stage.formula = x;
    stage.text = m.tr("So few rows are not pooled: they stay as they are.");
    return stage.add_line(m.outputs("x", "x_i", m.cell.x, 4, m.query()));
  }
  const bool two = made->rows.size() > 1;
  const Eigen::RowVectorXd& first = made->rows.front();
  const Eigen::RowVectorXd& second = made->rows.back();
  stage.formula = !two                      ? fmt::format("{} = {}", x, a)
                  : made->by == By::sum     ? fmt::format("{} = {} + {}", x, a, b)
                  : made->by == By::largest ? fmt::format("{} = \\max({}, {})", x, a, b)
                                            : fmt::format("{} = \\frac{{1}}{{2}} ({} + {})", x, a, b);
  if (made->by == By::sum)
    stage.text = two ? m.tr("The token's row behind the first block, and the pooled row that stands for it.")
                     : m.tr("The token's row behind the first block; no pooled row stands for it.");
  else if (!two)
    stage.text = m.tr("This row has no other to be pooled with: it stays as it is.");
  else
    stage.text = made->by == By::largest
                     ? m.tr("Two rows of the block before are pooled: of each component the larger number.")
                     : m.tr("Two rows of the block before are pooled: their mean.");
  stage.add(m.outputs("x", "h_a", first, 4, ""));
  if (two) stage.add(m.outputs("x", "h_b", second, 4, ""));
  stage.add_line(StageFormula{"\\to"}, m.outputs("x", "x_i", m.cell.x, 4, m.query()));
  if (!two) return;
  // Printed rows give the printed one.
  constexpr int of_value = 5;
  const auto computed = [&](int decimals) {
    const double one = as_printed(first[m.output], decimals), other = as_printed(second[m.output], decimals);
    return made->by == By::sum       ? one + other
           : made->by == By::largest ? std::max(one, other)
                                     : (one + other) / 2;
  };
  const auto value = static_cast<double>(m.cell.x[m.output]);
  const int digits = operand_decimals(
      of_value, 8, [&](int decimals) { return units_off(computed(decimals), value, of_value); });
  const std::string one = m.number(first[m.output], digits), other = m.number(second[m.output], digits);
  const std::string sum = made->by == By::sum       ? one + " + " + other
                          : made->by == By::largest ? "\\max(" + one + ", " + other + ")"
                                                    : "\\frac{1}{2} (" + one + " + " + other + ")";
  stage.add_line(StageFormula{
      fmt::format("{}[{}] = {} = {}", x, m.output + 1, sum, m.number(computed(digits), of_value))});
}

void fill_position_terms(const StageMaker& m, ArithmeticStage& stage) {
  const RowRule& rule = m.cell.rule;
  if (rule.from_position.size() == 0) return fill_computed_terms(m, stage);
  stage.formula = fmt::format("{} = {} + c {} \\cdot {} + c {} \\cdot {}", colored("s", "s_{ij}"),
                              colored("s", "s'_{ij}"), colored("q", "q_i"), "k^r_{\\delta}",
                              colored("k", "k_j"), "q^r_{\\delta}");
  stage.text = m.tr(
      "Positions enter here: each distance δ has a learnt vector, projected as queries and keys are. The "
      "query "
      "is multiplied with that of the key's side (content to position), the key with that of the query's "
      "side "
      "(position to content), both scaled as q · k is.");
  StageTerms terms = terms_by_distance(m, stage);
  add_biased(m, {{"\\text{c2p}", rule.to_position}, {"\\text{p2c}", rule.from_position}}, terms);
  stage.add(std::move(terms));
}

}  // namespace headscope
