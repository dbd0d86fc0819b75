#include "core/model/logit_contributions.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>

#include "core/base/matrix.h"
#include "core/model/layer_parts.h"
#include "core/model/model_run.h"

namespace headscope {
namespace {

using Vector = Eigen::VectorXd;

Vector as_double(const float* values, Index size) {
  return RowView(values, size).matrix().cast<double>();
}

Tensor row_as_tensor(const Tensor& rows, Index row, BufferPool& memory) {
  Tensor result = memory.take({1, rows.dim(1)});
  std::copy_n(rows.at(row), rows.dim(1), result.data());
  return result;
}

/// The logit as a function of the stream at one position: direction · stream + constant.
struct LinearLogit {
  Vector direction;      // [d_model]
  double norm_bias = 0;  // of the last norm
  double output_bias = 0;
};

/// Wᵀ direction: the coefficient of each input of the product.
Vector before(const Dense& dense, const Vector& direction, const Kernels& kernels) {
  Vector result = Vector::Zero(dense.in);
  Tensor row({dense.weight.columns});
  for (Index i = 0; i < dense.weight.rows; ++i) {
    dense.weight.copy_row(i, kernels, row.data());
    const auto values = RowView(row.data(), row.size()).matrix().cast<double>();
    if (dense.input_rows)
      result[i] = values.dot(direction);
    else
      result += direction[i] * values;
  }
  return result;
}

/// What a norm divides x by; 1 without a norm, and for one that only scales.
double deviation(const Norm& norm, const Vector& x) {
  if (!norm.present() || norm.kind == Norm::Kind::scale) return 1;
  const double square = norm.kind == Norm::Kind::rms ? x.squaredNorm() / static_cast<double>(x.size())
                                                     : (x.array() - x.mean()).square().mean();
  return std::sqrt(square + norm.epsilon);
}

/// Changes the direction behind a norm to the one before it, but for deviation(); returns the share of its
/// bias.
double pass_weight_back(const Norm& norm, Vector& direction) {
  if (!norm.present()) return 0;
  const Index d = direction.size();
  const double bias = norm.bias.empty() ? 0 : direction.dot(as_double(norm.bias.data(), d));
  direction.array() *= as_double(norm.weight.data(), d).array();
  if (norm.kind == Norm::Kind::scale) return bias;
  if (norm.kind != Norm::Kind::rms) direction.array() -= direction.mean();  // instead of the row's own mean
  return bias;
}

/// The same with the norm's mean and deviation held at those of x.
double pass_back(const Norm& norm, const Vector& x, Vector& direction) {
  const double bias = pass_weight_back(norm, direction);
  direction /= deviation(norm, x);
  return bias;
}

/// Behind the last norm.
LinearLogit unembedding(const LanguageModel& model, Index token, const Kernels& kernels) {
  const OutputHead& head = *model.head();
  const Dense& output = head.output;
  Tensor row({output.in});
  output.weight.copy_row(token, kernels, row.data());
  LinearLogit logit{as_double(row.data(), output.in)};
  if (head.project_out) logit.direction = before(*head.project_out, logit.direction, kernels);
  if (!output.bias.empty()) logit.output_bias = static_cast<double>(output.bias.data()[token]);
  logit.direction *= model.config().output_factor;
  return logit;
}

/// What a logit's cap leaves of it, as a share; 1 without a cap.
double capped_share(const ModelConfig& config, double uncapped) {
  if (config.logit_cap <= 0 || uncapped == 0) return 1;
  return config.logit_cap * std::tanh(uncapped / config.logit_cap) / uncapped;
}

LinearLogit linear_logit(const LanguageModel& model, const Vector& stream, Index token,
                         const Kernels& kernels) {
  LinearLogit logit = unembedding(model, token, kernels);
  logit.norm_bias = pass_back(model.stack(BlockKind::decoder).last_norm, stream, logit.direction);
  const double share =
      capped_share(model.config(), logit.direction.dot(stream) + logit.norm_bias + logit.output_bias);
  logit.direction *= share;
  logit.norm_bias *= share;
  logit.output_bias *= share;
  return logit;
}

double bias_share(const Dense& dense, const Vector& direction) {
  return dense.bias.empty() ? 0 : direction.dot(as_double(dense.bias.data(), direction.size()));
}

/// Runs through the layers again for one row.
class Shares {
 public:
  Shares(const ModelRun& run, Index position, const Vector& direction, const ComputeContext& context,
         std::stop_token stop)
      : run_(run), position_(position), direction_(direction), context_(context), stop_(std::move(stop)) {}

