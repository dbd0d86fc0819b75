#include "core/analysis/stage_maker.h"

namespace headscope {
namespace {

template <typename Row>
void one_line(StageThumbnail& t, const char* role, std::string symbol, const Row& row, Index column = -1,
              Index span = 1) {
  t.symbol = std::move(symbol);
  t.shape = shape_text({row.size()});
  t.values = row.template cast<double>();
  t.roles = {role};
  t.column = column;
  t.span = span;
}

std::string in_words(const std::string& text) {
  return "\\text{" + text + "}";
}

}  // namespace

void thumb_x(const StageMaker& m, StageThumbnail& t) {
  t.symbol = m.block.cross() ? colored("x", "x_i") + ", " + colored("x", "y_j") : colored("x", "x_i, x_j");
  t.shape = shape_text({2, m.cell.x.size()});
  t.values.resize(2, m.cell.x.size());
  t.values.row(0) = m.cell.x.cast<double>();
  t.values.row(1) = m.cell.key_x.cast<double>();
  t.roles = {"x", "x"};
}

void thumb_projections(const StageMaker& m, StageThumbnail& t) {
  t.symbol = colored("q", "q") + ", " + colored("k", "k") + ", " + colored("v", "v");
  t.shape = shape_text({3, m.cell.q.size()});
  t.values.resize(3, m.cell.q.size());
  t.values.row(0) = m.cell.way.q_projected;
  t.values.row(1) = m.cell.way.k_projected;
  t.values.row(2) = m.values.row(m.cell.place.key);
  t.roles = {"q", "k", "v"};
  t.column = m.component;
}

void thumb_input_norm(const StageMaker& m, StageThumbnail& t) {
  const Eigen::RowVectorXd q = m.cell.query_input(), k = m.cell.key_input();
  t.symbol = colored("x", m.cell.way.key_norm ? "n_i, n_j" : "n_i");
  t.shape = shape_text({m.cell.way.key_norm ? 2 : 1, q.size()});
  t.values.resize(m.cell.way.key_norm ? 2 : 1, q.size());
  t.values.row(0) = q;
  if (m.cell.way.key_norm) t.values.row(1) = k;
  t.roles.assign(static_cast<std::size_t>(t.values.rows()), "x");
}

namespace {

void q_and_k(const StageMaker& m, StageThumbnail& t, std::string symbol, const Eigen::RowVectorXd& q,
             const Eigen::RowVectorXd& k) {
  t.symbol = std::move(symbol);
  t.shape = shape_text({2, q.size()});
  t.values.resize(2, q.size());
  t.values.row(0) = q;
  t.values.row(1) = k;
  t.roles = {"q", "k"};
  t.column = m.component;
}

}  // namespace

void thumb_head_norm(const StageMaker& m, StageThumbnail& t) {
  q_and_k(m, t, norm_name(*m.cell.way.q_norm), m.cell.way.q_norm->y, m.cell.way.k_norm->y);
}

void thumb_rotation(const StageMaker& m, StageThumbnail& t) {
  q_and_k(m, t, colored("q", "q_i") + ", " + colored("k", "k_j"), m.cell.q.cast<double>(),
          m.cell.k.cast<double>());
}

void thumb_relative_bias(const StageMaker& m, StageThumbnail& t) {
  one_line(t, "s", "+ b_{j-i}", m.cell.scores, m.cell.place.key);
}

void thumb_products(const StageMaker& m, StageThumbnail& t) {
  one_line(t, "s", colored("q", "q_i") + " \\cdot " + colored("k", "k_j"), m.cell.products, m.component);
}

void thumb_scale(const StageMaker& m, StageThumbnail& t) {
  Eigen::RowVectorXd scores = m.cell.scores;
  if (m.cell.rule.bias.size() > 0) scores -= m.cell.rule.bias;
  one_line(t, "s", m.cell.rule.by_sqrt_d_k ? "\\div \\sqrt{d_k}" : colored("s", "s_i"), scores,
           m.cell.place.key);
}

void thumb_temperature(const StageMaker& m, StageThumbnail& t) {
  one_line(t, "s", "\\div T", m.cell.tempered, m.cell.place.key);
}

void thumb_mask(const StageMaker& m, StageThumbnail& t) {
  // A blocked score has no colour, whatever replaces it.
  const Eigen::RowVectorXd masked = m.cell.masked.unaryExpr(
      [](double score) { return score == -1e9 ? -std::numeric_limits<double>::infinity() : score; });
  const char* sign = m.block.fills_with_infinity() ? "+ " : "";
  one_line(t, "s", sign + in_words(m.tr("mask")), masked, m.cell.place.key);
}

void thumb_softmax(const StageMaker& m, StageThumbnail& t) {
  one_line(t, "w", "\\operatorname{softmax}", m.cell.weights, m.cell.place.key);
}

void thumb_dropout(const StageMaker& m, StageThumbnail& t) {
  one_line(t, "w", in_words(m.tr("Dropout")),
           m.cell.weights.cwiseProduct(m.cell.dropout.cast<double>()).eval(), m.cell.place.key);
}

void thumb_values(const StageMaker& m, StageThumbnail& t) {
  one_line(t, "c", "\\sum " + colored("w", "w") + colored("v", "v"), m.cell.context, m.component);
}

void thumb_concat(const StageMaker& m, StageThumbnail& t) {
  const Index d_k = m.block.shape.d_k;
  one_line(t, "c", in_words(m.tr("concat")), m.cell.concat, m.cell.place.head * d_k, d_k);
}

void thumb_output(const StageMaker& m, StageThumbnail& t) {
  one_line(t, "o", colored("o", "W_O"), m.cell.output, m.output);
}

void thumb_norm(const StageMaker& m, StageThumbnail& t) {
  const AddAndNorm& step = *m.cell.add_and_norm;
  one_line(t, "o", step.norm ? norm_name(*step.norm) : "+ " + colored("x", "x_i"), step.result(), m.output);
}

}  // namespace headscope
