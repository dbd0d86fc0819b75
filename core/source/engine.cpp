#include "core/source/engine.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <utility>

#include "core/attention/forward.h"
#include "core/attention/residual.h"
#include "core/base/error.h"
#include "core/inputs/cost.h"
#include "core/model/seeded_layer.h"
#include "core/model/token_vectors.h"

namespace headscope {
namespace {

// The fields that the parameters depend on; the others as they are by default.
Inputs parameter_fields(const Inputs& inputs) {
  Inputs key;
  key.d_model = inputs.d_model;
  key.heads = inputs.heads;
  key.seed = inputs.seed;
  key.weights = inputs.weights;
  key.sigma = inputs.sigma;
  key.manual_weights = inputs.manual_weights;
  key.kv_heads = inputs.kv_heads;
  key.layers = inputs.layers;
  key.share_layers = inputs.share_layers;
  key.feed_forward = inputs.feed_forward;
  return key;
}

struct Parameters {
  Inputs key;
  std::vector<PackedLayer> layers;  // one if they are shared
  TorchRandom random;               // as the draws have left it

  const PackedLayer& layer(int index) const {
    return layers[std::min(static_cast<std::size_t>(index), layers.size() - 1)];
  }
};

// What X depends on, and X.
struct CachedVectors {
  Inputs key;
  std::vector<std::string> texts, key_texts;  // empty strings where only their number matters
  TokenVectors vectors;
};

std::vector<std::string> texts_of(const Inputs& inputs, const std::vector<Token>& tokens) {
  std::vector<std::string> texts(tokens.size());
  if (inputs.vectors == VectorKind::embedding)
    std::transform(tokens.begin(), tokens.end(), texts.begin(),
                   [](const Token& token) { return token.text; });
  return texts;
}

// NaN and infinities are told, not shown.
void check_finite(const Tensor& output, int layer, int layers) {
  const float* values = output.data();
  if (std::all_of(values, values + output.size(), [](float v) { return std::isfinite(v); })) return;
  throw input_error(
      "layer {} of {}: the numbers grow beyond float32's range; layer_norm or smaller gains and sigma keep "
      "them in it",
      layer + 1, layers);
}

void check_length(const char* field, std::size_t tokens) {
  if (tokens > Limits::max_tokens)
    throw input_error("{} has {} tokens; at most {} can be shown", field, tokens, Limits::max_tokens);
}

std::vector<Token> tokenize(const char* field, const std::string& sentence) {
  std::vector<Token> tokens = words(sentence);
  check_length(field, tokens.size());
  return tokens;
}

std::size_t map_bytes(const Inputs& inputs, Index n_q, Index n_k) {
  return 2 * sizeof(float) * static_cast<std::size_t>(inputs.heads) * static_cast<std::size_t>(n_q * n_k);
}

}  // namespace

struct Engine::State {
  State(int count, BufferPool pool) : threads(count), memory(std::move(pool)) {}

  ThreadPool threads;
  BufferPool memory;
  const Kernels& kernels = best_kernels();
  const ComputeEngine engine = asked_engine();
  std::optional<Parameters> parameters;
  std::optional<CachedVectors> vectors;

  ComputeContext context() { return {kernels, threads, memory, engine}; }

  // False if stopped.
  bool prepare(const Inputs& inputs, const std::stop_token& stop) {
    Inputs key = parameter_fields(inputs);
    if (parameters && parameters->key == key) return true;
    parameters.reset();
    Parameters drawn{std::move(key), {}, TorchRandom(inputs.seed)};
    for (int i = 0; i < (inputs.share_layers ? 1 : inputs.layers); ++i) {
      if (stop.stop_requested()) return false;
      drawn.layers.push_back(pack_layer(draw_layer(inputs, drawn.random), context()));
    }
    parameters = std::move(drawn);
    return true;
  }

