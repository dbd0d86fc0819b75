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
  t.values.row(0) = m.cell.q.cast<double>();
  t.values.row(1) = m.cell.k.cast<double>();
  t.values.row(2) = m.values.row(m.cell.place.key);
  t.roles = {"q", "k", "v"};
  t.column = m.component;
}

void thumb_products(const StageMaker& m, StageThumbnail& t) {
  one_line(t, "s", colored("q", "q_i") + " \\cdot " + colored("k", "k_j"), m.cell.products, m.component);
}

void thumb_scale(const StageMaker& m, StageThumbnail& t) {
  one_line(t, "s", m.cell.scale == 1 ? colored("s", "s_i") : "\\div \\sqrt{d_k}", m.cell.scores,
           m.cell.place.key);
}

void thumb_temperature(const StageMaker& m, StageThumbnail& t) {
  one_line(t, "s", "\\div T", (m.cell.scores / m.cell.temperature).eval(), m.cell.place.key);
}

void thumb_mask(const StageMaker& m, StageThumbnail& t) {
  one_line(t, "s", "+ " + in_words(m.tr("mask")), m.cell.masked, m.cell.place.key);
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
  one_line(t, "o", step.layer_norm ? "\\operatorname{LayerNorm}" : "+ " + colored("x", "x_i"), step.result,
           m.output);
}

}  // namespace headscope
