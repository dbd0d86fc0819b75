#include "core/model/llama_config.h"

#include "core/base/utf8.h"
#include "core/model/rope_config.h"

namespace headscope {
namespace {

using Names = ConfigFields::Names;

/// Key-value heads if omitted in the file: the class default, if compatible with its heads.
Index usual_kv_heads(Index of_class, Index heads) {
  return heads % of_class == 0 ? of_class : heads;
}

struct LlamaDefaults {
  Index vocabulary, d_model, d_ff, layers, heads, kv_heads, positions, head_dim;  // 0: follows from others
};

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
  stack.d_ff = read_inner_width(config, {"intermediate_size"}, usual.d_ff);
  const bool own_head_dim = config.has("head_dim") || (usual.head_dim > 0 && !config.is_null("head_dim"));
  if (own_head_dim)
    model.head_dim = read_width(config, {"head_dim"}, usual.head_dim);
  else
    divide_by_heads(config, widths, heads, model);
  model.positions = read_positions(config, {"max_position_embeddings"}, usual.positions);
  model.position_kind = PositionKind::rotary;
  model.rope = read_rope(config, model.head_dim, model.positions);
  model.norm_epsilon = read_epsilon(config, {"rms_norm_eps"}, 1e-6);
  model.activation = read_activation(config, "hidden_act", "silu");
  model.gated = true;
  model.causal = true;
  model.tie_embeddings = config.flag("tie_word_embeddings", false);
  model.qkv_bias = model.output_bias = config.flag("attention_bias", false);
  model.mlp_bias = config.flag("mlp_bias", false);
}

/// `from`: the first layer with a window, if the file has no list of layers.
void read_windows(const ConfigFields& config, std::optional<Index> window, Index from, ModelConfig& model) {
  const Index layers = model.decoder.layers;
  const std::vector<std::string> types = config.texts("layer_types");
  if (!types.empty() && std::ssize(types) != layers)
    throw config.wrong("{}: {} is {}; expected a list of {}, one for each layer", "layer_types", layers);
  model.sliding_windows.assign(static_cast<std::size_t>(layers), 0);
  for (std::size_t layer = 0; layer < model.sliding_windows.size(); ++layer) {
    const std::string type = !types.empty()                      ? types[layer]
                             : static_cast<Index>(layer) >= from ? "sliding_attention"
                                                                 : "full_attention";
    if (type != "sliding_attention" && type != "full_attention")
      throw input_error("{}: {} is {}; expected one of: {}", config.source(), "layer_types",
                        cut_off(type, 60), "full_attention, sliding_attention");
    if (type == "sliding_attention") model.sliding_windows[layer] = window.value_or(0);
  }
}

std::optional<Index> read_window(const ConfigFields& config, Index fallback) {
  if (config.is_null("sliding_window")) return std::nullopt;
  return read_positions(config, {"sliding_window"}, fallback);
}

/// Only with `use_sliding_window`, starting at some layer.
void read_qwen_windows(const ConfigFields& config, ModelConfig& model) {
  const bool used = config.flag("use_sliding_window", false);
  const std::optional<Index> window = used ? read_window(config, 4096) : std::nullopt;
  read_windows(config, window, config.whole({"max_window_layers"}, 28, 0, ConfigLimits::layers), model);
}

}  // namespace

void read_llama_config(const ConfigFields& config, ModelConfig& model) {
  model.bos_token = 1;
  model.eos_tokens = {2};
  read_llama_like(config, {32000, 4096, 11008, 32, 32, 0, 2048, 0}, model);
}

void read_mistral_config(const ConfigFields& config, ModelConfig& model) {
  model.bos_token = 1;
  model.eos_tokens = {2};
  read_llama_like(config, {32000, 4096, 14336, 32, 32, 8, 131072, 0}, model);
  read_windows(config, read_window(config, 4096), 0, model);
}

void read_qwen2_config(const ConfigFields& config, ModelConfig& model) {
  read_llama_like(config, {151936, 4096, 22016, 32, 32, 32, 32768, 0}, model);
  model.qkv_bias = true;
  model.output_bias = model.mlp_bias = false;
  read_qwen_windows(config, model);
}

void read_qwen3_config(const ConfigFields& config, ModelConfig& model) {
  read_llama_like(config, {151936, 4096, 22016, 32, 32, 32, 32768, 128}, model);
  model.mlp_bias = false;
  model.qk_norm = true;
  read_qwen_windows(config, model);
}

}  // namespace headscope
