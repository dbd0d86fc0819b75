#include "core/source/seeded/seeded_source.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <utility>

#include "core/base/enum_table.h"
#include "core/base/error.h"
#include "core/base/stopped.h"
#include "core/base/tensor.h"
#include "core/model/seeded/seeded_layer.h"
#include "core/model/seeded/token_vectors.h"
#include "core/source/ablation.h"
#include "core/source/maps/work_forecast.h"
#include "core/source/seeded/seeded_maps.h"

namespace headscope {
namespace {

[[noreturn]] void beyond_float(int layer, int layers) {
  throw input_error(
      "layer {} of {}: values exceed float32's range; use layer_norm or smaller gains and sigma", layer + 1,
      layers);
}

bool same_texts(const std::vector<Token>& a, const std::vector<Token>& b) {
  return std::ranges::equal(a, b, {}, &Token::text, &Token::text);
}

// Whether the token vectors of `before`, from the same source, are valid for these inputs and tokens. Only
// `embedding` depends on the tokens' texts.
bool same_vectors(const Trace& before, const Inputs& inputs, const BlockTrace& block) {
  const Inputs& old = before.inputs;
  if (old.vectors != inputs.vectors || old.positions != inputs.positions || old.cross() != inputs.cross())
    return false;
  const BlockTrace& was = before.blocks.front();
  if (inputs.vectors == VectorKind::typed &&
      (old.typed.x != inputs.typed.x || old.typed.key_x != inputs.typed.key_x))
    return false;
  if (inputs.vectors == VectorKind::embedding)
    return same_texts(was.tokens, block.tokens) && same_texts(was.key_tokens, block.key_tokens);
  return was.n_q() == block.n_q() && was.n_k() == block.n_k();
}

// Whether the requested maps are kept: all of them or none.
bool keeps_maps(const RunOptions& options, const MapSource::Size& size) {
  const double heads = options.heads.empty() ? size.heads : static_cast<double>(options.heads.size());
  const double layers = options.layer ? 1 : size.layers;
  return layers * heads * static_cast<double>(size.n_q) * static_cast<double>(size.n_k) * sizeof(float) <=
         static_cast<double>(options.map_budget);
}

// Its only block is meant by both names that it can have. With `fits`, heads that it does not have are left
// out.
void fit_ablated_heads(const BlockShape& shape, bool fits, std::set<HeadPlace>& heads) {
  std::set<HeadPlace> of_block;
  for (HeadPlace place : heads) {
    if (place.block == BlockKind::self || place.block == BlockKind::cross) place.block = shape.kind;
    if (!fits || (place.block == shape.kind && place.layer < shape.layers && place.head < shape.heads))
      of_block.insert(place);
  }
  check_ablated_heads(of_block, std::span(&shape, 1));
  heads = std::move(of_block);
}

// Of one layer.
AblatedHeads ablated_heads(const Interventions& interventions, int layer) {
  AblatedHeads ablated{{}, interventions.ablation};
  for (const HeadPlace& place : interventions.ablated_heads)
    if (place.layer == layer) ablated.heads.push_back(place.head);
  return ablated;
}

// Sets up a block from text and interventions before anything is computed.
void begin_block(const Inputs& inputs, const RunOptions& options, BlockTrace& block) {
  const bool fit_masks = options.fit_masks;
  block.shape = shape_of(inputs, inputs);
  block.text = inputs;
  block.interventions = inputs;
  InputTokens tokens = tokens_of(inputs);
  block.tokens = std::move(tokens.queries);
  block.key_tokens = std::move(tokens.keys);
  check_shown_length(std::max(block.n_q(), block.n_k()), options.max_tokens);
  if (block.tokens.empty() || block.key_tokens.empty()) return;
  if (fit_masks) fit_mask_parts(block.interventions.mask, block.n_q(), block.n_k(), block.heads());
  const BlockShape& shape = block.shape;
  fit_ablated_heads(shape, fit_masks, block.interventions.ablated_heads);
  if (!fit_masks) check_mask_places(inputs.mask, std::span(&shape, 1));
  const auto mask_of = [&](int layer) {
    return build_mask(parts_of(block.interventions.mask, shape.kind, layer), block.tokens, block.key_tokens,
                      shape.heads);
  };
  block.mask = mask_of(0);
  if (shape.layers < 2 || !differ_by_layer(block.interventions.mask, shape.kind)) return;
  block.layer_masks.push_back(block.mask);
  for (int layer = 1; layer < shape.layers; ++layer) block.layer_masks.push_back(mask_of(layer));
}

Forecast forecast_of_block(const Inputs& inputs, const RunOptions& options, const BlockTrace& block) {
  const MapSource::Size size{block.shape.layers, block.shape.heads, block.n_q(), block.n_k()};
  const LayerParameters& key = inputs;
  const bool draws = !options.previous || !options.previous->source || !(options.previous->inputs == key);
  const double heads = options.heads.empty() ? size.heads : static_cast<double>(options.heads.size());
  const double kept = keeps_maps(options, size) ? heads * (options.layer ? 1 : size.layers) : 0;
  return forecast_of_run(inputs, size.n_q, size.n_k, block.mask.density(size.heads), draws, kept);
}

AttentionRequest request_of(const Inputs& inputs, const BlockTrace& block) {
  AttentionRequest request;
  request.heads = block.shape.heads;
  request.kv_heads = block.shape.kv_heads;
  request.gain_q = static_cast<float>(inputs.gain_q);
  request.gain_k = static_cast<float>(inputs.gain_k);
  if (inputs.scale) request.scale = static_cast<float>(1 / std::sqrt(block.shape.d_k));
  request.inverse_temperature = static_cast<float>(1 / inputs.temperature);
  if (inputs.mask_fill == MaskFill::minus_1e9) request.fill = -1e9F;
  request.keep_scores = false;
  return request;
}

Inputs with_fitted_x(Inputs inputs, const BlockTrace& block) {
  fit_typed_x(inputs, block.n_q(), block.n_k());
  return inputs;
}

// Fills the trace's vectors, and in `request.projected` their projections in the first layer, from the
// previous trace of the same source if still valid; otherwise draws them.
void prepare_vectors(const Inputs& inputs, const RunOptions& options, TorchRandom random, Trace& trace,
                     AttentionRequest& request) {
  const Trace* before = options.previous.get();
  const BlockTrace& block = trace.blocks.front();
  if (before != nullptr && before->source == trace.source && !before->x.empty() &&
      same_vectors(*before, inputs, block)) {
    trace.x = before->x;
    trace.key_x = before->key_x;
    const LayerTrace& first = before->blocks.front().layers.front();
    if (before->inputs.gain_q == inputs.gain_q && before->inputs.gain_k == inputs.gain_k)
      request.projected = Projected{first.q, first.k, first.v};
  } else {
    const bool fits = options.fit_masks && inputs.vectors == VectorKind::typed;
    TokenVectors vectors = draw_token_vectors(fits ? with_fitted_x(inputs, block) : inputs, block.tokens,
                                              block.key_tokens, random);
    trace.x = std::move(vectors.x);
    trace.key_x = std::move(vectors.key_x);
  }
  request.x = trace.x;
  request.key_x = trace.key_x;
}

// Vectors of `randn` are only known once all parameters are drawn.
void draw_vectors_alone(const Inputs& inputs, Trace& trace) {
  if (inputs.vectors == VectorKind::randn) return;
  TorchRandom random(inputs.seed);
  const BlockTrace& block = trace.blocks.front();
  TokenVectors vectors = draw_token_vectors(inputs, block.tokens, block.key_tokens, random);
  trace.x = std::move(vectors.x);
  trace.key_x = std::move(vectors.key_x);
}

// The next layer's dropout for its run, and as returned, drawn again for its maps; if there are too many
// factors to keep them, the run draws them again, too.
AttentionRule::Dropout draw_dropout(const Inputs& inputs, const MapSource::Size& size,
                                    const ComputeContext& context, TorchRandom& random,
                                    AttentionRule::Dropout& of_run) {
  constexpr std::int64_t max_kept = std::int64_t{1} << 28, maximum = std::int64_t{1} << 33;
  const std::int64_t all = std::int64_t{size.heads} * size.n_q * size.n_k;
  if (all * size.layers > maximum)
    throw input_error(
        "dropout draws {} numbers one after the other; expected at most {}: use fewer tokens, heads or "
        "layers",
        all * size.layers, maximum);
  const bool keeps = all <= max_kept;
  Tensor kept = keeps ? context.memory.take({size.heads * size.n_q, size.n_k}) : Tensor();
  const auto draws = std::make_shared<const DropoutDraws>(random, inputs.dropout, size.heads, size.n_q,
                                                          size.n_k, kept.data());
  AttentionRule::Dropout again = [draws](Index head, Index begin, Index end, float* factors) {
    draws->rows(head, begin, end, factors);
  };
  of_run = again;
  if (keeps)
    of_run = [kept, n_q = size.n_q](Index head, Index begin, Index end, float* factors) {
      std::copy_n(kept.at(head * n_q + begin), (end - begin) * kept.dim(1), factors);
    };
  return again;
}

// The heads whose maps a layer keeps; not engaged: all.
std::optional<std::vector<int>> kept_heads(const RunOptions& options, bool keeps, int layer) {
  if (!keeps || (options.layer && *options.layer != layer)) return std::vector<int>();
  if (!options.heads.empty()) return options.heads;
  return {};
}

// The margin covers rounding of sums of any supported length.
constexpr double float_limit = static_cast<double>(std::numeric_limits<float>::max()) / 4;

bool surely_finite_scores(const LayerTrace& layer) {
  return static_cast<double>(layer.q.dim(2)) * largest_of(layer.q) * largest_of(layer.k) < float_limit;
}

// Whether a layer with given Q, K and V is guaranteed to stay finite up to its output, by bounds on the
// sums: |q · k| <= d_k max |Q| max |K|, |context| <= max |V| / (1 - dropout) since a row of weights sums to
// at most 1, and the layer's own. False is inconclusive.
bool surely_finite(const LayerTrace& layer, const PackedLayer& weights, double dropout) {
  const double context = largest_of(layer.v) / (1 - dropout);
  return surely_finite_scores(layer) && context < float_limit &&
         weights.growth * context + weights.offset < float_limit;
}

// Whether all scores of a layer are finite; its maps are those of layer `index`. They are only read if the
// bound above is inconclusive. A score of -infinity would look like a blocked one, and leave the output
// finite.
bool finite_scores(const LayerTrace& layer, const MapSource& maps, int index) {
  if (surely_finite_scores(layer)) return true;
  const auto [layers, heads, n_q, n_k] = maps.size();
  for (int h = 0; h < heads; ++h)
    for (Index begin = 0; begin < n_q; begin += MapSource::rows_at_once) {
      Tensor scores({std::min(MapSource::rows_at_once, n_q - begin), n_k});
      maps.score_rows(index, h, begin, begin + scores.dim(0), scores.data());
      if (!finite(scores)) return false;
    }
  return true;
}

}  // namespace

const PackedLayer& SeededSource::Parameters::layer(int index) const {
  return layers[std::min(static_cast<std::size_t>(index), layers.size() - 1)];
}

const SeededSource::Parameters* SeededSource::drawn_parameters(const Inputs& inputs,
                                                               const ComputeContext& context,
                                                               const std::stop_token& stop) const {
  const std::lock_guard lock(mutex_);
  if (parameters_) return parameters_.get();
  auto drawn = std::make_unique<Parameters>(Parameters{{}, TorchRandom(key_.seed)});
  for (int i = 0; i < (key_.share_layers ? 1 : key_.layers); ++i) {
    if (stop_requested(stop)) return nullptr;
    drawn->layers.push_back(pack_layer(draw_layer(inputs, drawn->random), context));
  }
  parameters_ = std::move(drawn);
  return parameters_.get();
}

std::optional<Linear> SeededSource::projection(BlockKind, int layer, ProjectionKind kind) const {
  const std::lock_guard lock(mutex_);
  if (!parameters_) return {};
  const PackedLayer& packed = parameters_->layer(layer);
  const Dense* const all[] = {&packed.q, &packed.k, &packed.v, &packed.o};
  const Dense& dense = *of_kind(all, kind);
  return Linear{rows_of(dense, 0, dense.out, best_kernels()), dense.bias};
}

bool SeededSource::run_layers(const Inputs& inputs, const RunOptions& options, const Parameters& weights,
                              AttentionRequest& request, const ComputeContext& context,
                              BlockTrace& block) const {
  const MapSource::Size size{block.shape.layers, block.shape.heads, block.n_q(), block.n_k()};
  const bool keeps = keeps_maps(options, size);
  std::vector<SeededMaps::Layer> maps;
  TorchRandom dropout(inputs.dropout_seed);
  for (int i = 0; i < size.layers; ++i) {
    AttentionRule::Dropout draws;
    if (inputs.dropout > 0) draws = draw_dropout(inputs, size, context, dropout, request.dropout);
    request.mask = std::make_shared<const Mask>(block.mask_of(i));
    request.keep_heads = kept_heads(options, keeps, i);
    const PackedLayer& packed = weights.layer(i);
    if (packed.unpacked && size.n_q * size.n_k > Mask::max_bytes)
      throw unable_error("HEADSCOPE_ENGINE=eigen keeps whole maps; expected at most {} tokens",
                         Limits::max_window_tokens);
    if (options.progress)
      request.progress = [&, i](Index done, Index all) {
        options.progress((i + static_cast<double>(done) / static_cast<double>(all)) / size.layers);
      };
    const bool last = i + 1 == size.layers;
    request.maps_alone = options.maps_alone && last && !packed.unpacked;
    request.ablated = ablated_heads(block.interventions, i);
    const bool one_query = last && !packed.unpacked && !request.ablated.mixes_rows();
    request.only_query = one_query ? options.only_query : std::nullopt;
    LayerTrace layer = attend(packed, request, context);
    if (request.maps_alone && !surely_finite(layer, packed, inputs.dropout)) {
      request.maps_alone = false;
      layer = attend(packed, request, context);
    }
    if (stop_requested(request.stop)) return false;
    if (!request.maps_alone && !finite(layer.output)) beyond_float(i, size.layers);
    maps.push_back({{layer.q, layer.k, layer.v, request},
                    std::exchange(layer.weights, {}),
                    std::exchange(layer.kept_heads, {}),
                    std::exchange(layer.extents, {})});
    maps.back().rule.dropout = std::move(draws);
    if (!last || (options.stack_output && size.layers > 1)) {
      Tensor next = next_input(layer, packed, inputs, context, request.stop);
      if (last && !finite(next)) beyond_float(i, size.layers);
      (last ? block.stack_output : request.x) = std::move(next);
    }
    if (!last) {
      if (!inputs.cross()) request.key_x = request.x;
      request.projected.reset();
    }
    block.layers.push_back(std::move(layer));
  }
  block.maps = std::make_shared<SeededMaps>(size, std::move(maps), context);
  for (int i = 0; i < size.layers; ++i)
    if (!finite_scores(block.layers[i], *block.maps, i)) beyond_float(i, size.layers);
  return true;
}

std::shared_ptr<const Trace> SeededSource::run(const Inputs& inputs, const RunOptions& options,
                                               const ComputeContext& context,
                                               const std::stop_token& stop) const {
  const auto start = std::chrono::steady_clock::now();
  auto trace = std::make_shared<Trace>();
  trace->inputs = inputs;
  trace->source = shared_from_this();
  BlockTrace& block = trace->blocks.front();
  begin_block(inputs, options, block);
  if (block.tokens.empty() || block.key_tokens.empty()) return trace;
  if (options.no_layers) {
    draw_vectors_alone(inputs, *trace);
    return trace;
  }
  if (options.forecast) options.forecast(forecast_of_block(inputs, options, block));
  const Parameters* weights = drawn_parameters(inputs, context, stop);
  if (weights == nullptr) return nullptr;
  AttentionRequest request = request_of(inputs, block);
  request.stop = stop;
  prepare_vectors(inputs, options, weights->random, *trace, request);
  if (!run_layers(inputs, options, *weights, request, context, block)) return nullptr;
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
  trace->milliseconds = took.count();
  return trace;
}

}  // namespace headscope
