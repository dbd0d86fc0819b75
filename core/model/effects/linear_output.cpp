#include "core/model/effects/linear_output.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "core/model/layer/layer_parts.h"
#include "core/model/steps/activation.h"

namespace headscope {
namespace {

using MatrixD = MatrixOf<double>;
using Column = Eigen::VectorXd;

Column as_vector(const Tensor& values) {
  return RowView(values.data(), values.size()).matrix().cast<double>();
}

Tensor as_float(const MatrixD& rows, BufferPool& memory) {
  Tensor result = memory.take({rows.rows(), rows.cols()});
  as_matrix(result) = rows.cast<float>();
  return result;
}

/// Changes directions behind an activation to those before it; returns the shares of what it gives for 0.
Column pass_back(Activation activation, const Tensor& inputs, MatrixD& directions,
                 const ComputeContext& context) {
  // Beside 0 the ratio becomes the slope there.
  constexpr float near_zero = 1e-4F;
  Tensor at = context.memory.take(inputs.shape());
  as_matrix(at) = as_matrix(inputs).unaryExpr(
      [](float z) { return std::abs(z) < near_zero ? std::copysign(near_zero, z) : z; });
  Tensor given = context.memory.take(inputs.shape());
  std::copy_n(at.data(), at.size(), given.data());
  apply_activation(activation, given, {}, context);
  float of_zero = 0;
  apply_activation(activation, &of_zero, 1, context.kernels);
  const Column biases = directions.rowwise().sum() * static_cast<double>(of_zero);
  directions.array() *= (in_double(given).array() - static_cast<double>(of_zero)) / in_double(at).array();
  return biases;
}

/// What a logit's cap leaves of it, as a share; 1 without a cap.
double capped_share(const ModelConfig& config, double uncapped) {
  if (config.logit_cap <= 0 || uncapped == 0) return 1;
  return config.logit_cap * std::tanh(uncapped / config.logit_cap) / uncapped;
}

/// The logit behind the rows that the head reads, and how those rows come from the last layer's.
class HeadLogit {
 public:
  HeadLogit(const LanguageModel& model, Index token, const ComputeContext& context, std::stop_token stop)
      : model_(model), head_(*model.head()), token_(token), context_(context), stop_(std::move(stop)) {}

  /// [rows, what the head reads]; adds biases.
  MatrixD directions(const Tensor& read, Column& biases) const {
    const MatrixD one = of_output(head_.output, biases);
    MatrixD result = one.replicate(read.dim(0), 1);
    biases = Column::Constant(read.dim(0), biases[0]);
    if (head_.project_out) result = before(*head_.project_out, result, context_.kernels);
    if (head_.network) return before_network(*head_.network, read, std::move(result), biases);
    if (!head_.transform) {
      if (head_.norm.present()) biases += headscope::pass_back(head_.norm, in_double(read), result);
      return result;
    }
    const Tensor inner = multiply(*head_.transform, read, context_, stop_);
    if (head_.norm.present()) {
      Tensor given = context_.memory.take(inner.shape());
      std::copy_n(inner.data(), inner.size(), given.data());
      apply_activation(head_.activation, given, {}, context_);
      biases += headscope::pass_back(head_.norm, in_double(given), result);
    }
    biases += pass_back(head_.activation, inner, result, context_);
    biases += bias_shares(*head_.transform, result);
    return before(*head_.transform, result, context_.kernels);
  }

  /// From behind a network and the norm of its sum with what it reads.
  MatrixD before_network(const FeedForwardWeights& network, const Tensor& read, MatrixD directions,
                         Column& biases) const {
    const Activation activation = model_.config().activation;
    const Tensor inner = multiply(network.up, read, context_, stop_);
    Tensor given = context_.memory.take(inner.shape());
    std::copy_n(inner.data(), inner.size(), given.data());
    apply_activation(activation, given, {}, context_);
    const MatrixD sum = in_double(read) + in_double(multiply(network.down, given, context_, stop_));
    biases += headscope::pass_back(network.norm, sum, directions);
    biases += bias_shares(network.down, directions);
    MatrixD inside = before(network.down, directions, context_.kernels);
    biases += pass_back(activation, inner, inside, context_);
    biases += bias_shares(network.up, inside);
    return directions + before(network.up, inside, context_.kernels);
  }

  /// The row of the matrix that a token or label has [1, what it reads].
  MatrixD of_output(const Dense& output, Column& biases) const {
    const bool replaced = model_.config().output.kind == OutputKind::replaced;
    biases = Column::Zero(1);
    if (replaced && token_ == 0) return MatrixD::Zero(1, output.in);  // the logit that is 0
    const Index row = replaced ? 0 : token_;
    Tensor values({1, output.in});
    output.weight.copy_row(row, context_.kernels, values.data());
    if (!output.bias.empty()) biases[0] = output.bias.data()[row];
    return in_double(values);
  }

