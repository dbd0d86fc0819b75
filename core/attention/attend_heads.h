#pragma once
#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

#include "core/attention/compute_context.h"
#include "core/attention/layer_trace.h"
#include "core/attention/mask.h"

namespace headscope {

/// Rows of several heads [heads, n, d]: those of a head follow each other, heads are `stride` floats apart.
struct HeadRows {
  const float* data = nullptr;
  Index heads = 0, n = 0, d = 0, stride = 0;

  HeadRows() = default;
  HeadRows(const float* rows, Index head_count, Index row_count, Index width, Index head_stride)
      : data(rows), heads(head_count), n(row_count), d(width), stride(head_stride) {}
  explicit HeadRows(const Tensor& tensor)
      : HeadRows(tensor.data(), tensor.dim(0), tensor.dim(1), tensor.dim(2), tensor.dim(1) * tensor.dim(2)) {}
  const float* at(Index head) const { return data + head * stride; }
};

/// Products of queries and keys with vectors of relative positions, which are part of the scores (He et al.
/// 2021, DeBERTa).
struct PositionTerms {
  Tensor of_queries;          // [heads, rows of q, vectors]  scaled; empty: none
  Tensor of_keys;             // [heads, n_k, vectors]  scaled; empty: none
  std::vector<Index> places;  ///< by key - query: the vector of that distance
  Index zero = 0;             ///< of `places`, or of `vectors`, where key = query
  /// In place of those where each distance has a vector, so that there are too many products to keep (XLNet).
  Tensor vectors;               // [heads, distances key - query, d_k]  in keys
  Tensor queries;               // [heads, rows of q, d_k]  scaled
  Tensor of_segments;           // [heads, rows of q, 2]  for keys in the query's segment, and others
  std::vector<Index> segments;  ///< of each key; empty: no such products
  /// Of queries that are pooled from the keys, or stand with them for several tokens (Funnel): their
  /// segments, empty if they are the keys'; keys from one query to the next; tokens from one key to the next;
  /// keys that the first query is before the first key.
  std::vector<Index> query_segments;
  Index keys_of_query = 1, tokens_of_key = 1, before = 0;
  std::optional<Index> everyone;  ///< the segment that all others are in (Funnel)
  bool first_apart = false;       ///< the first query and the first key have none of these products (Funnel)

  Index place(Index query, Index key) const { return places[key - query + zero]; }
  /// What the query in this row of q, at position `query` of the text, adds to the score of a key.
  float of_query(Index head, Index row, Index query, Index key) const {
    return of_queries.empty() ? 0 : of_queries.at(head)[row * of_queries.dim(2) + place(query, key)];
  }
  float of_key(Index head, Index query, Index key) const {
    return of_keys.empty() ? 0 : of_keys.at(head)[key * of_keys.dim(2) + place(query, key)];
  }
  bool apart(Index query, Index key) const { return first_apart && (query == 0 || key == 0); }
  /// Of computed vectors: query - key, in tokens.
  Index distance(Index query, Index key) const {
    return tokens_of_key * (keys_of_query * query - before - key);
  }
  bool in_segment(Index query, Index key) const {
    const Index own = (query_segments.empty() ? segments : query_segments)[query], other = segments[key];
    return own == other || own == everyone || other == everyone;
  }
  float of_segment(Index head, Index row, Index query, Index key) const {
    return segments.empty() || apart(query, key)
               ? 0
               : of_segments.at(head)[2 * row + (in_segment(query, key) ? 0 : 1)];
  }
  /// Adds the products with `vectors` for keys begin, begin + step, … before `end` to the scores of a row.
  void add_products(Index head, Index row, Index query, Index begin, Index end, float* scores,
                    const Kernels& kernels, Index step = 1) const;
  /// … and all that there is.
  void add(Index head, Index row, Index query, Index begin, Index end, float* scores, const Kernels& kernels,
           Index step = 1) const;
};

/// Keys and values that some queries have for themselves (Beltagy et al. 2020, Longformer's global tokens).
struct OwnKeys {
  std::vector<Index> queries;  ///< their positions in the text, ascending
  Tensor k, v;                 // [kv_heads, n_k, d_k]
};

/// Keys [0, keys) count `times` times for queries [first_query, end_query), as if they were there so often.
struct RepeatedKeys {
  Index first_query = 0, end_query = 0, keys = 0, times = 1;
};

/// How scores of queries and keys become weights: softmax(mask(scale q·k + bias) / T), then dropout (Vaswani
/// et al. 2017, equation 1); with a cap, of cap tanh(scale q·k / cap). With a sink each row has one more
/// score, of no key: what it takes goes to no token, and the weights sum to less than 1. The model's own
/// visibility (causal, window) is a range of keys rather than a mask: it cannot be switched off, and nothing
/// outside it is computed.
struct AttentionRule {
  float scale = 1;                ///< 1 / sqrt(d_k), or 1 without it
  float cap = 0;                  ///< 0: none
  float inverse_temperature = 1;  ///< applied after the mask
  bool causal = false;            ///< keys up to the query itself
  Index window = 0;               ///< and less than so far away, to either side; 0: all
  Index first_query = 0;          ///< position in the text of the first row of q
  Tensor bias;                    // [heads, distances] by key - query; or as `bias_step` says; empty: none
  Index bias_zero = 0;            ///< column of `bias` where the first query has key 0
  Index bias_step = -1;  ///< from there to the next query's; 0: [heads, n_k] of all; n_k: [heads, n_q n_k]
  std::shared_ptr<const PositionTerms> positions;  ///< added to the scaled scores, too; null: none
  RepeatedKeys repeated;                           ///< by the logarithm of how often, after the temperature
  std::shared_ptr<const OwnKeys> own_keys;         ///< null: all queries have the same keys
  Tensor sinks;                                    // [heads] before T; empty: none
  std::shared_ptr<const Mask> mask;                ///< of all queries of the text; null: none
  float fill = -INFINITY;                          ///< what blocked scores count as: -infinity or -1e9
  /// Writes the dropout factors of a head's rows [begin, end), 0 or 1 / (1 - p), to `factors` [end - begin,
  /// n_k]; empty: none. Thread-safe.
  using Dropout = std::function<void(Index head, Index begin, Index end, float* factors)>;
  Dropout dropout;

