#include "core/model/effects/logit_contributions.h"

#include <algorithm>
#include <cassert>
#include <functional>
#include <numeric>
#include <utility>

#include "core/base/stopped.h"
#include "core/model/effects/direction_walk.h"
#include "core/model/layer/layer_parts.h"
#include "core/model/layer/text_embedding.h"

namespace headscope {
namespace {

using MatrixD = MatrixOf<double>;
using Part = Sublayer::Part;

/// Σ over all rows of directions.row(i) · values.row(i).
double product(const MatrixD& directions, const MatrixD& values) {
  return directions.cwiseProduct(values).sum();
}

BlockKind contributing(const ModelConfig& config) {
  return config.encoder_decoder() ? BlockKind::decoder : BlockKind::self;
}

/// Whether its heads have a map, and so each a contribution of its own.
bool has_heads(const ModelConfig& config, const Sublayer& sublayer) {
  if (!sublayer.is_heads_of(sublayer.kind, sublayer.layer)) return false;
  return sublayer.part == Part::mixer ? config.state_mixer->heads > 0 : config.heads_of(sublayer.layer) > 0;
}

void add_attention(const LanguageModel& model, const SublayerOutput& added, Index layer,
                   const MatrixD& directions, double norm_biases, const Kernels& kernels,
                   LogitContributions& result) {
  const bool attends = added.sublayer.part == Part::attention;
  const TransformerLayer& weights = model.stack(added.sublayer.kind).layers[layer];
  const Dense& o = attends ? attention_weights(model, added.sublayer.kind, layer).o : weights.mixer->o;
  const Index d_v =
      attends ? model.stack(added.sublayer.kind).d_v_of(layer) : model.config().state_mixer->d_v;
  const MatrixD in_heads = before(o, directions, kernels), values = in_double(added.heads);
  LogitContributions::Attention& attention =
      *std::ranges::find(result.attention, added.sublayer.kind, &LogitContributions::Attention::kind);
  for (Index head = 0; head < o.in / d_v; ++head)
    attention.heads[layer].push_back(
        product(in_heads.middleCols((attends ? head : weights.mixer->block(head)) * d_v, d_v),
                values.middleCols(head * d_v, d_v)));
  attention.bias[layer] = bias_shares(o, directions).sum() + norm_biases;
}

void add_layer(DirectionWalk& walk, const LanguageModel& model, Index layer, const Kernels& kernels,
               LogitContributions& result) {
  const std::size_t at = layer;
  const std::vector<SublayerOutput> all = walk.added_in(layer);
  for (auto added = all.rbegin(); added != all.rend(); ++added) {
    Eigen::VectorXd biases = walk.pass_sum(*added);
    if (added->sublayer.part == Part::convolution) {
      result.convolution = product(walk.directions(), in_double(added->given));
      result.feed_forward_bias[at] += biases.sum();
      continue;
    }
    const MatrixD directions = walk.into(*added, biases);
    if (added->sublayer.part == Part::layer_embedding) {
      result.layer_embeddings += product(directions, in_double(added->given));
      result.feed_forward_bias[at] += biases.sum();
      continue;
    }
    if (added->sublayer.part == Part::mixer && !has_heads(model.config(), added->sublayer)) {
      const double bias = bias_shares(model.stack(BlockKind::self).layers[at].mixer->o, directions).sum();
      result.mixers += product(directions, in_double(added->given)) - bias;
      result.feed_forward_bias[at] += bias + biases.sum();
      continue;
    }
    if (added->sublayer.part != Part::feed_forward) {
      add_attention(model, *added, layer, directions, biases.sum(), kernels, result);
      continue;
    }
    const Dense& down = model.stack(contributing(model.config())).layers[at].feed_forward.down;
    const double bias = bias_shares(down, directions).sum();
    result.feed_forward[at] = product(directions, in_double(added->given)) - bias;
    result.feed_forward_bias[at] += bias + biases.sum();
  }
}

/// What the embedding of each row adds up to before its norm.
std::vector<EmbeddingTerms> embedded_text(const ModelRun& run, const std::vector<Index>& rows,
                                          const ComputeContext& context) {
  std::vector<EmbeddingTerms> all;
  for (const Index row : rows)
    all.push_back(embedding_terms(run.model(), run.model().config().encoder_decoder(), run.input(), row,
                                  row + 1, context));
  return all;
}

MatrixD embedded_picture(const ModelRun& run, const std::vector<Index>& rows, const ComputeContext& context) {
  const Tensor all =
      embed_picture(*run.model().config().picture, *run.model().picture(), *run.input().pixels, context, {});
  return picked_rows(all, rows);
}

void add_embedding(const ModelRun& run, DirectionWalk& walk, const ComputeContext& context,
                   LogitContributions& result) {
  if (run.input().pixels) {
    const MatrixD x = embedded_picture(run, walk.rows(), context);
    result.embedding_bias = walk.pass_embedding(x).sum();
    result.embedding = product(walk.directions(), x);
    return;
  }
  const std::vector<EmbeddingTerms> terms = embedded_text(run, walk.rows(), context);
  MatrixD x(std::ssize(terms), terms.front().words.dim(1));
  for (std::size_t i = 0; i < terms.size(); ++i) x.row(i) = in_double(terms[i].sum(context)).row(0);
  result.embedding_bias = walk.pass_embedding(x).sum();
  for (std::size_t i = 0; i < terms.size(); ++i) {
    const MatrixD direction = walk.directions().row(i);
    const auto share = [&](const Tensor& term) {
      return term.empty() ? 0.0 : product(direction, in_double(term));
    };
    result.embedding += share(terms[i].words);
    result.position += share(terms[i].positions);
    result.token_type += share(terms[i].types);
  }
}

double total(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

std::vector<Index> rows_with_stream(const ModelRun& run, const ComputeContext& context) {
  const Tensor streams = run.stream(contributing(run.model().config()), context.memory);
  std::vector<Index> rows(streams.dim(0) - run.first_row());
  std::iota(rows.begin(), rows.end(), run.first_row());
  return rows;
}

}  // namespace

LogitContributions difference(LogitContributions parts, const LogitContributions& against) {
  const auto subtract = [](std::vector<double>& from, const std::vector<double>& values) {
    std::ranges::transform(from, values, from.begin(), std::minus());
  };
  for (std::size_t i = 0; i < parts.attention.size(); ++i) {
    subtract(parts.attention[i].bias, against.attention[i].bias);
    for (std::size_t layer = 0; layer < parts.attention[i].heads.size(); ++layer)
      subtract(parts.attention[i].heads[layer], against.attention[i].heads[layer]);
  }
  subtract(parts.feed_forward, against.feed_forward);
  subtract(parts.feed_forward_bias, against.feed_forward_bias);
  for (const auto number :
       {&LogitContributions::embedding, &LogitContributions::position, &LogitContributions::token_type,
        &LogitContributions::embedding_bias, &LogitContributions::convolution, &LogitContributions::mixers,
        &LogitContributions::layer_embeddings, &LogitContributions::norm_bias,
        &LogitContributions::output_bias, &LogitContributions::logit})
    parts.*number -= against.*number;
  return parts;
}

double LogitContributions::sum() const {
  double sum = embedding + position + token_type + embedding_bias + convolution + mixers + layer_embeddings +
               norm_bias + output_bias + total(feed_forward) + total(feed_forward_bias);
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

namespace {

void check_contributions(const ModelConfig& config) {
  if (config.funnel)
    throw input_error(
        "layers of {} have fewer rows than the text has tokens, so what a head adds has no direct share of a "
        "logit; expected another model",
        to_name(config));
  if (config.alt_up)
    throw input_error(
        "AltUp mixes several streams in every layer, so what a head adds has no direct share of a logit; "
        "expected "
        "another model");
}

}  // namespace

std::optional<LogitContributions> logit_contributions(const ModelRun& run, LinearOutput output,
                                                      const ComputeContext& context,
                                                      const std::stop_token& stop) {
  const LanguageModel& model = run.model();
  check_contributions(model.config());
  const BlockKind kind = contributing(model.config());
  const TransformerStack& stack = model.stack(kind);
  const std::size_t layers = stack.size.layers;
  LogitContributions result;
  result.norm_bias = output.norm_bias.sum();
  result.output_bias = output.output_bias.sum();
  result.rows = std::ssize(output.rows);
  result.held = output.held;
  result.feed_forward.resize(layers);
  result.feed_forward_bias.resize(layers);
  const LogitContributions::Attention none{kind, std::vector<std::vector<double>>(layers),
                                           std::vector<double>(layers)};
  result.attention.push_back(none);
  const auto also = [&](bool has, BlockKind beside) {
    if (has) result.attention.emplace_back(none).kind = beside;
  };
  also(!stack.layers.empty() && stack.layers.front().cross, BlockKind::cross);
  also(model.config().mixer_beside, BlockKind::state);
  result.logit = product(output.directions, picked_rows(run.stream(kind, context.memory), output.rows)) +
                 result.norm_bias + result.output_bias;
  DirectionWalk walk(run, std::move(output), context, stop);
  for (Index layer = stack.size.layers - 1; layer >= 0 && !stop_requested(stop); --layer)
    add_layer(walk, model, layer, context.kernels, result);
  if (stop_requested(stop)) return std::nullopt;
  add_embedding(run, walk, context, result);
  return result;
}

std::optional<LogitContributions> logit_contributions(const ModelRun& run, Index position, Index token,
                                                      const ComputeContext& context,
                                                      const std::stop_token& stop) {
  assert(run.model().head() && position >= run.first_row());
  return logit_contributions(run, linear_output(run, {position}, token, context, stop), context, stop);
}

std::optional<LogitDirection> logit_direction(const ModelRun& run, LinearOutput output, BlockKind kind,
                                              Index layer, const ComputeContext& context,
                                              const std::stop_token& stop) {
  const LanguageModel& model = run.model();
  check_contributions(model.config());
  const AttentionWeights& weights = attention_weights(model, kind, layer);
  DirectionWalk walk(run, std::move(output), context, stop);
  walk.go_to(kind, layer);
  SublayerOutput added{attention_sublayer(model, kind, layer), {}, {}, {}, {}};
  // Only the norm of what is added needs it.
  if (added.sublayer.output_norm && !stop_requested(stop))
    added.given =
        multiply(weights.o, contexts_of_rows(run, kind, layer, walk.rows(), context, stop), context, stop);
  if (stop_requested(stop)) return std::nullopt;
  Eigen::VectorXd biases = Eigen::VectorXd::Zero(walk.directions().rows());
  const MatrixD directions = walk.into(added, biases);
  const MatrixD in_heads = before(weights.o, directions, context.kernels);
  LogitDirection result =
      Matrix::Zero(run.stream(contributing(model.config()), context.memory).dim(0), in_heads.cols());
  for (std::size_t i = 0; i < walk.rows().size(); ++i)
    result.row(walk.rows()[i]) = in_heads.row(i).cast<float>();
  // A gate is held, too.
  if (const Tensor gate = run.layer_qkv(kind, layer, context, stop).gate; !gate.empty())
    result.array() *= as_matrix(gate).array();
  return result;
}

std::optional<LogitDirection> logit_direction(const ModelRun& run, BlockKind kind, Index layer, Index token,
                                              const ComputeContext& context, const std::stop_token& stop) {
  return logit_direction(run, linear_output(run, rows_with_stream(run, context), token, context, stop), kind,
                         layer, context, stop);
}

}  // namespace headscope
