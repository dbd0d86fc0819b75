#include "core/model/effects/circuits.h"

#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/base/error.h"
#include "core/base/parallel.h"
#include "core/base/round_up.h"
#include "core/base/stopped.h"
#include "core/model/effects/causes.h"
#include "core/model/layer/layer_parts.h"
#include "core/model/layer/layer_walk.h"
#include "core/model/steps/positions.h"

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

/// Calls body(begin, end) for rows of the vocabulary, as many as keep the memory small.
template <typename Body>
void in_chunks(Index rows, const Body& body) {
  constexpr Index at_once = 1024;
  for (Index begin = 0; begin < rows; begin += at_once) body(begin, std::min(rows, begin + at_once));
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

Circuits::Circuits(const LanguageModel& model, bool center_logits) : model_(model), kernels_(best_kernels()) {
  if (model_.config().encoder_decoder())
    throw input_error(
        "circuits are of a model with a single stack of layers; this one has an encoder and a decoder");
  if (model_.config().state_mixer)
    throw input_error(
        "circuits are of a model whose layers have softmax attention alone; this one has other mixers");
  if (model_.config().value_norm)
    throw input_error(
        "circuits are of a model whose values are what W_V gives; those of this one are normed");
  if (!model_.head() || model_.config().output.kind != OutputKind::tokens) throw no_output_for_tokens();
  const TransformerStack& stack = model_.stack(BlockKind::self);
  const ModelConfig& config = model_.config();
  layers_ = stack.size.layers;
  heads_ = stack.size.heads;
  d_model_ = config.d_model;
  centred_ = stack.last_norm.present() ? stack.last_norm.kind == Norm::Kind::layer
                                       : stack.layers.front().self.norm.kind == Norm::Kind::layer;
  if (center_logits) mean_output_ = mean_of_outputs();
}

Eigen::RowVectorXd Circuits::mean_of_outputs() const {
  const Index count = model_.head()->output.out;
  Eigen::RowVectorXd sum = Eigen::RowVectorXd::Zero(d_model_);
  in_chunks(count, [&](Index begin, Index end) { sum += unembedding_rows(begin, end).colwise().sum(); });
  return sum / static_cast<double>(count);
}

std::vector<HeadMatrices> Circuits::layer_matrices(Index layer) const {
  const AttentionWeights& weights = attention_weights(model_, BlockKind::self, layer);
  const Norm* const norm = attention_sublayer(model_, BlockKind::self, layer).input_norm;
  const Index d_k = model_.stack(BlockKind::self).d_k_of(layer);
  const auto rows = [&](const Dense& dense) {
    Wide all = doubles(rows_of(dense, 0, dense.out, kernels_));
    if (norm) fold(*norm, all);
    return all;
  };
  const Wide q = rows(weights.q), k = rows(weights.k), v = rows(weights.v);
  Wide o = doubles(rows_of(weights.o, 0, weights.o.out, kernels_));
  if (centred_) o.rowwise() -= o.colwise().mean().eval();
  const Index of_group = heads_ / (weights.k.out / d_k);
  std::vector<HeadMatrices> heads;
  for (Index head = 0; head < heads_; ++head)
    heads.push_back({q.middleRows(head * d_k, d_k), k.middleRows(head / of_group * d_k, d_k),
                     v.middleRows(head / of_group * d_k, d_k), o.middleCols(head * d_k, d_k)});
  return heads;
}

HeadMatrices Circuits::of(Index layer, Index head) const {
  return layer_matrices(layer)[head];
}

Wide Circuits::word_rows(Index begin, Index end) const {
  const StoredMatrix& words = model_.words(false);
  Tensor rows({end - begin, words.columns});
  for (Index i = begin; i < end; ++i) words.copy_row(i, kernels_, rows.at(i - begin));
  Wide result = doubles(rows);
  if (const auto& project = model_.project_in())
    return result * doubles(rows_of(*project, 0, project->out, kernels_)).transpose();
  return result * model_.config().embedding_factor;
}

Wide Circuits::unembedding_rows(Index begin, Index end) const {
  const OutputHead& head = *model_.head();
  Tensor rows({end - begin, head.output.in});
  for (Index i = begin; i < end; ++i) head.output.weight.copy_row(i, kernels_, rows.at(i - begin));
  Wide result = doubles(rows);
  if (head.project_out) result *= doubles(rows_of(*head.project_out, 0, head.project_out->out, kernels_));
  if (!head.transform && model_.config().norm_first) fold(model_.stack(BlockKind::self).last_norm, result);
  if (mean_output_.size() > 0) result.rowwise() -= mean_output_;
  return result;
}

namespace {

/// The product W_O W_V or W_Qᵀ W_K as left rightᵀ.
std::pair<Columns, Columns> factors(const HeadMatrices& m, bool of_ov) {
  if (of_ov) return {m.o, m.v.transpose()};
  return {m.q.transpose(), m.k.transpose()};
}

auto singular_vectors(const Columns& matrix) {
  constexpr int thin = Eigen::ComputeThinU | Eigen::ComputeThinV;
#if EIGEN_VERSION_AT_LEAST(5, 0, 0)
  return Eigen::BDCSVD<Columns, thin>(matrix);
#else
  return Eigen::BDCSVD<Columns>(matrix, thin);
#endif
}

std::vector<double> values_of(const HeadMatrices& m, bool of_ov) {
  const auto [left, right] = factors(m, of_ov);
  const Eigen::VectorXd values =
      Eigen::BDCSVD<Columns>(triangle(left) * triangle(right).transpose()).singularValues();
  return {values.data(), values.data() + values.size()};
}

}  // namespace

CircuitNumbers Circuits::numbers(const std::stop_token& stop,
                                 const std::function<void(double share)>& progress) const {
  const Index vocabulary = std::min(model_.words(false).rows, model_.head()->output.out);
  const auto report = [&](double share) {
    if (progress) progress(share);
  };
  // Σ over the vocabulary of embedding and unembedding; the threads share its columns.
  Columns between = Columns::Zero(d_model_, d_model_);
  const Index at_once = std::max<Index>(16, d_model_ / 16), parts = divide_up(d_model_, at_once);
  in_chunks(vocabulary, [&](Index begin, Index end) {
    if (stop_requested(stop)) return;
    const Columns words = word_rows(begin, end).transpose(), out = unembedding_rows(begin, end);
    parallel_for(parts, (end - begin) * d_model_ * d_model_, [&](Index part) {
      const Index first = part * at_once, count = std::min(at_once, d_model_ - first);
      between.middleCols(first, count).noalias() += words * out.middleCols(first, count);
    });
    report(0.8 * static_cast<double>(end) / static_cast<double>(vocabulary));
  });
  CircuitNumbers numbers;
  const Index cost = heads_ * d_model_ * d_model_;
  for (Index layer = 0; layer < layers_ && !stop_requested(stop); ++layer) {
    const std::vector<HeadMatrices> matrices = layer_matrices(layer);
    for (OfHeads* const of : {&numbers.copying_score, &numbers.qk_effective_rank, &numbers.ov_effective_rank})
      of->emplace_back(static_cast<std::size_t>(heads_));
    parallel_for(heads_, cost, [&](Index head) {
      const std::size_t i = head;
      const HeadMatrices& m = matrices[i];
      numbers.copying_score.back()[i] = copying_score(m.v * between * m.o);
      numbers.qk_effective_rank.back()[i] = effective_rank(values_of(m, false));
      numbers.ov_effective_rank.back()[i] = effective_rank(values_of(m, true));
    });
    report(0.8 + 0.2 * static_cast<double>(layer + 1) / static_cast<double>(layers_));
  }
  return numbers;
}

std::vector<double> Circuits::singular_values(Index layer, Index head, bool of_ov) const {
  return values_of(of(layer, head), of_ov);
}

std::vector<Direction> Circuits::directions(Index layer, Index head, bool of_ov, Index count) const {
  const auto [left, right] = factors(of(layer, head), of_ov);
  const Eigen::HouseholderQR<Columns> of_left(left), of_right(right);
  const Index n = std::min(left.rows(), left.cols());
  const Columns middle = Columns(of_left.matrixQR().topRows(n).triangularView<Eigen::Upper>()) *
                         Columns(of_right.matrixQR().topRows(n).triangularView<Eigen::Upper>()).transpose();
  const auto svd = singular_vectors(middle);
  const auto whole = [&](const Eigen::HouseholderQR<Columns>& qr, const Eigen::VectorXd& part) {
    Eigen::VectorXd vector = Eigen::VectorXd::Zero(d_model_);
    vector.head(part.size()) = part;
    vector.applyOnTheLeft(qr.householderQ());
    return vector;
  };
  std::vector<Direction> found;
  for (Index i = 0; i < std::min(count, n); ++i)
    found.push_back({svd.singularValues()[i], whole(of_left, svd.matrixU().col(i)),
                     whole(of_right, svd.matrixV().col(i))});
  return found;
}

double effective_rank(const std::vector<double>& singular_values) {
  const double sum = std::accumulate(singular_values.begin(), singular_values.end(), 0.0);
  double entropy = 0;
  for (const double value : singular_values)
    if (value > 0) entropy -= value / sum * std::log(value / sum);
  return sum > 0 ? std::exp(entropy) : 0;
}

Eigen::VectorXd Circuits::read(Index token) const {
  return word_rows(token, token + 1).row(0).transpose();
}

Eigen::VectorXd Circuits::unembedded(const Eigen::VectorXd& direction) const {
  Eigen::VectorXd logits(model_.head()->output.out);
  in_chunks(logits.size(), [&](Index begin, Index end) {
    logits.segment(begin, end - begin) = unembedding_rows(begin, end) * direction;
  });
  return logits;
}

Eigen::VectorXd Circuits::embedded(const Eigen::VectorXd& direction) const {
  Eigen::VectorXd scores(model_.words(false).rows);
  in_chunks(scores.size(), [&](Index begin, Index end) {
    scores.segment(begin, end - begin) = word_rows(begin, end) * direction;
  });
  return scores;
}

Eigen::VectorXd Circuits::ov_logits(Index layer, Index head, Index token) const {
  const HeadMatrices m = of(layer, head);
  return unembedded(m.o * (m.v * read(token)));
}

bool Circuits::rotary(Index layer) const {
  return rope_of(model_, BlockKind::self, layer) != nullptr;
}

Eigen::VectorXd Circuits::qk_scores(Index layer, Index head, Index token, Index distance) const {
  const HeadMatrices m = of(layer, head);
  const ModelConfig& config = model_.config();
  double scale = config.score_factor.value_or(1 / std::sqrt(m.q.rows()));
  if (!config.scale_scores) scale = 1;
  if (config.scale_scores_by_layer) scale /= static_cast<double>(layer + 1);
  Eigen::VectorXd query = m.q * read(token);
  if (const Rope* const rope = rope_of(model_, BlockKind::self, layer)) {
    Rope from_zero = *rope;
    from_zero.first_position = 0;
    const std::vector<double> frequencies = rotary_frequencies(from_zero, query.size(), distance + 1);
    Eigen::VectorXf rotated = query.cast<float>();
    rotate_query(rotary_table(from_zero, frequencies, distance, distance + 1), 0, rotated.data(),
                 rotated.size());
    // The key is at position 0, where it is not rotated but scaled by the attention factor, as the query is.
    rotate(rotary_table(from_zero, frequencies, 0, 1), 0, rotated.data());
    query = rotated.cast<double>();
  }
  return scale * embedded(m.k.transpose() * query);
}

double Circuits::random_composition() const {
  return 1 / std::sqrt(d_model_);
}

Eigen::MatrixXd Circuits::composition(Composition how, Index earlier, Index later) const {
  const std::vector<HeadMatrices> first = layer_matrices(earlier), second = layer_matrices(later);
  const auto gram = [](const Wide& rows) -> Wide { return rows * rows.transpose(); };
  struct Written {
    Wide values;
    double norm;
  };
  std::vector<Written> written;
  for (const HeadMatrices& from : first) {
    const Wide values = gram(from.v), columns = from.o.transpose() * from.o;
    written.push_back({values, std::sqrt(columns.cwiseProduct(values).sum())});
  }
  Eigen::MatrixXd result(heads_, heads_);
  for (Index j = 0; j < heads_; ++j) {
    const HeadMatrices& to = second[j];
    const Wide& reading = how == Composition::q ? to.q : how == Composition::k ? to.k : to.v;
    const Wide outer = how == Composition::q   ? gram(to.k)
                       : how == Composition::k ? gram(to.q)
                                               : Wide(to.o.transpose() * to.o);
    const double norm = std::sqrt(outer.cwiseProduct(gram(reading)).sum());
    for (Index i = 0; i < heads_; ++i) {
      const Written& from = written[i];
      const Wide between = reading * first[i].o;
      const double product = from.norm * norm;
      result(i, j) =
          product == 0 ? 0 : std::sqrt(squared(outer, between, from.values)) / product - random_composition();
    }
  }
  return result;
}

std::vector<TokenScore> extreme_tokens(const Eigen::VectorXd& scores, Index count, bool largest) {
  std::vector<Index> order(scores.size());
  std::iota(order.begin(), order.end(), 0);
  count = std::min<Index>(count, scores.size());
  std::partial_sort(order.begin(), order.begin() + count, order.end(), [&](Index a, Index b) {
    if (scores[a] != scores[b]) return largest ? scores[a] > scores[b] : scores[a] < scores[b];
    return a < b;
  });
  std::vector<TokenScore> found;
  for (Index i = 0; i < count; ++i) found.push_back({order[i], scores[order[i]]});
  return found;
}

}  // namespace headscope