 private:
  const LanguageModel& model_;
  const OutputHead& head_;
  Index token_;
  const ComputeContext& context_;
  std::stop_token stop_;
};

/// What the head reads of the whole, of all rows that it is read from.
Tensor read_of_whole(const LanguageModel& model, const MatrixD& rows, Index first_patch, BufferPool& memory) {
  using Reads = OutputConfig::Reads;
  const Reads reads = model.config().output.reads;
  if (reads != Reads::mean && reads != Reads::first_and_mean) return as_float(rows.topRows(1), memory);
  const bool with_first = reads == Reads::first_and_mean;
  const Eigen::RowVectorXd mean = rows.bottomRows(rows.rows() - first_patch).colwise().mean();
  MatrixD read(1, (with_first ? 2 : 1) * rows.cols());
  if (with_first) read.leftCols(rows.cols()) = rows.row(0);
  read.rightCols(rows.cols()) = mean;
  return as_float(read, memory);
}

/// The directions of a label of the whole in the rows [rows, d_model] that it is read from.
MatrixD of_whole(const LanguageModel& model, const HeadLogit& logit, const MatrixD& rows, Column& biases,
                 BufferPool& memory) {
  using Reads = OutputConfig::Reads;
  const ModelConfig& config = model.config();
  const Reads reads = config.output.reads;
  const Index d = rows.cols(), n = rows.rows();
  if (reads == Reads::mean_of_logits) {
    const MatrixD each = logit.directions(as_float(rows, memory), biases);
    biases /= static_cast<double>(n);
    return each / static_cast<double>(n);
  }
  MatrixD result = MatrixD::Zero(n, d);
  if (reads == Reads::first_two) {
    Column second;
    result.row(0) = logit.of_output(model.head()->output, biases) / 2;
    result.row(1) = logit.of_output(*model.head()->second_output, second) / 2;
    biases = (biases + second) / 2;
  } else {
    const bool with_first = reads == Reads::first_and_mean;
    const Index first_patch = with_first && config.picture ? config.picture->first_patch() : 0;
    const MatrixD read = logit.directions(read_of_whole(model, rows, first_patch, memory), biases);
    if (reads == Reads::mean || with_first)
      result.bottomRows(n - first_patch).rowwise() =
          read.row(0).tail(d) / static_cast<double>(n - first_patch);
    if (reads != Reads::mean) result.row(0) += read.row(0).head(d);
  }
  // Each row's share, so that sums over rows are right.
  biases = Column::Constant(n, biases[0] / static_cast<double>(n));
  return result;
}

MatrixD normed_rows(const Norm& norm, const MatrixD& rows, const ComputeContext& context) {
  if (!norm.present()) return rows;
  const Tensor x = as_float(rows, context.memory);
  return in_double(normed(norm, x.data(), x.dim(0), context));
}

}  // namespace

MatrixD picked_rows(const Tensor& rows, std::span<const Index> which) {
  MatrixD result(std::ssize(which), rows.dim(1));
  for (std::size_t i = 0; i < which.size(); ++i)
    result.row(i) = row_of(rows, which[i]).matrix().cast<double>();
  return result;
}

MatrixD before(const Dense& dense, const MatrixD& directions, const Kernels& kernels) {
  constexpr Index at_once = 64;
  MatrixD result = MatrixD::Zero(directions.rows(), dense.in);
  if (dense.input_rows && dense.pieces.empty()) {
    Tensor row({dense.weight.columns});
    for (Index i = 0; i < dense.in; ++i) {
      dense.weight.copy_row(i, kernels, row.data());
      result.col(i).noalias() = directions * RowView(row.data(), dense.out).matrix().cast<double>();
    }
    return result;
  }
  for (Index first = 0; first < dense.out; first += at_once) {
    const Index count = std::min(at_once, dense.out - first);
    const MatrixD rows = in_double(rows_of(dense, first, count, kernels));
    result.noalias() += directions.middleCols(first, count) * rows;
  }
  return result;
}

Column bias_shares(const Dense& dense, const MatrixD& directions) {
  if (dense.bias.empty()) return Column::Zero(directions.rows());
  return directions * as_vector(dense.bias);
}

Column pass_back(const Norm& norm, const MatrixD& x, MatrixD& directions) {
  Column biases = Column::Zero(directions.rows());
  if (!norm.present()) return biases;
  if (!norm.bias.empty()) biases = directions * as_vector(norm.bias);
  directions.array().rowwise() *= as_vector(norm.weight).transpose().array();
  if (norm.kind == Norm::Kind::scale) return biases;
  const bool centred = norm.kind != Norm::Kind::rms;
  for (Index i = 0; i < directions.rows(); ++i) {
    const double mean = centred ? x.row(i).mean() : 0;
    const double square = (x.row(i).array() - mean).square().mean();
    // The mean of the row is taken off it: so off the direction.
    if (centred) directions.row(i).array() -= directions.row(i).mean();
    directions.row(i) /= std::sqrt(square + norm.epsilon);
  }
  return biases;
}

LinearOutput linear_output(const ModelRun& run, std::vector<Index> rows, Index token,
                           const ComputeContext& context, const std::stop_token& stop) {
  const LanguageModel& model = run.model();
  const ModelConfig& config = model.config();
  const BlockKind kind = config.encoder_decoder() ? BlockKind::decoder : BlockKind::self;
  if (const auto whole = model.text_rows(run.input().ids)) {
    rows.resize(whole->second - whole->first);
    std::iota(rows.begin(), rows.end(), whole->first);
  }
  LinearOutput result;
  const MatrixD stream = picked_rows(run.stream(kind, context.memory), rows);
  const Norm& last = model.stack(BlockKind::decoder).last_norm;
  const bool normed = last.present() && !config.output.before_last_norm;
  MatrixD read = normed ? normed_rows(last, stream, context) : stream;
  read *= config.output_factor;
  const HeadLogit logit(model, token, context, stop);
  result.directions = config.output.of_whole()
                          ? of_whole(model, logit, read, result.output_bias, context.memory)
                          : logit.directions(as_float(read, context.memory), result.output_bias);
  result.directions *= config.output_factor;
  result.norm_bias = Column::Zero(stream.rows());
  if (normed) result.norm_bias = pass_back(last, stream, result.directions);
  for (Index i = 0; i < stream.rows(); ++i) {
    const double uncapped =
        result.directions.row(i).dot(stream.row(i)) + result.norm_bias[i] + result.output_bias[i];
    const double share = capped_share(config, uncapped);
    result.directions.row(i) *= share;
    result.norm_bias[i] *= share;
    result.output_bias[i] *= share;
  }
  result.rows = std::move(rows);
  const auto& head = *model.head();
  if (head.network) result.held = Held::activations;
  if (head.transform && head.activation != Activation::linear) result.held = Held::activations;
  if (config.logit_cap > 0) result.held = Held::cap;
  return result;
}

namespace {

/// From the vector that a probe pools [1, d_model] to the normed rows that it attends to.
MatrixD before_pooling(const LanguageModel& model, const ProbePooling& pooling, const Tensor& rows,
                       const MatrixD& direction, double& bias, const ComputeContext& context) {
  const PooledByProbe pooled = pooled_by_probe(model, pooling, rows, context);
  const Index d = direction.cols(), heads = pooled.weights.rows(), d_k = d / heads;
  MatrixD network = before(pooling.down, direction, context.kernels);
  bias = bias_shares(pooling.down, direction)[0];
  bias += pass_back(model.config().activation, pooled.inner, network, context)[0];
  bias += bias_shares(pooling.up, network)[0];
  network = before(pooling.up, network, context.kernels);
  bias += pass_back(pooling.norm, pooled.attended, network)[0];
  const MatrixD attended = direction + network;
  bias += bias_shares(pooling.o, attended)[0];
  const MatrixD in_heads = before(pooling.o, attended, context.kernels);
  if (!pooling.qkv.bias.empty()) bias += in_heads.row(0).dot(as_vector(pooling.qkv.bias).tail(d));
  MatrixD result = MatrixD::Zero(rows.dim(0), d);
  for (Index head = 0; head < heads; ++head) {
    const MatrixD v = in_double(rows_of(pooling.qkv, 2 * d + head * d_k, d_k, context.kernels));
    result += pooled.weights.row(head).transpose() * (in_heads.middleCols(head * d_k, d_k) * v);
  }
  return result;
}

}  // namespace

LinearOutput linear_similarity(const ModelRun& run, const std::vector<double>& text,
                               const ComputeContext& context) {
  const LanguageModel& model = run.model();
  const TowerHead& head = model.tower_head();
  const Norm& last = model.stack(BlockKind::self).last_norm;
  const Tensor streams = run.stream(BlockKind::self, context.memory);
  const std::vector<double> projected = projected_vector(model, streams, {}, context);
  const Eigen::Map<const Column> p(projected.data(), std::ssize(projected)), t(text.data(), std::ssize(text));
  LinearOutput result;
  result.directions = head.similarity_factor / (p.norm() * t.norm()) * t.transpose();
  double bias = head.similarity_shift;
  if (head.probe) {
    result.held = Held::pooling;
    result.rows.resize(streams.dim(0));
    std::iota(result.rows.begin(), result.rows.end(), 0);
    double of_pooling = 0;
    result.directions =
        before_pooling(model, *head.probe, normed(last, streams.data(), streams.dim(0), context),
                       result.directions, of_pooling, context);
    bias += of_pooling;
  } else {
    result.held = Held::similarity;
    result.rows = {0};
    bias += bias_shares(*head.projection, result.directions)[0];
    result.directions = before(*head.projection, result.directions, context.kernels);
  }
  const auto rows = static_cast<double>(result.rows.size());
  result.output_bias = Column::Constant(std::ssize(result.rows), bias / rows);
  result.norm_bias = pass_back(last, picked_rows(streams, result.rows), result.directions);
  return result;
}

}  // namespace headscope