  void draw_vectors(Trace& trace);
  AttentionRequest request(const Trace& trace, const std::stop_token& stop) const;
  bool run_layers(Trace& trace, const RunOptions& options, const std::stop_token& stop);
  void describe(Trace& trace, const LayerTrace& layer);
};

void Engine::State::draw_vectors(Trace& trace) {
  const Inputs& inputs = trace.inputs;
  Inputs key = parameters->key;
  key.vectors = inputs.vectors;
  key.positions = inputs.positions;
  if (inputs.cross()) key.key_sentence = "";
  auto texts = texts_of(inputs, trace.tokens), key_texts = texts_of(inputs, trace.key_tokens);
  if (!vectors || vectors->key != key || vectors->texts != texts || vectors->key_texts != key_texts) {
    vectors.reset();
    TorchRandom random = parameters->random;
    vectors = {std::move(key), std::move(texts), std::move(key_texts),
               draw_token_vectors(inputs, trace.tokens, trace.key_tokens, random)};
  }
  trace.x = vectors->vectors.x;
  trace.key_x = vectors->vectors.key_x;
}

AttentionRequest Engine::State::request(const Trace& trace, const std::stop_token& stop) const {
  const Inputs& inputs = trace.inputs;
  AttentionRequest request;
  request.heads = inputs.heads;
  request.kv_heads = inputs.key_value_heads();
  request.gain_q = static_cast<float>(inputs.gain_q);
  request.gain_k = static_cast<float>(inputs.gain_k);
  request.scale = inputs.scale ? static_cast<float>(1 / std::sqrt(static_cast<double>(trace.d_k()))) : 1.0F;
  request.inverse_temperature = static_cast<float>(1 / inputs.temperature);
  request.mask = &trace.mask;
  request.fill = inputs.mask_fill == MaskFill::minus_1e9 ? -1e9F : -std::numeric_limits<float>::infinity();
  request.stop = stop;
  return request;
}

bool Engine::State::run_layers(Trace& trace, const RunOptions& options, const std::stop_token& stop) {
  const Inputs& inputs = trace.inputs;
  const bool keep_all =
      map_bytes(inputs, trace.n_q(), trace.n_k()) * static_cast<std::size_t>(inputs.layers) <=
      options.map_budget;
  AttentionRequest attention = request(trace, stop);
  attention.x = trace.x;
  attention.key_x = trace.key_x;
  TorchRandom dropout(inputs.dropout_seed);
  for (int i = 0; i < inputs.layers; ++i) {
    if (inputs.dropout > 0) {
      attention.dropout = memory.take({inputs.heads, trace.n_q(), trace.n_k()});
      // PyTorch's inverted scaling; where nothing is kept its 0 / 0 would be NaN, and is 0 here.
      const double kept = 1 - inputs.dropout;
      dropout.bernoulli(attention.dropout.data(), attention.dropout.size(), kept,
                        kept > 0 ? static_cast<float>(1 / kept) : 0.0F);
    }
    LayerTrace layer = attend(parameters->layer(i), attention, context());
    if (stop.stop_requested()) return false;
    check_finite(layer.output, i, inputs.layers);
    describe(trace, layer);
    if (!keep_all && i != std::min(options.layer, inputs.layers - 1)) layer.scores = layer.weights = Tensor();
    if (i + 1 < inputs.layers) {
      attention.x = next_input(layer, parameters->layer(i), inputs, context(), stop);
      if (!inputs.cross()) attention.key_x = attention.x;
    }
    trace.layers.push_back(std::move(layer));
  }
  return true;
}

void Engine::State::describe(Trace& trace, const LayerTrace& layer) {
  std::vector<HeadStatistics> statistics(static_cast<std::size_t>(trace.inputs.heads));
  std::vector<Extent> extents(statistics.size());
  const TokenMatches matches(trace.tokens, trace.key_tokens);
  threads.run(trace.inputs.heads, ThreadPool::Schedule::dynamic, [&](Index h, int) noexcept {
    const int head = static_cast<int>(h);
    statistics[static_cast<std::size_t>(h)] =
        head_statistics(layer.weights.at(h), trace.mask.head(head), matches);
    extents[static_cast<std::size_t>(h)] =
        extent(layer.weights.at(h), trace.mask.head(head), trace.n_q() * trace.n_k());
  });
  trace.statistics.push_back(std::move(statistics));
  trace.extents.push_back(std::move(extents));
}

Engine::Engine(int threads, BufferPool memory)
    : state_(std::make_unique<State>(threads, std::move(memory))) {}
Engine::~Engine() = default;

std::shared_ptr<const Trace> Engine::run(const Inputs& inputs, const RunOptions& options,
                                         std::stop_token stop) {
  const auto start = std::chrono::steady_clock::now();
  validate(inputs);
  auto trace = std::make_shared<Trace>();
  trace->inputs = inputs;
  trace->tokens = tokenize("sentence", inputs.sentence);
  trace->key_tokens = inputs.cross() ? tokenize("key_sentence", *inputs.key_sentence) : trace->tokens;
  if (trace->tokens.empty() || trace->key_tokens.empty()) return trace;
  trace->mask = build_mask(inputs.mask, trace->tokens, trace->key_tokens, inputs.heads);
  if (!state_->prepare(inputs, stop)) return nullptr;
  state_->draw_vectors(*trace);
  if (!state_->run_layers(*trace, options, stop)) return nullptr;
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
  trace->milliseconds = took.count();
  return trace;
}

double Engine::expected_milliseconds(const Inputs& inputs, Index n_q, Index n_k) const {
  // Typical of two recent cores, in operations or elements a millisecond.
  constexpr double products = 60e6, statistics = 1e6, draws = 150e3;
  const double n = static_cast<double>(n_q * n_k) * inputs.heads * inputs.layers;
  double expected = static_cast<double>(multiply_count(inputs, n_q, n_k)) / products + n / statistics;
  expected += static_cast<double>((n_q + n_k) * inputs.d_model) / draws;
  if (!state_->parameters || state_->parameters->key != parameter_fields(inputs))
    expected += static_cast<double>(parameter_count(inputs)) / draws;
  return expected;
}

int Engine::threads() const {
  return state_->threads.size();
}

}  // namespace headscope
