#pragma once
#include <array>
#include <optional>
#include <string_view>

#include "core/model/config/config.h"
#include "core/model/rows/norm.h"

namespace headscope {

// Names of tensors without ".weight" and ".bias". # is replaced by the layer number; where layers are in
// groups (ALBERT), by the group's, and % by the layer's in it.

struct AttentionNames {
  std::string_view q = {}, k = {}, v = {}, o = {};
  std::string_view fused = {};                ///< q, k and v concatenated in one matrix, instead of the three
  std::string_view q_bias = {}, v_bias = {};  ///< beside it, the full names (DeBERTa)
  std::string_view q_norm = {}, k_norm = {};  ///< with @ for the head's number if each has its own tensor
  std::string_view norm = {};                 ///< before or after, see ModelConfig::norm_first
  std::string_view output_norm = {};          ///< of what is added to the stream (Gemma 2, OLMo 2)
  std::string_view position_q = {}, position_k = {};  ///< of relative positions, if not q and k
  /// Full names, as those of q, k, v, o and position_k then are: what queries have for positions and segments
  /// in place of q_bias, and the vectors of segments (XLNet).
  std::string_view position_bias = {}, segment_bias = {}, segments = {};
  std::string_view q_global = {}, k_global = {}, v_global = {};  ///< of global tokens (Longformer)
  std::string_view output_scale = {};  ///< of each component of it, the full name (DINOv2)
  std::string_view sinks = {};         ///< the full name
  /// Of short rows: what gives them, their norms, keys and values of all heads from them, queries.
  std::string_view query_down = {}, query_down_norm = {}, down = {}, down_norm = {}, up = {}, query_up = {};
  /// Instead of `up` as llama.cpp has them: keys' turned, [heads, rank, d_k], and values' [heads, d_v, rank].
  std::string_view key_up = {}, value_up = {};
};
/// Of what is no softmax attention; full names of tensors without ".weight".
struct MixerNames {
  /// One matrix of all that is read: grouped q, k, v and gate (Qwen3-Next), gate, x, B, C and step (Mamba-2),
  /// gate, gate and x (LFM2); or q, k and v, and the gate apart, if there is one of its name.
  std::string_view in = {}, gate = {};
  std::string_view strength_and_decay = {};    ///< of groups, in one matrix (Qwen3-Next); or
  std::string_view strength = {}, decay = {};  ///< apart
  std::string_view convolution = {};
  std::string_view rates = {}, step_bias = {}, skip = {};  ///< A_log, dt_bias, D
  std::string_view heads_norm = {}, o = {}, norm = {};
};
struct FeedForwardNames {
  std::string_view up = {}, gate = {}, down = {};
  std::string_view other_up = {};  ///< its name if there is a gate
  std::string_view fused = {};     ///< the gate and then `up` in one matrix, instead of the two
  std::string_view norm = {};
  std::string_view output_norm = {}, output_scale = {};
  /// Instead of `up`, `gate` and `down` in layers with experts; @ is replaced by the expert's number.
  std::string_view router = {}, expert_up = {}, expert_gate = {}, expert_down = {};
  /// All experts' in one tensor each, the full names, as transformers 5 holds them: [experts, gate and then
  /// up, d_model] and [experts, d_model, d_ff]; the router's name beside those.
  std::string_view experts_fused = {}, experts_down = {}, fused_router = {};
  std::string_view router_bias = {};  ///< the full name, of Experts::sigmoid
  std::string_view shared_up = {}, shared_gate = {}, shared_down = {}, shared_router = {};
  std::string_view shared_fused = {};  ///< the gate and then `up` in one matrix
  /// Of Experts::normed_apart; the scales by their full names.
  std::string_view router_scale = {}, expert_scales = {};
  std::string_view experts_norm = {}, experts_output_norm = {}, shared_output_norm = {};
};
/// See LayerEmbeddings.
struct LayerEmbeddingNames {
  std::string_view gate = {}, project = {}, output_norm = {};
};
/// See AltUp and ModelConfig::laurel_rank.
struct AltUpNames {
  std::string_view prediction = {}, correction = {}, router = {}, router_norm = {};
  std::string_view scale = {};                        ///< the full name
  std::string_view left = {}, right = {}, norm = {};  ///< the linear layer beside attention
  std::string_view split = {}, merge = {};            ///< with # for the stream's number less 1
};
struct StackNames {
  AttentionNames self = {}, cross = {};
  MixerNames mixer = {};
  FeedForwardNames feed_forward = {};
  LayerEmbeddingNames layer_embedding = {};
  AltUpNames alt_up = {};
  std::string_view layer_factor = {};                ///< the full name
  std::string_view first_norm = {}, last_norm = {};  ///< of the embedding, of the last layer's output
  std::string_view relative_bias = {}, relative_bias_of_all = {};  ///< the full names
  std::string_view positions = {}, positions_norm = {};  ///< vectors of relative positions, the full name
  std::string_view convolution = {}, convolution_norm = {};
};
struct EmbeddingNames {
  std::array<std::string_view, 3> words = {};  ///< any of which may replace all; full names, as below
  std::string_view decoder_words = {};
  std::string_view positions = {}, types = {};
  std::string_view decoder_positions = {};  ///< if the two stacks have tables of their own
  std::string_view project_in = {};         ///< from the embedding's width to d_model, if they differ
  /// Of LayerEmbeddings: the table, what gives such vectors from the embedding, its norm.
  std::string_view of_layers = {}, to_layers = {}, layers_norm = {};
};
struct HeadNames {
  std::string_view transform = {}, norm = {};   ///< before the output's matrix
  bool body_transform = false;                  ///< it has the prefix of the body (BERT's pooler)
  std::optional<Activation> activation = {};    ///< after the transform, if not ModelConfig's
  std::string_view project_out = {};            ///< from d_model to the embedding's width, if they differ
  FeedForwardNames network = {};                ///< a whole network and its norm, instead of those (BigBird)
  std::string_view output = {};                 ///< the matrix, if it is not the embedding
  std::string_view other_output = {};           ///< or its other name
  std::string_view second_output = {};          ///< see OutputHead
  std::array<std::string_view, 2> biases = {};  ///< any of them
};

/// Of models that read pictures, and of text towers beside them; full names where there is no ".weight".
struct PictureNames {
  std::string_view patches = {}, positions = {};
  std::string_view class_token = {}, distillation_token = {}, registers = {};
  std::string_view projection = {};
  bool projection_bias = false;
  std::string_view probe = {}, probe_weight = {}, probe_bias = {}, probe_output = {}, probe_norm = {},
                   probe_up = {}, probe_down = {};
  std::string_view similarity_factor = {}, similarity_shift = {};
};

/// Tensor names of a family of models; all numbers are in ModelConfig.
struct Family {
  std::string_view prefix = {};  ///< of all tensors except the head's, in files of a model with a head
  std::array<std::string_view, 5> other_prefixes = {};  ///< in place of it, of the head's too
  Norm::Kind norm = Norm::Kind::layer;
  bool input_rows = false;  ///< weights are stored [in, out]
  EmbeddingNames embedding = {};
  StackNames encoder = {}, decoder = {};
  HeadNames head = {};
  /// Instead of it, see OutputKind.
  HeadNames text_label = {}, token_label = {}, span = {}, replaced = {}, picture_label = {};
  PictureNames picture = {};
};

const Family& family_of(const ModelConfig& config);
/// The names of the head for an output; without `output` if the family has none.
HeadNames head_names(const ModelConfig& config, OutputKind kind);

}  // namespace headscope
