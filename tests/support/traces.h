// Traces with made-up weights, for what needs no engine.
#pragma once
#include "core/source/trace.h"
#include "tests/support/testing.h"

namespace headscope::tests {

/// The words of a sentence, split at blanks.
inline std::vector<Token> word_tokens(const std::string& sentence) {
  std::vector<Token> tokens;
  for (const std::string& word : split(sentence)) tokens.push_back({word, 0, 0, 0});
  return tokens;
}

/// w0 w1 …
inline std::vector<Token> numbered_tokens(Index count, const std::string& word = "w") {
  return word_tokens(sentence_of(count, word));
}

inline std::vector<MaskPart> mask_parts(const std::vector<std::string>& specs) {
  std::vector<MaskPart> parts;
  for (const std::string& spec : specs) parts.push_back(parse_mask_part(spec));
  return parts;
}

/// Whether a cell of a head is painted, for it or for every head.
inline bool painted_at(const std::vector<PaintedRun>& painting, int head, int query, int key) {
  return std::ranges::any_of(painting, [&](const PaintedRun& run) {
    return (run.head == -1 || run.head == head) && run.query == query && run.key_begin <= key &&
           key < run.key_end;
  });
}

/// A trace whose weights are `weight(layer, head, query, key)`, blocked or not.
template <typename Weight>
std::shared_ptr<Trace> trace_of(std::vector<Token> queries, std::vector<Token> keys, int heads, int layers,
                                const std::vector<MaskPart>& mask, const Weight& weight) {
  auto trace = std::make_shared<Trace>();
  trace->inputs.heads = heads;
  trace->inputs.layers = layers;
  trace->inputs.mask = mask;
  trace->tokens = std::move(queries);
  trace->key_tokens = std::move(keys);
  const Index n_q = trace->n_q(), n_k = trace->n_k();
  if (n_q == 0 || n_k == 0) return trace;
  trace->mask = build_mask(mask, trace->tokens, trace->key_tokens, heads);
  for (int l = 0; l < layers; ++l) {
    LayerTrace& layer = trace->layers.emplace_back();
    layer.weights = Tensor({heads, n_q, n_k});
    float* value = layer.weights.data();
    for (int h = 0; h < heads; ++h)
      for (Index i = 0; i < n_q; ++i)
        for (Index j = 0; j < n_k; ++j) *value++ = weight(l, h, i, j);
    trace->statistics.emplace_back(static_cast<std::size_t>(heads));
  }
  return trace;
}

/// One layer whose heads have these weights, row by row; `blocked` holds for all of them.
inline std::shared_ptr<Trace> trace_of(const std::vector<Token>& queries, const std::vector<Token>& keys,
                                       const std::vector<std::vector<float>>& heads,
                                       std::vector<std::uint8_t> blocked = {}) {
  const auto n_k = std::ssize(keys);
  const auto weight = [&](int, int head, Index i, Index j) {
    return heads[static_cast<std::size_t>(head)].at(static_cast<std::size_t>(i * n_k + j));
  };
  auto trace = trace_of(queries, keys, static_cast<int>(heads.size()), 1, {}, weight);
  if (!blocked.empty()) trace->mask.set_common(std::move(blocked));
  return trace;
}

/// Head h of layer l attends from query i to key (i + h + l) mod n_k with 0.7, the rest evenly. Words are
/// "w0", "w1" …; keys of another number than the queries are "k0" ….
inline std::shared_ptr<const Trace> synthetic_trace(int heads, int n_q, int n_k, int layers = 1,
                                                    const std::vector<MaskPart>& mask = {}) {
  const auto weight = [n_k](int layer, int head, Index i, Index j) {
    return n_k == 1 ? 1.0F : j == (i + head + layer) % n_k ? 0.7F : 0.3F / float(n_k - 1);
  };
  const std::vector<Token> queries = numbered_tokens(n_q),
                           keys = numbered_tokens(n_k, n_q == n_k ? "w" : "k");
  auto trace = trace_of(queries, keys, heads, layers, mask, weight);
  trace->inputs.d_model = heads * 8;
  for (LayerTrace& layer : trace->layers) {
    layer.scores = Tensor({heads, n_q, n_k});
    for (Index at = 0; at < layer.weights.size(); ++at) {
      layer.scores.data()[at] = std::log(layer.weights.data()[at]);
      if (trace->mask.blocked(int(at / n_k / n_q), at / n_k % n_q, at % n_k)) layer.weights.data()[at] = 0;
    }
  }
  return trace;
}

}  // namespace headscope::tests
