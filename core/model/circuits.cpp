#include "core/model/circuits.h"

#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/base/error.h"
#include "core/model/layer_parts.h"

namespace headscope {
namespace {

using Wide = MatrixOf<double>;
using Columns = Eigen::MatrixXd;

Wide doubles(const Tensor& rows) {
  return as_matrix(rows).cast<double>();
}

/// W diag(weight) of the norm, without the mean of each row if the norm removes it.
void fold(const Norm& norm, Wide& rows) {
  if (!norm.present()) return;
  rows.array().rowwise() *=
      Eigen::Map<const Eigen::RowVectorXf>(norm.weight.data(), norm.weight.size()).cast<double>().array();
  if (norm.kind == Norm::Kind::layer) rows.colwise() -= rows.rowwise().mean().eval();
}

/// Σ λ / Σ |λ|.
double copying_score(const Columns& small) {
  const Eigen::VectorXcd values = small.eigenvalues();
  const double all = values.cwiseAbs().sum();
  return all > 0 ? values.sum().real() / all : 0;
}

/// The R of a QR decomposition of a matrix [d_model, d_k].
Columns triangle(const Columns& tall) {
  const Eigen::HouseholderQR<Columns> qr(tall);
  const Index n = std::min(tall.rows(), tall.cols());
  return qr.matrixQR().topRows(n).triangularView<Eigen::Upper>();
}

/// tr(outer m inner mᵀ), the square of a norm; of products of such matrices, without those of d_model rows.
double squared(const Wide& outer, const Wide& m, const Wide& inner) {
  return std::max(0.0, (outer * m * inner).cwiseProduct(m).sum());
}

}  // namespace

std::span<const EnumName<Composition>> enum_names(Composition) {
  static constexpr EnumName<Composition> names[] = {
      {Composition::q, "q"}, {Composition::k, "k"}, {Composition::v, "v"}};
  return names;
}

Circuits::Circuits(std::shared_ptr<const LanguageModel> model, const ComputeContext& context)
    : model_(std::move(model)), context_(context) {
  if (model_->config().encoder_decoder())
    throw input_error(
        "circuits are of a model with a single stack of layers; this one has an encoder and a decoder");
  if (!model_->head() || model_->config().output.kind != OutputKind::tokens)
    throw input_error("this model has no output for tokens (no language modelling head)");
  const TransformerStack& stack = model_->stack(BlockKind::self);
  const ModelConfig& config = model_->config();
  layers_ = stack.size.layers;
  heads_ = stack.size.heads;
  d_model_ = config.d_model;
  const Index d_k = stack.head_dim;
  const bool centred = stack.last_norm.present() ? stack.last_norm.kind == Norm::Kind::layer
                                                 : stack.layers.front().self.norm.kind == Norm::Kind::layer;
  for (Index layer = 0; layer < layers_; ++layer) {
    const AttentionWeights& weights = attention_weights(*model_, BlockKind::self, layer);
    const Wide o = doubles(rows_of(weights.o, 0, weights.o.out, context.kernels));
    const Index of_group = heads_ / (weights.k.out / d_k);
    for (Index head = 0; head < heads_; ++head) {
      HeadMatrices one;
      one.q = doubles(rows_of(weights.q, head * d_k, d_k, context.kernels));
      one.k = doubles(rows_of(weights.k, head / of_group * d_k, d_k, context.kernels));
      one.v = doubles(rows_of(weights.v, head / of_group * d_k, d_k, context.kernels));
      one.o = o.middleCols(head * d_k, d_k);
      if (config.norm_first)
        for (Wide* rows : {&one.q, &one.k, &one.v}) fold(weights.norm, *rows);
      if (centred) one.o.rowwise() -= one.o.colwise().mean().eval();
      matrices_.push_back(std::move(one));
    }
  }
}

Wide Circuits::word_rows(Index begin, Index end) const {
  const StoredMatrix& words = model_->words(false);
  Tensor rows({end - begin, words.columns});
  for (Index i = begin; i < end; ++i) words.copy_row(i, context_.kernels, rows.at(i - begin));
  Wide result = doubles(rows);
  if (const auto& project = model_->project_in())
    return result * doubles(rows_of(*project, 0, project->out, context_.kernels)).transpose();
  return result * model_->config().embedding_factor;
}

Wide Circuits::unembedding_rows(Index begin, Index end) const {
  const OutputHead& head = *model_->head();
  Tensor rows({end - begin, head.output.in});
  for (Index i = begin; i < end; ++i) head.output.weight.copy_row(i, context_.kernels, rows.at(i - begin));
  Wide result = doubles(rows);
  if (head.project_out)
    result *= doubles(rows_of(*head.project_out, 0, head.project_out->out, context_.kernels));
  if (!head.transform && model_->config().norm_first) fold(model_->stack(BlockKind::self).last_norm, result);
  return result;
}

OfHeads Circuits::copying_scores(const std::stop_token& stop) const {
  constexpr Index at_once = 1024;
  const Index vocabulary = std::min(model_->words(false).rows, model_->head()->output.out);
  Columns between = Columns::Zero(d_model_, d_model_);  // Σ over the vocabulary of embedding and unembedding
  for (Index begin = 0; begin < vocabulary && !stop.stop_requested(); begin += at_once) {
    const Index end = std::min(vocabulary, begin + at_once);
    between.noalias() += word_rows(begin, end).transpose() * unembedding_rows(begin, end);
  }
  OfHeads scores(static_cast<std::size_t>(layers_));
  for (Index layer = 0; layer < layers_ && !stop.stop_requested(); ++layer)
    for (Index head = 0; head < heads_; ++head)
      scores[static_cast<std::size_t>(layer)].push_back(
          copying_score(of(layer, head).v * between * of(layer, head).o));
  return scores;
}

std::vector<double> Circuits::singular_values(Index layer, Index head, bool of_ov) const {
  const HeadMatrices& m = of(layer, head);
  const Columns left = of_ov ? Columns(m.o) : Columns(m.q.transpose());
  const Columns right = of_ov ? Columns(m.v.transpose()) : Columns(m.k.transpose());
  const Eigen::VectorXd values =
      Eigen::BDCSVD<Columns>(triangle(left) * triangle(right).transpose()).singularValues();
  return {values.data(), values.data() + values.size()};
}

OfHeads Circuits::effective_ranks(bool of_ov) const {
  OfHeads ranks(static_cast<std::size_t>(layers_));
  for (Index layer = 0; layer < layers_; ++layer)
    for (Index head = 0; head < heads_; ++head) {
      const std::vector<double> values = singular_values(layer, head, of_ov);
      const double sum = std::accumulate(values.begin(), values.end(), 0.0);
      double entropy = 0;
      for (const double value : values)
        if (value > 0) entropy -= value / sum * std::log(value / sum);
      ranks[static_cast<std::size_t>(layer)].push_back(sum > 0 ? std::exp(entropy) : 0);
    }
  return ranks;
}

Eigen::VectorXd Circuits::read(Index token) const {
  return word_rows(token, token + 1).row(0).transpose();
}

Eigen::VectorXd Circuits::ov_logits(Index layer, Index head, Index token) const {
  constexpr Index at_once = 1024;
  const HeadMatrices& m = of(layer, head);
  const Eigen::VectorXd written = m.o * (m.v * read(token));
  const Index vocabulary = model_->head()->output.out;
  Eigen::VectorXd logits(vocabulary);
  for (Index begin = 0; begin < vocabulary; begin += at_once) {
    const Index end = std::min(vocabulary, begin + at_once);
    logits.segment(begin, end - begin) = unembedding_rows(begin, end) * written;
  }
  return logits;
}

Eigen::VectorXd Circuits::qk_scores(Index layer, Index head, Index token) const {
  constexpr Index at_once = 1024;
  const HeadMatrices& m = of(layer, head);
  const Eigen::VectorXd matched = m.k.transpose() * (m.q * read(token));
  const ModelConfig& config = model_->config();
  double scale = config.score_factor.value_or(1 / std::sqrt(static_cast<double>(m.q.rows())));
  if (!config.scale_scores) scale = 1;
  if (config.scale_scores_by_layer) scale /= static_cast<double>(layer + 1);
  const Index vocabulary = model_->words(false).rows;
  Eigen::VectorXd scores(vocabulary);
  for (Index begin = 0; begin < vocabulary; begin += at_once) {
    const Index end = std::min(vocabulary, begin + at_once);
    scores.segment(begin, end - begin) = scale * (word_rows(begin, end) * matched);
  }
  return scores;
}

double Circuits::random_composition() const {
  return 1 / std::sqrt(static_cast<double>(d_model_));
}

double Circuits::composition(Composition how, const HeadPlace& earlier, const HeadPlace& later) const {
  if (later.layer <= earlier.layer) return 0;
  const HeadMatrices &from = of(earlier.layer, earlier.head), &to = of(later.layer, later.head);
  const auto gram = [](const Wide& rows) -> Wide { return rows * rows.transpose(); };
  const Wide written = gram(from.v), columns = from.o.transpose() * from.o;
  const double norm_of_first = std::sqrt(columns.cwiseProduct(written).sum());
  const bool of_value = how == Composition::v;
  const Wide reading = how == Composition::q ? to.q : how == Composition::k ? to.k : to.v;
  const Wide outer = how == Composition::q   ? gram(to.k)
                     : how == Composition::k ? gram(to.q)
                                             : Wide(to.o.transpose() * to.o);
  const double norm_of_second = of_value ? std::sqrt(outer.cwiseProduct(gram(to.v)).sum())
                                         : std::sqrt(gram(to.q).cwiseProduct(gram(to.k)).sum());
  const double product = norm_of_first * norm_of_second;
  if (product == 0) return 0;
  return std::sqrt(squared(outer, reading * from.o, written)) / product - random_composition();
}

std::vector<TokenScore> extreme_tokens(const Eigen::VectorXd& scores, Index count, bool largest) {
  std::vector<Index> order(static_cast<std::size_t>(scores.size()));
  std::iota(order.begin(), order.end(), 0);
  count = std::min<Index>(count, scores.size());
  std::partial_sort(order.begin(), order.begin() + count, order.end(), [&](Index a, Index b) {
    if (scores[a] != scores[b]) return largest ? scores[a] > scores[b] : scores[a] < scores[b];
    return a < b;
  });
  std::vector<TokenScore> found;
  for (Index i = 0; i < count; ++i)
    found.push_back({order[static_cast<std::size_t>(i)], scores[order[static_cast<std::size_t>(i)]]});
  return found;
}

}  // namespace headscope