  void add_layers(BlockKind kind, LogitContributions& result) const {
    const TransformerStack& stack = run_.model().stack(kind);
    const ModelConfig& config = run_.model().config();
    const bool crosses = !stack.layers.empty() && stack.layers.front().cross.has_value();
    result.attention.push_back({kind, {}, {}});
    if (crosses) result.attention.push_back({BlockKind::cross, {}, {}});
    for (Index layer = 0; layer < stack.size.layers && !stop_.stop_requested(); ++layer) {
      const Tensor input = row_as_tensor(run_.x(kind, layer, context_.memory), position_, context_.memory);
      Tensor x = row_as_tensor(input, 0, context_.memory);
      for (LogitContributions::Attention& attention : result.attention) add_attention(attention, layer, x);
      const FeedForwardWeights& weights = stack.layers[static_cast<std::size_t>(layer)].feed_forward;
      const Tensor& read = config.parallel ? input : x;
      const Tensor y = feed_forward(
          run_.model(), weights,
          weights.norm.present() ? normed(weights.norm, read.data(), 1, context_) : read, context_, stop_);
      const auto [direction, norm_bias] = before_adding(weights.output_norm, y);
      const double bias = bias_share(weights.down, direction);
      result.feed_forward.push_back(direction.dot(as_double(y.data(), y.size())) - bias);
      result.feed_forward_bias.push_back(bias + norm_bias);
    }
  }

 private:
  // The direction in a sublayer's output y, which is normed and multiplied before it is added to the stream;
  // and the share of that norm's bias.
  std::pair<Vector, double> before_adding(const Norm& norm, const Tensor& y) const {
    Vector direction = direction_ * run_.model().config().residual_factor;
    const double bias = pass_back(norm, as_double(y.data(), y.size()), direction);
    return {std::move(direction), bias};
  }

  // Contributions of all heads of a layer; adds their output to `x`.
  void add_attention(LogitContributions::Attention& attention, Index layer, Tensor& x) const {
    const AttentionWeights& weights = attention_weights(run_.model(), attention.kind, layer);
    const Dense& o = weights.o;
    const Tensor heads = run_.context_row(attention.kind, layer, position_, context_, stop_);
    const Index d_k = run_.model().stack(attention.kind).head_dim;
    Tensor y = multiply(o, heads, context_, stop_);
    const auto [direction, norm_bias] = before_adding(weights.output_norm, y);
    const Vector weight = before(o, direction, context_.kernels), values = as_double(heads.data(), o.in);
    std::vector<double>& shares = attention.heads.emplace_back();
    for (Index begin = 0; begin < o.in; begin += d_k)
      shares.push_back(weight.segment(begin, d_k).dot(values.segment(begin, d_k)));
    attention.bias.push_back(bias_share(o, direction) + norm_bias);
    if (weights.output_norm.present()) apply_norm(weights.output_norm, y.data(), context_.kernels);
    as_matrix(x) += static_cast<float>(run_.model().config().residual_factor) * as_matrix(y);
  }