  struct Keys {
    Index begin = 0, end = 0;
  };
  float sink(Index head) const { return sinks.empty() ? -INFINITY : sinks.data()[head]; }
  /// Where a query's bias begins, to be added from key 0 on.
  const float* bias_row(Index head, Index query) const {
    return bias.at(head) + bias_zero + bias_step * query;
  }
  /// What the query at a position of the text has for itself, or nullptr.
  const OwnKeys* own_keys_of(Index query) const {
    return own_keys && std::ranges::binary_search(own_keys->queries, query) ? own_keys.get() : nullptr;
  }
  /// What repeated keys add to their scores for a query; 0: nothing.
  float repeats(Index query) const {
    if (query < repeated.first_query || query >= repeated.end_query) return 0;
    return std::log(static_cast<float>(repeated.times)) / inverse_temperature;
  }
  /// Adds it to the scores of keys begin, begin + step, … before `end`.
  void add_repeats(Index query, Index begin, Index end, float* scores, Index step = 1) const {
    const float added = repeats(query);
    for (Index key = begin; added != 0 && key < std::min(end, repeated.keys); key += step) *scores++ += added;
  }
  /// Caps `n` scaled scores in place, each by itself.
  void apply_cap(float* scores, Index n) const {
    for (Index i = 0; cap > 0 && i < n; ++i) scores[i] = cap * std::tanh(scores[i] / cap);
  }
  /// The range of n_k keys seen by the query at a position of the text.
  Keys keys(Index query, Index n_k) const {
    Keys seen{0, n_k};
    const Index end = causal ? query + 1 : window > 0 ? query + window : n_k;
    if (end < n_k) seen.end = end;
    if (window > 0 && query + 1 > window) seen.begin = query + 1 - window;
    return seen;
  }
};

/// If the query at a position of the text has keys of its own, replaces its scaled scores of keys begin,
/// begin + step, … before `end`; q is its row [d].
void score_own_keys(const AttentionRule& rule, Index query, Index kv_head, const float* q, Index d,
                    Index begin, Index end, float* scores, const Kernels& kernels, Index step = 1);

/// Which maps attend_heads() keeps, and what it may leave out.
struct MapRequest {
  bool keep_scores = true;  ///< not for a rule that is causal or has a window
  /// Heads whose scores and weights are kept, ascending; not engaged: all.
  std::optional<std::vector<int>> keep_heads;
  /// Compute only the kept maps: the context stays empty.
  bool maps_alone = false;
  /// Engaged: the context is only needed for this query, that of others is incomplete.
  std::optional<Index> only_query;
  /// Called with the number of finished pieces of the heads' maps, by one thread at a time.
  std::function<void(Index done, Index all)> progress;
};

/// Attention of all heads by the rule: context [n_q, heads d_k] and the requested maps, to `trace`. Head h
/// reads key-value head h kv_heads / heads. The same bits for any number of threads and any request; cells
/// hidden by the rule cost no time. If stopped, the result is incomplete.
void attend_heads(const HeadRows& q, const HeadRows& k, const HeadRows& v, const AttentionRule& rule,
                  const MapRequest& request, LayerTrace& trace, const ComputeContext& compute,
                  const std::stop_token& stop);
/// The context alone, without storing a map. A single query reads keys and values in place; its last bits may
/// differ from those of the same query among others.
Tensor attend_heads(const HeadRows& q, const HeadRows& k, const HeadRows& v, const AttentionRule& rule,
                    const ComputeContext& compute, const std::stop_token& stop = {});

/// Rows [begin, end) of one head's map [n_q, n_k] to `weights` [end - begin, n_k], unless it is nullptr;
/// cells that a query cannot see or that a mask with fill -infinity blocks are exactly 0. Also writes
/// `scores`, unless nullptr: scaled, with bias, before the mask, of all keys; with weights what goes to no
/// token to `no_token` [end - begin]. The same bits as those of attend_heads(). Thread-safe.
void attention_rows(const HeadRows& q, const HeadRows& k, const AttentionRule& rule, Index head, Index begin,
                    Index end, float* weights, float* scores, const Kernels& kernels, BufferPool& memory,
                    float* no_token = nullptr);

/// Q, K and V of one layer as multiplied, after norms and rotation, and the rule that turns them into
/// weights.
struct LayerQkv {
  Tensor q;     // [heads, n_q, d_k]
  Tensor k, v;  // [kv_heads, n_k, d_k]
  AttentionRule rule;
  Tensor gate = {};  // [n_q, heads d_v] that contexts are multiplied by; empty: none

  /// As attention_rows().
  void rows(Index head, Index begin, Index end, float* weights, float* scores, const Kernels& kernels,
            BufferPool& memory, float* no_token = nullptr) const {
    attention_rows(HeadRows(q), HeadRows(k), rule, head, begin, end, weights, scores, kernels, memory,
                   no_token);
  }
};

}  // namespace headscope
