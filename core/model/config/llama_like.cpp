#include "core/model/config/llama_like.h"

namespace headscope {
namespace {

/// Key-value heads if omitted in the file: the class default, if compatible with its heads.
Index usual_kv_heads(Index of_class, Index heads) {
  return heads % of_class == 0 ? of_class : heads;
}

}  // namespace

void read_llama_like(const ConfigFields& config, const LlamaDefaults& usual, ModelConfig& model) {
  const Names widths = {"hidden_size"}, heads = {"num_attention_heads"}, kv_heads = {"num_key_value_heads"};
  read_vocabulary(config, usual.vocabulary, model);
  model.d_model = read_width(config, widths, usual.d_model);
  LayerStack& stack = model.decoder;
  stack.layers = read_layers(config, {"num_hidden_layers"}, usual.layers);
  stack.heads = read_heads(config, heads, usual.heads);
  const bool equal = usual.kv_heads == 0 || config.is_null("num_key_value_heads");
  stack.kv_heads =
      read_heads(config, kv_heads, equal ? stack.heads : usual_kv_heads(usual.kv_heads, stack.heads));
  config.expect_multiple(heads, stack.heads, kv_heads, stack.kv_heads);
  if (usual.d_ff > 0) stack.d_ff = read_inner_width(config, {"intermediate_size"}, usual.d_ff);
  const bool own_head_dim = config.has("head_dim") || (usual.head_dim > 0 && !config.is_null("head_dim"));
  if (own_head_dim)
    model.head_dim = read_width(config, {"head_dim"}, usual.head_dim);
  else
    divide_by_heads(config, widths, heads, model);
  model.positions = read_positions(config, {"max_position_embeddings"}, usual.positions);
  model.position_kind = PositionKind::rotary;
  model.rope = read_rope(config, model.head_dim, model.positions, usual.rope);
  model.norm_epsilon = read_epsilon(config, {"rms_norm_eps"}, 1e-6);
  model.activation = read_activation(config, "hidden_act", "silu");
  model.gated = true;
  model.causal = true;
  model.tie_embeddings = config.flag("tie_word_embeddings", false);
  model.qkv_bias = model.output_bias = config.flag("attention_bias", false);
  model.mlp_bias = config.flag("mlp_bias", false);
}

std::function<bool(Index layer)> all_but_each(Index every) {
  return [every](Index layer) { return (layer + 1) % every != 0; };
}

std::optional<Index> read_window(const ConfigFields& config, Index fallback) {
  if (config.is_null("sliding_window")) return std::nullopt;
  return read_positions(config, {"sliding_window"}, fallback);
}

Experts read_experts(const ConfigFields& config, Names counts, Index count, Index of_token,
                     const ModelConfig& model) {
  constexpr Index most = 10'000;
  Experts experts;
  experts.count = config.whole(counts, count, 1, most);
  experts.of_token =
      config.whole({"num_experts_per_tok"}, std::min(of_token, experts.count), 1, experts.count);
  experts.d_ff = model.decoder.d_ff;
  experts.layers.assign(model.decoder.layers, true);
  return experts;
}

void read_qwen_experts(const ConfigFields& config, Index count, Index of_token, Index d_ff,
                       ModelConfig& model) {
  Experts experts = read_experts(config, {"num_experts", "num_local_experts"}, count, of_token, model);
  experts.d_ff = read_inner_width(config, {"moe_intermediate_size"}, d_ff);
  experts.normalized = config.flag("norm_topk_prob", false);
  const Index step = config.whole({"decoder_sparse_step"}, 1, 1, 1000);
  for (std::size_t layer = 0; layer < experts.layers.size(); ++layer)
    experts.layers[layer] = (static_cast<Index>(layer) + 1) % step == 0;
  for (const Index layer : config.tokens("mlp_only_layers"))
    if (layer < model.decoder.layers) experts.layers[layer] = false;
  model.experts = experts;
}

}  // namespace headscope