  const ModelRun& run_;
  Index position_;
  const Vector& direction_;
  const ComputeContext& context_;
  std::stop_token stop_;
};

// The token's row of the embedding, as added to the stream.
Vector token_vector(const LanguageModel& model, bool decoder, Index id, const Kernels& kernels) {
  const StoredMatrix& words = model.words(decoder);
  Tensor row({words.columns});
  words.copy_row(id, kernels, row.data());
  const Vector vector = as_double(row.data(), row.size());
  if (const auto& project = model.project_in())
    return as_matrix(rows_of(*project, 0, project->out, kernels)).cast<double>() * vector;
  return vector * model.config().embedding_factor;
}

double total(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

}  // namespace

double LogitContributions::sum() const {
  double sum =
      embedding + position + norm_bias + output_bias + total(feed_forward) + total(feed_forward_bias);
  for (const Attention& block : attention) {
    sum += total(block.bias);
    for (const std::vector<double>& layer : block.heads) sum += total(layer);
  }
  return sum;
}

const LogitContributions::Attention* LogitContributions::find(BlockKind kind) const {
  const auto found = std::ranges::find(attention, kind, &Attention::kind);
  return found == attention.end() ? nullptr : &*found;
}

bool has_logit_contributions(const LanguageModel& model) {
  const OutputConfig& output = model.config().output;
  const bool of_one_row = !output.of_whole() || output.reads == OutputConfig::Reads::first ||
                          output.reads == OutputConfig::Reads::last ||
                          output.reads == OutputConfig::Reads::end;
  // Of tokens that are read again the decoder's rows are at other tokens than its maps say.
  const bool at_its_token = !model.config().rereads() || output.of_whole();
  return model.head() && !model.head()->transform && model.config().norm_first && of_one_row && at_its_token;
}

std::optional<LogitContributions> logit_contributions(const ModelRun& run, Index position, Index token,
                                                      const ComputeContext& context,
                                                      const std::stop_token& stop) {
  const LanguageModel& model = run.model();
  assert(has_logit_contributions(model) && position >= run.first_row());
  const bool decoder = model.config().encoder_decoder();
  const BlockKind kind = decoder ? BlockKind::decoder : BlockKind::self;
  const Index d = model.config().d_model;
  const Tensor streams = run.stream(kind, context.memory);
  const Vector stream = as_double(streams.at(position), d);
  const LinearLogit linear = linear_logit(model, stream, token, context.kernels);
  LogitContributions result;
  result.logit = linear.direction.dot(stream) + linear.norm_bias + linear.output_bias;
  result.norm_bias = linear.norm_bias;
  result.output_bias = linear.output_bias;
  const std::vector<Index>& ids = decoder ? run.input().decoder_ids : run.input().ids;
  const Tensor first = run.x(kind, 0, context.memory);
  const double embedded = linear.direction.dot(as_double(first.at(position), d));
  // A norm of the embedding (mBART) leaves no shares of the token and of its position; patches have none,
  // either.
  result.embedding = model.stack(kind).first_norm.present() || model.picture()
                         ? embedded
                         : linear.direction.dot(token_vector(
                               model, decoder, ids[static_cast<std::size_t>(position)], context.kernels));
  if (model.config().position_kind == PositionKind::learned ||
      model.config().position_kind == PositionKind::sinusoidal)
    result.position = embedded - result.embedding;
  Shares(run, position, linear.direction, context, stop).add_layers(kind, result);
  return stop.stop_requested() ? std::nullopt : std::optional(std::move(result));
}

std::optional<LogitDirection> logit_direction(const ModelRun& run, BlockKind kind, Index layer, Index token,
                                              const ComputeContext& context, const std::stop_token& stop) {
  const LanguageModel& model = run.model();
  assert(has_logit_contributions(model));
  const BlockKind of_stream = model.config().encoder_decoder() ? BlockKind::decoder : BlockKind::self;
  const Norm& last_norm = model.stack(BlockKind::decoder).last_norm;
  const AttentionWeights& weights = attention_weights(model, kind, layer);
  LinearLogit logit = unembedding(model, token, context.kernels);
  logit.norm_bias = pass_weight_back(last_norm, logit.direction);
  LogitDirection result;
  const Tensor streams = run.stream(of_stream, context.memory);
  result.positions = Vector::Zero(streams.dim(0));
  const Index first = run.first_row();
  for (Index i = first; i < streams.dim(0); ++i) {
    const Vector stream = as_double(streams.at(i), streams.dim(1));
    const double scale = 1 / deviation(last_norm, stream);
    const double uncapped = scale * logit.direction.dot(stream) + logit.norm_bias + logit.output_bias;
    result.positions[i] = scale * capped_share(model.config(), uncapped) * model.config().residual_factor;
  }
  if (weights.output_norm.present()) {
    const Tensor y = multiply(weights.o, run.context(kind, layer, context, stop), context, stop);
    if (stop.stop_requested()) return std::nullopt;
    for (Index i = first; i < y.dim(0); ++i)
      result.positions[i] /= deviation(weights.output_norm, as_double(y.at(i), y.dim(1)));
    pass_weight_back(weights.output_norm, logit.direction);
  }
  result.heads = before(weights.o, logit.direction, context.kernels);
  return result;
}

}  // namespace headscope
