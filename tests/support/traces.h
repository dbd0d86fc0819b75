// Synthetic traces, for tests that need no engine.
#pragma once
#include "core/source/trace.h"
#include "tests/support/testing.h"

namespace headscope::tests {

inline std::shared_ptr<const BlockTrace> first_block(std::shared_ptr<const Trace> trace) {
  const BlockKind kind = trace->blocks.front().shape.kind;
  return block_of(std::move(trace), kind);
}

/// [heads, n_q, n_k] of a layer.
inline Tensor weights(const Trace& trace, int index) {
  const MapSource::Size& size = trace.blocks.front().maps->size();
  Tensor all({size.heads, size.n_q, size.n_k});
  for (int h = 0; h < size.heads; ++h) trace.blocks.front().maps->rows(index, h, 0, size.n_q, all.at(h));
  return all;
}
inline Tensor scores(const Trace& trace, int index) {
  const MapSource::Size& size = trace.blocks.front().maps->size();
  Tensor all({size.heads, size.n_q, size.n_k});
  for (int h = 0; h < size.heads; ++h)
    trace.blocks.front().maps->score_rows(index, h, 0, size.n_q, all.at(h));
  return all;
}

/// The words of a sentence, split at spaces.
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

/// Synthetic maps in memory: weights [heads, n_q, n_k] of each layer, and scores if there are any.
class SyntheticMaps : public MapSource {
 public:
  using MapSource::MapSource;
  void rows(int layer, int head, Index begin, Index end, float* out) const override {
    copy(weights, layer, head, begin, end, out);
  }
  bool score_rows(int layer, int head, Index begin, Index end, float* out) const override {
    if (scores.empty()) return false;
    copy(scores, layer, head, begin, end, out);
    return true;
  }

  std::vector<Tensor> weights, scores;  ///< one per layer

 private:
  void copy(const std::vector<Tensor>& maps, int layer, int head, Index begin, Index end, float* out) const {
    const float* map = maps[static_cast<std::size_t>(layer)].at(head);
    std::copy(map + begin * size().n_k, map + end * size().n_k, out);
  }
};

/// A trace whose weights are `weight(layer, head, query, key)`, and 0 where blocked with `masked`; their
/// logarithms are the scores.
template <typename Weight>
std::shared_ptr<Trace> trace_of(std::vector<Token> queries, std::vector<Token> keys, int heads, int layers,
                                const std::vector<MaskPart>& mask, const Weight& weight,
                                bool masked = false) {
  auto trace = std::make_shared<Trace>();
  trace->inputs.heads = heads;
  trace->inputs.layers = layers;
  trace->inputs.mask = mask;
  BlockTrace& block = trace->blocks.front();
  block.shape.layers = layers;
  block.shape.heads = block.shape.kv_heads = heads;
  block.interventions.mask = mask;
  block.tokens = std::move(queries);
  block.key_tokens = std::move(keys);
  const Index n_q = block.n_q(), n_k = block.n_k();
  if (n_q == 0 || n_k == 0) return trace;
  block.mask = build_mask(mask, block.tokens, block.key_tokens, heads);
  const auto maps = std::make_shared<SyntheticMaps>(MapSource::Size{layers, heads, n_q, n_k});
  for (int l = 0; l < layers; ++l) {
    maps->weights.emplace_back(Tensor({heads, n_q, n_k}));
    maps->scores.emplace_back(Tensor({heads, n_q, n_k}));
    Index at = 0;
    for (int h = 0; h < heads; ++h)
      for (Index i = 0; i < n_q; ++i)
        for (Index j = 0; j < n_k; ++j, ++at) {
          const float w = weight(l, h, i, j);
          maps->scores.back().data()[at] = std::log(w);
          maps->weights.back().data()[at] = masked && block.mask.blocked(h, i, j) ? 0 : w;
        }
  }
  block.maps = maps;
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
  if (!blocked.empty()) trace->blocks.front().mask.set_common(std::move(blocked));
  return trace;
}

/// A source of another kind: maps of an encoder, of its decoder and across, each with its own shape.
inline std::shared_ptr<const Trace> three_blocks() {
  const auto weight = [](int layer, int head, Index i, Index j) {
    return static_cast<float>((i * 31 + j * 37 + head * 11 + layer * 7) % 101 + 1) / 102;
  };
  const std::vector<Token> source = word_tokens("the cat sat down"), target = word_tokens("an old dog");
  auto trace = trace_of(source, source, 3, 2, {}, weight);
  trace->blocks.push_back(
      trace_of(target, target, 2, 2, mask_parts({"causal"}), weight, true)->blocks.front());
  trace->blocks.push_back(trace_of(target, source, 4, 1, {}, weight)->blocks.front());
  for (std::size_t i = 0; i < 3; ++i)
    trace->blocks[i].shape.kind = std::array{BlockKind::encoder, BlockKind::decoder, BlockKind::cross}[i];
  trace->blocks[1].shape.causal = true;
  return trace;
}

/// `strength` on key (i + h + l) mod n_k for query i of head h of layer l, the rest evenly.
inline float shifted_weight(Index n_k, int layer, int head, Index i, Index j, float strength = 0.7F) {
  if (n_k == 1) return 1;
  return j == (i + head + layer) % n_k ? strength : (1 - strength) / float(n_k - 1);
}

/// Weights are shifted_weight(). Words are "w0", "w1" …; if there are more or fewer keys than queries, keys
/// are "k0" ….
inline std::shared_ptr<const Trace> synthetic_trace(int heads, int n_q, int n_k, int layers = 1,
                                                    const std::vector<MaskPart>& mask = {}) {
  const auto weight = [n_k](int layer, int head, Index i, Index j) {
    return shifted_weight(n_k, layer, head, i, j);
  };
  const std::vector<Token> queries = numbered_tokens(n_q),
                           keys = numbered_tokens(n_k, n_q == n_k ? "w" : "k");
  auto trace = trace_of(queries, keys, heads, layers, mask, weight, true);
  trace->inputs.d_model = heads * 8;
  trace->blocks.front().shape.d_model = heads * 8;
  trace->blocks.front().shape.d_k = 8;
  return trace;
}

}  // namespace headscope::tests
