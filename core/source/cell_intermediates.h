#pragma once
#include <optional>
#include <vector>

#include "core/base/matrix.h"
#include "core/model/rows/row_intermediates.h"

namespace headscope {

// The intermediates of a cell in a layer. Seeded layers only have the equation; those of trained models also
// have norms, rotary positions and biases.

/// How the scores of one row are computed: scale q · k + bias, for the keys that the query can see; with a
/// cap, cap tanh(scale q · k / cap).
struct RowRule {
  double scale = 1;
  bool by_sqrt_d_k = true;     ///< whether 1 / sqrt(d_k) is part of the scale
  bool own_factor = false;     ///< whether the model has a factor of its own in its place
  double cap = 0;              ///< 0: none
  std::optional<double> sink;  ///< a score of no token, which takes part in the softmax (gpt-oss)
  bool sink_is_key = false;    ///< … and is that of the row's last key: see with_no_token()
  Index layer_divisor = 1;     ///< also part of it: 1 / (layer + 1) (GPT-2), otherwise 1
  Index begin = 0, end = 0;    ///< keys visible by the model's own causality or window
  /// By the distance key - query (Raffel et al. 2020); empty without a relative bias.
  std::vector<Index> buckets;
  bool of_patches = false;     ///< … by how far patches are apart, down and across (BEiT)
  Eigen::RowVectorXd bias;     ///< [n_k]
  double slope = 0;            ///< of a linear bias for each distance (Press et al. 2022)
  bool slope_of_keys = false;  ///< … or for each place of a key, rounded (Falcon)
  /// [n_k] of DeBERTa, with `bias` the sum of all these: the scaled products of the query with the vector of
  /// its distance to each key, and of each key with that; all 0 where the model lacks one of them. Empty for
  /// others.
  Eigen::RowVectorXd to_position, from_position;
  /// [n_k] of XLNet, which has no from_position: the scaled product of the query with the vector of whether
  /// the key is in its segment; empty if tokens have no segments.
  Eigen::RowVectorXd of_segment;
  std::vector<bool> in_segment;     ///< [n_k]
  Index repeated = 0, repeats = 1;  ///< the first keys count so often (BigBird), as `bias` says
  std::vector<Index> distances;     ///< [n_k] of that vector, query - key, in buckets if there are any
};

/// What a row of a layer that pools rows or adds repeated ones is made of (Funnel).
struct MadeRow {
  enum class By { mean, largest, sum } by = By::mean;
  /// [d_model] each; a mean of one row alone is that row, a sum of one alone has no repeated row.
  std::vector<Eigen::RowVectorXd> rows;
};

/// A cell's layer inputs and intermediates. Unknown ones are empty.
struct CellIntermediates {
  Tensor x;                           // [n_q, d_model]  the layer's input
  Tensor key_x;                       // [n_k, d_model]  the keys' input; shares x in self-attention
  Tensor v;                           // [n_k, d_k]      of the head
  Eigen::RowVectorXf q, k;            ///< [d_k]  as multiplied
  Eigen::RowVectorXf concat, output;  ///< [heads d_k], [d_model]  of the query
  /// [d_model]  input of the sublayer after this attention; empty if it is not kept.
  Eigen::RowVectorXf next;

  std::optional<NormedRow> query_norm, key_norm;  ///< before the projections
  /// Of latent attention: the short rows that are projected.
  std::optional<NormedRow> query_latent, key_latent;
  Index shared = 0;                             ///< … and how many components all heads' keys share
  Eigen::RowVectorXd q_projected, k_projected;  ///< [d_k]  outputs of the projections
  bool global = false;                          ///< the query is a global token's, of its own projections
  double limit = 0;                             ///< what those are clamped to (OLMo); 0: not
  Eigen::RowVectorXd v_projected;               ///< [d_k]  if they are, or have a norm
  std::optional<NormedRow> v_norm;              ///< of the key's value, without weights (Gemma 4)
  bool values_are_keys = false;                 ///< W_K gives values, too
  int keys_from = -1;                           ///< the layer whose keys and values are read, if another
  /// What the layer does behind this attention, beside its network: adds vectors of the tokens' own, and a
  /// linear layer's; it multiplies by a number.
  bool layer_embedding = false, laurel = false;
  double layer_factor = 1;
  int streams = 1;                                  ///< that x is predicted from (AltUp)
  std::optional<NormedRow> q_norm, k_norm;          ///< of the head's own row, or of all heads' (OLMo 2)
  Eigen::RowVectorXd q_before_turn, k_before_turn;  ///< [d_k]  the head's own, after norms
  std::optional<RotatedRow> q_turn, k_turn;
  Eigen::RowVectorXd uncapped;          ///< [n_k]  scaled scores before the cap, if there is one
  std::optional<NormedRow> added_norm;  ///< of the output, before it is added to x (Gemma 2, OLMo 2)
  double added_factor = 1;              ///< of the output, before it is added to x (Granite)
  /// [d_model]  what the state beside the attention adds to x, too (Falcon-H1); empty: there is none.
  Eigen::RowVectorXd beside;
  double key_factor = 1;    ///< of the key's projection
  double input_factor = 1;  ///< that the gain of the norm before the projections has in it
  bool parallel = false;    ///< the feed-forward network reads x, too
  /// Of the query's row, where the feed-forward network has experts: their numbers and weights.
  std::vector<std::pair<Index, float>> experts;
  Index expert_count = 0;
  bool shared_expert = false;            ///< one more, which every token takes
  bool feed_forward_norm = true;         ///< what the feed-forward network reads is normed first
  std::optional<NormedRow> output_norm;  ///< of x + output, for post-norm models
  Eigen::RowVectorXf gate;               ///< [d_v]  of the head, behind its sigmoid; empty: none (Qwen3-Next)
  /// Of a layer whose heads have a state: the cell of its map, and the map's row [n_k].
  std::optional<StateCell> state;
  Eigen::RowVectorXd map_row;
  std::optional<MadeRow> made_of;  ///< the query's row, before this layer (Funnel)
  bool head_off = false;           ///< the head is ablated: `concat` has other values in its place
};

}  // namespace headscope
