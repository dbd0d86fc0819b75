#include "core/analysis/arithmetic_stages.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <set>

#include "core/analysis/stage_digits.h"
#include "core/analysis/stage_numbers.h"
#include "core/source/source.h"

namespace headscope {
namespace {

using Rows = std::vector<std::string>;

std::string shape_text(std::initializer_list<Index> shape) {
  std::string text;
  for (const Index size : shape) text += (text.empty() ? "[" : ", ") + std::to_string(size);
  return text + "]";
}

/// \color{q}{q_i}
std::string colored(const char* role, const std::string& tex) {
  return fmt::format("\\color{{{}}}{{{}}}", role, tex);
}

template <typename Row>
std::vector<double> list(const Row& row) {
  std::vector<double> values;
  for (Index i = 0; i < row.size(); ++i) values.push_back(static_cast<double>(row.coeff(i)));
  return values;
}

double magnitude(const MatrixOf<double>& m) {
  return m.size() == 0 ? 0 : m.cwiseAbs().maxCoeff();
}

/// Fewer digits where nothing is lost.
int shorter(double value, int decimals) {
  return shortest(Eigen::Matrix<double, 1, 1>(value), decimals);
}

/// The third column is the product of the first two.
void sign_product(StageTerms& terms) {
  terms.columns[1].sign = "×";
  terms.columns[2].sign = "=";
}

/// What the stages of one cell are made from.
class Maker {
 public:
  Maker(const Trace& of, const BlockTrace& in, const CellPlace& at, const StepsLook& look,
        const Translator& to)
      : trace(of),
        block(in),
        layer(in.layers[static_cast<std::size_t>(at.layer)]),
        tr(to),
        cell(cell_arithmetic(of, in, at)),
        kv_head(at.head * in.shape.kv_heads / in.heads()),
        values(as_matrix(layer.v, kv_head).cast<double>()),
        digits(stage_digits(cell, magnitude(values))),
        component(std::clamp<Index>(look.component, 0, in.shape.d_k - 1)),
        output(std::clamp<Index>(look.output, 0, std::max<Index>(0, cell.output.size() - 1))) {}

  std::string token(Index i) const { return block.tokens[static_cast<std::size_t>(i)].text; }
  std::string key(Index j) const { return block.key_tokens[static_cast<std::size_t>(j)].text; }
  std::string query() const { return token(cell.place.query); }
  std::string key() const { return key(cell.place.key); }
  Rows keys() const {
    Rows texts;
    for (const Token& one : block.key_tokens) texts.push_back(one.text);
    return texts;
  }
  const std::optional<Linear>& projection(ProjectionKind kind) const {
    std::optional<std::optional<Linear>>& known = projections_[static_cast<std::size_t>(kind)];
    if (!known)
      known = trace.source ? trace.source->projection(cell.place.layer, kind) : std::optional<Linear>();
    return *known;
  }
  /// In formulas.
  static std::string number(double value, int decimals) {
    return "\\text{" + printed_number(value, decimals) + "}";
  }

  /// A row of numbers, of `label`.
  template <typename Row>
  StageMatrix vector(const char* role, std::string name, const Row& row, int decimals, std::string label,
                     Index chosen = -1, StageMatrix::Click click = StageMatrix::Click::nothing) const {
    StageMatrix matrix;
    matrix.role = role;
    matrix.name = std::move(name);
    matrix.shape = shape_text({row.size()});
    matrix.values = row.template cast<double>();
    matrix.decimals = shortest(matrix.values, decimals);
    if (!label.empty()) matrix.rows = {std::move(label)};
    matrix.column = chosen;
    matrix.click = click;
    return matrix;
  }
  StageMatrix over_keys(const char* role, std::string name, const Eigen::RowVectorXd& row,
                        int decimals) const {
    StageMatrix matrix = vector(role, std::move(name), row, decimals, query(), cell.place.key);
    matrix.columns = keys();
    return matrix;
  }

  const Trace& trace;
  const BlockTrace& block;
  const LayerTrace& layer;
  const Translator& tr;
  const CellArithmetic cell;
  const Index kv_head;
  const MatrixOf<double> values;  // [n_k, d_k]
  const StageDigits digits;
  const Index component, output;

 private:
  mutable std::array<std::optional<std::optional<Linear>>, 4>
      projections_;  // asked for once: they are copies
};

/// The rows of a matrix of tokens that are shown: all of few, else those about the chosen ones and the ends.
std::vector<Index> shown_rows(Index count, std::initializer_list<Index> chosen) {
  constexpr Index most = 16;
  std::vector<Index> rows;
  for (Index i = 0; i < count; ++i) {
    const bool near = std::ranges::any_of(chosen, [&](Index c) { return std::abs(i - c) <= 1; });
    if (count <= most || near || i < 2 || i >= count - 1) rows.push_back(i);
  }
  return rows;
}

StageMatrix token_rows(const char* role, std::string name, const MatrixView& matrix,
                       const std::vector<Token>& tokens, std::initializer_list<Index> chosen, int decimals) {
  StageMatrix shown;
  shown.role = role;
  shown.name = std::move(name);
  shown.shape = shape_text({matrix.rows(), matrix.cols()});
  shown.row_ids = shown_rows(matrix.rows(), chosen);
  shown.values.resize(std::ssize(shown.row_ids), matrix.cols());
  const Index first = *chosen.begin(), last = *(chosen.end() - 1);
  for (Index r = 0; r < shown.values.rows(); ++r) {
    const Index id = shown.row_ids[static_cast<std::size_t>(r)];
    shown.values.row(r) = matrix.row(id).cast<double>();
    shown.rows.push_back(tokens[static_cast<std::size_t>(id)].text);
    if (id == first) shown.row = r;
    if (id == last && last != first) shown.other_row = r;
  }
  shown.decimals = shortest(shown.values, decimals);
  return shown;
}

void fill_x(const Maker& m, ArithmeticStage& stage) {
  const auto [layer, head, i, j] = m.cell.place;
  const bool cross = m.block.cross();
  const MatrixView x = as_matrix(m.layer.x);
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
    stage.text += m.tr.language() == Language::zh ? "" : " ";
    stage.text += m.tr("Queries and keys come from two sentences.");
    stage.parts.push_back(token_rows("x", "X", x, m.block.tokens, {i}, 4));
    stage.parts.push_back(StageFormula{"\\to"});
    stage.parts.push_back(m.vector("x", "x_i", m.cell.x, 4, m.query()));
    stage.parts.push_back(StageBreak{});
    stage.parts.push_back(token_rows("x", "Y", as_matrix(m.trace.key_x), m.block.key_tokens, {j}, 4));
    stage.parts.push_back(StageFormula{"\\to"});
    stage.parts.push_back(m.vector("x", "y_j", m.cell.key_x, 4, m.key()));
    return;
  }
  stage.parts.push_back(token_rows("x", "X", x, m.block.tokens, {i, j}, 4));
  stage.parts.push_back(StageFormula{"\\to"});
  const bool first = i <= j;  // the query stands above the key
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
  stage.parts.push_back(std::move(chosen));
}

/// What a component of q, k or v is the sum of.
struct ProjectionTerms {
  const char* role;
  const char* name;  ///< of the result
  std::string x_name;
  ProjectionKind kind;
  Index head;
  double gain;
};

/// The head's own part of a projection, [d_model, d_k], with its gain.
MatrixOf<double> part_of(const Maker& m, const Linear& linear, const ProjectionTerms& p) {
  const Index d_k = m.block.shape.d_k;
  return p.gain * as_matrix(linear.weight).middleRows(p.head * d_k, d_k).transpose().cast<double>();
}

void add_projection(const Maker& m, const ProjectionTerms& p, const Eigen::RowVectorXf& x,
                    const Eigen::RowVectorXf& result, const std::string& label, ArithmeticStage& stage) {
  const Index d_k = m.block.shape.d_k;
  StageMatrix from = m.vector("x", p.x_name, x, 4, label);
  from.most = 3;
  stage.parts.push_back(std::move(from));
  if (const auto& linear = m.projection(p.kind)) {
    StageMatrix w;
    w.role = p.role;
    w.name = fmt::format("W_{}", "QKV"[static_cast<std::size_t>(p.kind)]);
    w.values = part_of(m, *linear, p);
    w.shape = shape_text({w.values.rows(), d_k});
    w.column = m.component;
    w.decimals = shortest(w.values, 4);
    stage.parts.push_back(StageFormula{"\\times"});
    stage.parts.push_back(std::move(w));
  }
  stage.parts.push_back(StageFormula{m.projection(p.kind) ? "=" : "\\to"});
  StageMatrix to =
      m.vector(p.role, p.name, result, m.digits.projected, "", m.component, StageMatrix::Click::component);
  to.most = 4;
  stage.parts.push_back(std::move(to));
  stage.parts.push_back(StageBreak{});
}

void add_projection_terms(const Maker& m, const ProjectionTerms& p, const Eigen::RowVectorXf& x,
                          const Eigen::RowVectorXf& result, ArithmeticStage& stage) {
  const auto& linear = m.projection(p.kind);
  if (!linear) return;
  const Eigen::RowVectorXd w = part_of(m, *linear, p).col(m.component).transpose();
  const Eigen::RowVectorXd products = x.cast<double>().cwiseProduct(w);
  StageTerms terms;
  for (Index c = 0; c < x.size(); ++c) terms.labels.push_back(std::to_string(c + 1));
  terms.columns = {{p.x_name, "x", list(x), shortest(x, m.digits.x)},
                   {fmt::format("W_{}", "QKV"[static_cast<std::size_t>(p.kind)]), p.role, list(w),
                    shortest(w, m.digits.x)},
                   {p.x_name + " W", p.role, list(products), shortest(products, m.digits.projection_terms)}};
  const double bias = static_cast<double>(linear->bias.data()[p.head * m.block.shape.d_k + m.component]);
  if (bias != 0) {
    terms.labels.push_back("b");
    const double none = std::nan("");
    terms.columns[0].values.push_back(none);
    terms.columns[1].values.push_back(none);
    terms.columns[2].values.push_back(bias);
  }
  StageTerms::Column& last = terms.columns.back();
  terms.total_label = fmt::format("{}[{}] =", colored(p.role, p.name), m.component + 1);
  last.adds = true;
  const auto sum = static_cast<double>(result[m.component]);
  last.total = printed_number(sum, shorter(sum, m.digits.projected));
  sign_product(terms);
  stage.parts.push_back(std::move(terms));
}

void fill_projections(const Maker& m, ArithmeticStage& stage) {
  const auto [layer, head, i, j] = m.cell.place;
  const Index d_k = m.block.shape.d_k;
  const std::string y = m.block.cross() ? "y_j" : "x_j";
  stage.formula = fmt::format("{} = {} W_Q + b_Q, \\quad {} = {} W_K + b_K, \\quad {} = {} W_V + b_V",
                              colored("q", "q_i"), colored("x", "x_i"), colored("k", "k_j"), colored("x", y),
                              colored("v", "v_j"), colored("x", y));
  stage.text = m.tr.plural(
      "The token's vector times the head's own column of W_Q, W_K and W_V, plus the bias. Head {1} has "
      "column "
      "{2} of {4}. Below, the sum that gives component {5} of q, term by term.",
      "The token's vector times the head's own {} columns of W_Q, W_K and W_V, plus the bias. Head {} has "
      "columns {} to {} of {}. Below, the sum that gives component {} of q, term by term.",
      d_k, d_k, head + 1, head * d_k + 1, (head + 1) * d_k, m.block.heads() * d_k, m.component + 1);
  const ProjectionTerms q{"q", "q_i", "x_i", ProjectionKind::q, head, m.block.what_if.gain_q},
      k{"k", "k_j", y, ProjectionKind::k, m.kv_head, m.block.what_if.gain_k},
      v{"v", "v_j", y, ProjectionKind::v, m.kv_head, 1};
  const Eigen::RowVectorXf value = as_matrix(m.layer.v, m.kv_head).row(j);
  add_projection(m, q, m.cell.x, m.cell.q, m.query(), stage);
  add_projection(m, k, m.cell.key_x, m.cell.k, m.key(), stage);
  add_projection(m, v, m.cell.key_x, value, m.key(), stage);
  add_projection_terms(m, q, m.cell.x, m.cell.q, stage);
}

void fill_products(const Maker& m, ArithmeticStage& stage) {
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

void fill_scale(const Maker& m, ArithmeticStage& stage) {
  const Index d_k = m.cell.q.size();
  const std::string dot = m.number(m.cell.dot, shorter(m.cell.dot, m.digits.dot));
  const double score = m.cell.dot * m.cell.scale;
  stage.parts.push_back(StageFormula{});
  std::string& tex = std::get<StageFormula>(stage.parts.back()).tex;
  if (m.cell.scale == 1) {
    stage.formula =
        fmt::format("{} = {} \\cdot {}", colored("s", "s_{ij}"), colored("q", "q_i"), colored("k", "k_j"));
    stage.text = m.tr("Scaling by √d_k is off: the sum itself is the score.");
    tex = colored("s", "s_{ij}") + " = " + dot;
  } else {
    stage.formula = fmt::format("{} = \\frac{{{} \\cdot {}}}{{\\sqrt{{d_k}}}}", colored("s", "s_{ij}"),
                                colored("q", "q_i"), colored("k", "k_j"));
    stage.text = m.tr.plural(
        "With one component the sum is a single product, and √d_k = 1 leaves it as it is.",
        "A sum of {} random products spreads √{} times as widely as one of them. Divided by √d_k, scores "
        "spread alike for every d_k, and the softmax does not saturate.",
        d_k, d_k, d_k);
    const double root = std::sqrt(static_cast<double>(d_k));
    const int root_digits = shorter(root, 4);
    tex = fmt::format("{} = \\frac{{{}}}{{\\sqrt{{{}}}}} = \\frac{{{}}}{{{}}} = {}", colored("s", "s_{ij}"),
                      dot, d_k, dot, m.number(root, root_digits),
                      m.number(score, shorter(score, m.digits.scaled)));
  }
  stage.parts.push_back(StageBreak{});
  stage.parts.push_back(m.over_keys("s", "s_i", m.cell.scores, m.digits.scaled));
}

void fill_temperature(const Maker& m, ArithmeticStage& stage) {
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

void fill_mask(const Maker& m, ArithmeticStage& stage) {
  const auto [layer, head, i, j] = m.cell.place;
  const bool infinite = m.block.fills_with_infinity();
  const std::string before = m.cell.temperature == 1 ? "s_{ij}" : "s_{ij} / T";
  const char* fill = infinite ? "-\\infty" : "\\text{−1e9}";
  stage.formula = fmt::format("{} = {} + M_{{ij}}, \\quad M_{{ij}} = {} \\text{{ or }} {}",
                              colored("s", "m_{ij}"), colored("s", before), 0, fill);
  if (!infinite)
    stage.formula = fmt::format("{} = {} \\quad {} \\to {}", colored("s", "m_{ij}"), colored("s", before),
                                "\\text{" + std::string(m.tr("blocked")) + "}", fill);
  stage.text = infinite
                   ? m.tr("A blocked key gets −∞ added to its score: e^−∞ is 0, and so is its weight.")
                   : m.tr(
                         "A blocked key's score is replaced by −1e9: its exponential is 0 beside any that is "
                         "not blocked. Where every key is blocked, all are alike.");
  const Eigen::RowVectorXd scores = m.cell.scores / m.cell.temperature;
  StageTerms terms;
  terms.labels = m.keys();
  terms.row = j;
  std::vector<double> mask;
  for (Index key = 0; key < scores.size(); ++key)
    mask.push_back(!m.block.mask.blocked(head, i, key) ? 0
                   : infinite                          ? -std::numeric_limits<double>::infinity()
                                                       : -1e9);
  terms.columns = {{before, "s", list(scores), shortest(scores, m.digits.score)},
                   {"M_{ij}", "", mask, 0},
                   {"m_{ij}", "s", list(m.cell.masked), shortest(m.cell.masked, m.digits.score)}};
  terms.columns[1].sign = infinite ? "+" : "";
  terms.columns[2].sign = infinite ? "=" : "→";
  stage.parts.push_back(std::move(terms));
}

std::string softmax_text(const Maker& m) {
  if (m.cell.row_sum == 0)
    return m.tr("Every key is blocked: there is nothing to attend to, and all weights are 0.");
  if (m.cell.row_max <= -1e9)
    return m.tr(
        "Every key is blocked with the same −1e9: less the maximum all are 0, the exponentials are 1, "
        "and the weights are uniform.");
  return m.tr(
      "The row's maximum is subtracted first, so that no exponential overflows. It changes no weight: the "
      "factor e^−max stands above and below the line and cancels out.");
}

void fill_softmax(const Maker& m, ArithmeticStage& stage) {
  const CellArithmetic& cell = m.cell;
  const bool masked = m.block.mask.any(), empty = cell.row_sum == 0;
  const std::string s = masked ? "m_{ij}" : cell.temperature == 1 ? "s_{ij}" : "s_{ij} / T";
  const std::string most = "\\max_j " + s;
  stage.formula = fmt::format("{} = \\frac{{\\exp({} - {})}}{{\\sum_{{j}} \\exp({} - {})}}",
                              colored("w", "w_{ij}"), colored("s", s), most, colored("s", s), most);
  stage.text = softmax_text(m);
  StageTerms terms;
  terms.labels = m.keys();
  terms.row = cell.place.key;
  terms.total_label = "\\sum";
  const Eigen::RowVectorXd shifted =
      empty ? cell.masked : Eigen::RowVectorXd(cell.masked.array() - cell.row_max);
  const int score = shortest(cell.masked, m.digits.score), weight = shortest(cell.weights, m.digits.weight);
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
  if (empty) return;
  const Index j = cell.place.key;
  stage.parts.push_back(StageFormula{
      fmt::format("{} = \\frac{{{}}}{{{}}} = {}", colored("w", "w_{ij}"),
                  m.number(cell.exponentials[j], shortest(cell.exponentials, m.digits.exponential)),
                  m.number(cell.row_sum, shorter(cell.row_sum, m.digits.row_sum)),
                  colored("w", m.number(cell.weights[j], weight)))});
}

void fill_dropout(const Maker& m, ArithmeticStage& stage) {
  const Eigen::RowVectorXd factors = m.cell.dropout.cast<double>();
  const Eigen::RowVectorXd dropped = m.cell.weights.cwiseProduct(factors);
  const double p = m.block.what_if.dropout;
  stage.formula = fmt::format("{} = \\frac{{{}}}{{1 - p}} \\text{{ or }} 0", colored("w", "w'_{ij}"),
                              colored("w", "w_{ij}"));
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

void fill_values(const Maker& m, ArithmeticStage& stage) {
  const auto j = m.cell.place.key;
  const bool dropout = m.cell.dropout.size() > 0;
  const std::string w = dropout ? "w'_{ij}" : "w_{ij}";
  stage.formula =
      fmt::format("{} = \\sum_j {} {}", colored("c", "c_i"), colored("w", w), colored("v", "v_j"));
  stage.text = m.tr.format(
      "Every key's row of V times its weight, added up: what the query takes along. Below, the sum that "
      "gives "
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

void fill_concat(const Maker& m, ArithmeticStage& stage) {
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

/// What this head's context gives to the chosen column of the output.
void add_head_products(const Maker& m, ArithmeticStage& stage) {
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

void fill_output(const Maker& m, ArithmeticStage& stage) {
  stage.formula = fmt::format("{} = {} W_O + b_O = \\sum_h {} W_O^{{(h)}} + b_O", colored("o", "o_i"),
                              colored("c", "C_i"), colored("c", "c_i^{(h)}"));
  stage.text = m.tr.plural(
      "Each head's context meets its own {} row of W_O; what the heads give is added, with the bias. Below, "
      "the "
      "sums that give column {}.",
      "Each head's context meets its own {} rows of W_O; what the heads give is added, with the bias. Below, "
      "the sums that give column {}.",
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

void fill_norm(const Maker& m, ArithmeticStage& stage) {
  const AddAndNorm& step = *m.cell.add_and_norm;
  const Index c = m.output;
  const std::string sum =
      step.residual ? colored("x", "x_i") + " + " + colored("o", "o_i") : colored("o", "o_i");
  stage.formula =
      step.layer_norm ? fmt::format("y_i = \\operatorname{{LayerNorm}}({})", sum) : "y_i = " + sum;
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
  sentence(m.trace.inputs.feed_forward ? m.tr("The feed-forward network reads the result.")
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
  stage.parts.push_back(m.vector("o", "y_i", step.result, m.digits.norm, m.query(), c, Click::output));
  stage.parts.push_back(StageBreak{});
  const std::string mean = step.mean < 0 ? "(" + n(step.mean) + ")" : n(step.mean);
  stage.parts.push_back(
      StageFormula{fmt::format("y_i[{}] = \\frac{{{} - {}}}{{{}}} = {}", c + 1, n(step.sum[c]), mean,
                               n(step.deviation), m.number(step.result[c], m.digits.norm))});
}

/// A kind of stage. Those that a source gives are looked up here by their names.
struct StageKind {
  const char* name;
  const char* title;  ///< English, to be translated
  bool (*present)(const Trace& trace, const BlockTrace& block);
  void (*fill)(const Maker& maker, ArithmeticStage& stage);
};

constexpr auto always = [](const Trace&, const BlockTrace&) { return true; };

constexpr StageKind kinds[] = {
    {"x", TR("Token vectors"), always, fill_x},
    {"projections", TR("Query, key and value"), always, fill_projections},
    {"products", TR("q · k, term by term"), always, fill_products},
    {"scale", TR("Divide by √d_k"), always, fill_scale},
    {"temperature", TR("Divide by the temperature"),
     [](const Trace&, const BlockTrace& block) { return block.what_if.temperature != 1; }, fill_temperature},
    {"mask", TR("Add the mask"), [](const Trace&, const BlockTrace& block) { return block.mask.any(); },
     fill_mask},
    {"softmax", TR("Softmax of the row"), always, fill_softmax},
    {"dropout", TR("Dropout on the weights"),
     [](const Trace&, const BlockTrace& block) { return block.what_if.dropout > 0; }, fill_dropout},
    {"values", TR("Weighted sum of the values"), always, fill_values},
    {"concat", TR("Concatenate the heads"), always, fill_concat},
    {"output", TR("Multiply by W_O"), always, fill_output},
    {"norm", TR("Residual connection and LayerNorm"),
     [](const Trace& trace, const BlockTrace& block) {
       return block.shape.layers > 1 && (trace.inputs.residual || trace.inputs.layer_norm);
     },
     fill_norm},
};

const StageKind* find_kind(const std::string& name) {
  const auto found = std::ranges::find(kinds, name, &StageKind::name);
  return found == std::end(kinds) ? nullptr : &*found;
}

}  // namespace

std::vector<std::string> present_stages(const Trace& trace, const BlockTrace& block) {
  std::vector<std::string> names;
  for (const std::string& name : trace.source ? trace.source->stages() : stage_names())
    if (const StageKind* kind = find_kind(name); kind != nullptr && kind->present(trace, block))
      names.push_back(name);
  return names;
}

std::vector<ArithmeticStage> arithmetic_stages(const Trace& trace, const BlockTrace& block,
                                               const CellPlace& place, const StepsLook& look,
                                               const Translator& tr) {
  const Maker maker(trace, block, place, look, tr);
  std::vector<ArithmeticStage> stages;
  for (const std::string& name : present_stages(trace, block)) {
    const StageKind& kind = *find_kind(name);
    ArithmeticStage& stage = stages.emplace_back();
    stage.name = name;
    stage.title = tr(kind.title);
    kind.fill(maker, stage);
  }
  return stages;
}

std::vector<std::string> stage_names() {
  std::vector<std::string> names;
  for (const StageKind& kind : kinds) names.emplace_back(kind.name);
  return names;
}

const char* stage_title(const std::string& name) {
  const StageKind* kind = find_kind(name);
  return kind == nullptr ? nullptr : kind->title;
}

std::size_t stage_place(const std::vector<std::string>& stages, const std::string& name) {
  const std::vector<std::string> all = stage_names();
  const auto end = std::ranges::find(all, name);
  if (end == all.end()) return 0;
  for (auto at = end + 1; at != all.begin(); --at)
    if (const auto found = std::ranges::find(stages, *(at - 1)); found != stages.end())
      return static_cast<std::size_t>(found - stages.begin());
  return 0;
}

}  // namespace headscope
