#include "core/model/config/config_llama.h"

#include <cmath>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/base/utf8.h"
#include "core/model/config/config_readers.h"
#include "core/model/config/llama_like.h"

// As in config_families.cpp.

namespace headscope {
namespace {

/// Only with `use_sliding_window`.
void read_qwen_windows(const ConfigFields& config, const std::function<bool(Index layer)>& local,
                       ModelConfig& model) {
  const bool used = config.flag("use_sliding_window", false);
  read_windows(config, used ? read_window(config, 4096) : std::nullopt, local, model);
}

/// The layer with which the windows begin, or before which they end.
Index max_window_layers(const ConfigFields& config, Index usual = 28) {
  return config.whole({"max_window_layers"}, usual, 0, 1000);
}
std::function<bool(Index layer)> from_max_window_layers(const ConfigFields& config, Index usual = 28) {
  return [first = max_window_layers(config, usual)](Index layer) { return layer >= first; };
}

/// In place of 1 / √d_k, unless it is the same.
void set_score_factor(double factor, ModelConfig& model) {
  const double usual = 1 / std::sqrt(model.head_dim);
  if (std::abs(factor / usual - 1) > 1e-9) model.score_factor = factor;
}

}  // namespace

void read_llama_config(const ConfigFields& config, ModelConfig& model) {
  model.bos_token = 1;
  model.eos_tokens = {2};
  read_llama_like(config, {32000, 4096, 11008, 32, 32, 0, 2048, 0}, model);
}

namespace {

// Mistral AI 2025.
void read_ministral3_config(const ConfigFields& config, ModelConfig& model) {
  read_llama_like(
      config, {131072, 4096, 14336, 34, 32, 8, 262144, 128, {.theta = 1e6, .grows_queries = true}}, model);
  model.norm_epsilon = read_epsilon(config, {"rms_norm_eps"}, 1e-5);
  model.qkv_bias = model.output_bias = model.mlp_bias = false;
  const bool window = config.has("sliding_window");
  read_windows(config, window ? read_window(config, 1) : std::nullopt, every_layer, model);
  model.pad_token = 11;
}

}  // namespace

void read_mistral_config(const ConfigFields& config, ModelConfig& model) {
  model.bos_token = 1;
  model.eos_tokens = {2};
  if (config.text({"model_type"}, "") == "ministral3") return read_ministral3_config(config, model);
  read_llama_like(config, {32000, 4096, 14336, 32, 32, 8, 131072, 0}, model);
  read_windows(config, read_window(config, 4096), every_layer, model);
}

void read_qwen2_config(const ConfigFields& config, ModelConfig& model) {
  read_llama_like(config, {151936, 4096, 22016, 32, 32, 32, 32768, 0}, model);
  model.qkv_bias = true;
  model.output_bias = model.mlp_bias = false;
  read_qwen_windows(config, from_max_window_layers(config), model);
}

void read_qwen3_config(const ConfigFields& config, ModelConfig& model) {
  read_llama_like(config, {151936, 4096, 22016, 32, 32, 32, 32768, 128}, model);
  model.mlp_bias = false;
  model.qk_norm = QkNorm::head;
  read_qwen_windows(config, from_max_window_layers(config), model);
}

// Wang et al. 2024; Bai et al. 2025. Positions of patches have three axes; a text's are the same in all.
void read_qwen2_vl_config(const ConfigFields& config, ModelConfig& model) {
  read_llama_like(config, {152064, 8192, 29568, 80, 64, 8, 32768, 0, {.theta = 1e6, .has_axes = true}},
                  model);
  model.norm_epsilon = read_epsilon(config, {"rms_norm_eps"}, 1e-5);
  model.qkv_bias = true;
  model.output_bias = model.mlp_bias = false;
  constexpr Index usual_layers = 80;
  read_qwen_windows(config, from_max_window_layers(config, usual_layers), model);
}

void read_qwen3_vl_config(const ConfigFields& config, ModelConfig& model) {
  read_llama_like(config, {151936, 4096, 22016, 32, 32, 32, 128000, 128, {.theta = 5e5}}, model);
  model.mlp_bias = false;
  model.qk_norm = QkNorm::head;
}

// Gunasekar et al. 2023; Li et al. 2023; Phi-2.
void read_phi_config(const ConfigFields& config, ModelConfig& model) {
  read_llama_like(config, {51200, 2048, 8192, 24, 32, 0, 2048, 0, {.partial = 0.5, .reads_partial = true}},
                  model);
  model.norm_epsilon = read_epsilon(config, {"layer_norm_eps"}, 1e-5);
  model.activation = read_activation(config, "hidden_act", "gelu_new");
  model.gated = false;
  model.qkv_bias = model.output_bias = model.mlp_bias = true;
  model.qk_norm = config.flag("qk_layernorm", false) ? QkNorm::head : QkNorm::none;
  model.bos_token = 1;
  model.eos_tokens = {2};
  set_parallel(model);
}

// Tow et al. 2023; Bellagente et al. 2024.
void read_stablelm_config(const ConfigFields& config, ModelConfig& model) {
  const RopeDefaults rope{.partial = 0.25, .reads_partial = true, .partial_name = "rope_pct"};
  read_llama_like(config, {50304, 2560, 6912, 32, 32, 32, 4096, 0, rope}, model);
  model.norm_epsilon = read_epsilon(config, {"layer_norm_eps", "norm_eps"}, 1e-5);
  model.qkv_bias = config.flag("use_qkv_bias", false);
  model.output_bias = model.mlp_bias = false;
  model.qk_norm = config.flag("qk_layernorm", false) ? QkNorm::own : QkNorm::none;
  model.bos_token = 0;
  model.eos_tokens = {0};
  if (config.flag("use_parallel_residual", false)) set_parallel(model);
}

namespace {

Activation read_gemma_activation(const ConfigFields& config, ModelFamily family) {
  constexpr const char *usual = "gelu_pytorch_tanh", *first = "hidden_act";
  if (family != ModelFamily::gemma) return read_activation(config, "hidden_activation", usual);
  // Version 5 of transformers computes and writes the older field of Gemma 1 alone; files before it that say
  // gelu there mean its form with tanh.
  if (config.text({"transformers_version"}, "").starts_with("5"))
    return read_activation(config, first, usual);
  if (config.has("hidden_activation")) return read_activation(config, "hidden_activation", usual);
  if (config.text({first}, usual) == "gelu") return Activation::gelu_tanh;
  return read_activation(config, first, usual);
}

}  // namespace

void read_gemma_like(const ConfigFields& config, const LlamaDefaults& usual, ModelConfig& model) {
  read_llama_like(config, usual, model);
  model.activation = read_gemma_activation(config, model.family);
  model.mlp_bias = false;
  model.norm_offset = 1;
  model.embedding_factor = std::sqrt(model.d_model);
  model.tie_embeddings = config.flag("tie_word_embeddings", true);
  model.pad_token = 0;
  model.bos_token = 2;
  model.eos_tokens = {1};
}

namespace {

/// What Gemma 2 and 3 have in addition; null or absent caps of Gemma 3 are none.
void read_gemma2_like(const ConfigFields& config, double score_cap, double logit_cap, ModelConfig& model) {
  const auto cap = [&](const char* name, double usual) {
    return config.is_null(name) || (usual == 0 && !config.has(name)) ? 0 : read_factor(config, name, usual);
  };
  model.score_cap = cap("attn_logit_softcapping", score_cap);
  model.logit_cap = cap("final_logit_softcapping", logit_cap);
  set_score_factor(1 / std::sqrt(read_factor(config, "query_pre_attn_scalar", 256)), model);
}

/// transformers' implementations disagree. PaliGemma's files have the flag, which is about its pictures: a
/// text alone is causal.
void expect_one_direction(const ConfigFields& config, const ModelConfig& model) {
  if (model.text_part_of == nullptr) expect_not_set(config, "use_bidirectional_attention");
}

}  // namespace

// Gemma Team 2024.
void read_gemma_config(const ConfigFields& config, ModelConfig& model) {
  read_gemma_like(config, {256000, 3072, 24576, 28, 16, 16, 8192, 256}, model);
  expect_one_direction(config, model);
}

void read_gemma2_config(const ConfigFields& config, ModelConfig& model) {
  read_gemma_like(config, {256000, 2304, 9216, 26, 8, 4, 8192, 256}, model);
  expect_one_direction(config, model);
  read_gemma2_like(config, 50, 30, model);
  read_windows(config, read_window(config, 4096), all_but_each(2), model);
}

// Gemma Team 2025.
void read_gemma3_config(const ConfigFields& config, ModelConfig& model) {
  const RopeDefaults rope{.theta = 1e6, .layer_type = "full_attention"};
  read_gemma_like(config, {262208, 2304, 9216, 26, 8, 4, 131072, 256, rope}, model);
  read_gemma2_like(config, 0, 0, model);
  model.score_cap = 0;  // transformers' class has the field and does not use it
  model.qk_norm = QkNorm::head;
  const Index every = config.whole({"sliding_window_pattern", "_sliding_window_pattern"}, 6, 1, 1000);
  const std::optional<Index> window = read_window(config, 4096);
  // EmbeddingGemma; the window then is a whole one, half of it to either side.
  const bool both = config.flag("use_bidirectional_attention", false);
  if (both && model.text_part_of != nullptr) expect_not_set(config, "use_bidirectional_attention");
  read_windows(config, both && window ? std::optional(*window / 2 + 1) : window, all_but_each(every), model);
  if (both) model.causal = false;
  model.local_rope = read_local_rope(config, model.head_dim, model.positions, rope);
}

// Groeneveld et al. 2024.
void read_olmo_config(const ConfigFields& config, ModelConfig& model) {
  read_llama_like(config, {50304, 4096, 11008, 32, 32, 0, 2048, 0}, model);
  model.norm_epsilon = 1e-5;
  model.norm_weights = model.mlp_bias = false;
  if (config.has("clip_qkv")) model.qkv_limit = read_factor(config, "clip_qkv", 1);
  model.pad_token = 1;
  model.eos_tokens = {50279};
}

// OLMo Team 2025.
void read_olmo2_config(const ConfigFields& config, ModelConfig& model) {
  read_llama_like(config, {50304, 4096, 11008, 32, 32, 0, 2048, 0}, model);
  model.norm_epsilon = read_epsilon(config, {"rms_norm_eps"}, 1e-5);
  model.mlp_bias = false;
  model.qk_norm = QkNorm::all_heads;
  model.pad_token = 1;
  model.eos_tokens = {50279};
}

// Granite Team 2024.
void read_granite_config(const ConfigFields& config, ModelConfig& model) {
  read_llama_like(config, {32000, 4096, 11008, 32, 32, 0, 2048, 0}, model);
  model.embedding_factor = read_factor(config, "embedding_multiplier", 1);
  model.residual_factor = read_factor(config, "residual_multiplier", 1);
  model.output_factor = 1 / read_factor(config, "logits_scaling", 1);
  set_score_factor(read_factor(config, "attention_multiplier", 1), model);
  model.bos_token = 1;
  model.eos_tokens = {2};
}

void read_granite_moe_config(const ConfigFields& config, ModelConfig& model) {
  read_granite_config(config, model);
  model.mlp_bias = false;
  model.experts = read_experts(config, {"num_local_experts"}, 8, 2, model);
}

// Bakouch et al. 2025; layers without positions: Yang et al. 2025.
void read_smollm3_config(const ConfigFields& config, ModelConfig& model) {
  read_llama_like(config, {128256, 2048, 11008, 36, 16, 4, 32768, 0, {.theta = 2e6}}, model);
  model.tie_embeddings = config.flag("tie_word_embeddings", true);
  const Index layers = model.decoder.layers, every = config.whole({"no_rope_layer_interval"}, 4, 1, 1000);
  const std::vector<Index> with_rope = config.tokens("no_rope_layers");
  if (!with_rope.empty() && std::ssize(with_rope) != layers)
    throw config.wrong("{}: {} is {}; expected a list of {}, one for each layer", "no_rope_layers", layers);
  const auto all_but = all_but_each(every);
  for (Index layer = 0; layer < layers; ++layer)
    model.layers_without_rope.push_back(with_rope.empty() ? !all_but(layer) : with_rope[layer] == 0);
  const bool used = config.flag("use_sliding_window", false) && config.has("sliding_window");
  read_windows(
      config, used ? read_window(config, 4096) : std::nullopt,
      [&](Index layer) { return model.layers_without_rope[layer]; }, model);
  model.pad_token = 128004;
  model.bos_token = 128000;
  model.eos_tokens = {128001};
}

// Abdin et al. 2024.
void read_phi3_config(const ConfigFields& config, ModelConfig& model) {
  // The first files said yarn, and meant longrope.
  read_llama_like(config,
                  {32064, 3072, 8192, 32, 32, 0, 4096, 0, {.reads_partial = true, .longrope_name = "yarn"}},
                  model);
  model.norm_epsilon = read_epsilon(config, {"rms_norm_eps"}, 1e-5);
  model.qkv_bias = model.output_bias = model.mlp_bias = false;
  const bool window = config.has("sliding_window");
  read_windows(config, window ? read_window(config, 4096) : std::nullopt, every_layer, model);
  model.pad_token = 32000;
  model.bos_token = 1;
  model.eos_tokens = {32000};
}

namespace {

void read_cohere_like(const ConfigFields& config, const LlamaDefaults& usual, ModelConfig& model) {
  read_llama_like(config, usual, model);
  model.norm_epsilon = read_epsilon(config, {"layer_norm_eps"}, 1e-5);
  model.norm_bias = model.mlp_bias = false;
  model.rope->in_pairs = true;
  model.output_factor = read_factor(config, "logit_scale", 0.0625);
  model.tie_embeddings = config.flag("tie_word_embeddings", true);
  model.pad_token = 0;
  model.bos_token = 5;
  model.eos_tokens = {255001};
  set_parallel(model);
}

}  // namespace

// Cohere 2024.
void read_cohere_config(const ConfigFields& config, ModelConfig& model) {
  read_cohere_like(config, {256000, 8192, 22528, 40, 64, 0, 8192, 0, {.theta = 5e5}}, model);
  model.qk_norm = config.flag("use_qk_norm", false) ? QkNorm::own : QkNorm::none;
}

// Cohere 2025: only layers with a window have positions.
void read_cohere2_config(const ConfigFields& config, ModelConfig& model) {
  read_cohere_like(config, {256000, 8192, 22528, 40, 64, 0, 8192, 0}, model);
  const Index every = config.whole({"sliding_window_pattern", "_sliding_window_pattern"}, 4, 1, 1000);
  read_windows(config, read_window(config, 4096), all_but_each(every), model);
  for (const Index window : model.sliding_windows) model.layers_without_rope.push_back(window == 0);
}

// Jiang et al. 2024.
void read_mixtral_config(const ConfigFields& config, ModelConfig& model) {
  read_llama_like(config, {32000, 4096, 14336, 32, 32, 8, 131072, 0, {.theta = 1e6}}, model);
  model.norm_epsilon = read_epsilon(config, {"rms_norm_eps"}, 1e-5);
  model.qkv_bias = model.output_bias = model.mlp_bias = false;
  const bool window = config.has("sliding_window");
  read_windows(config, window ? read_window(config, 4096) : std::nullopt, every_layer, model);
  model.experts = read_experts(config, {"num_local_experts"}, 8, 2, model);
  model.bos_token = 1;
  model.eos_tokens = {2};
}

namespace {

/// Phi-MoE's own factor of cos and sin, of short and of long texts.
void read_mscales(const ConfigFields& config, Rope& rope) {
  if (rope.scaling == RopeScaling::none) return;
  const auto newer = config.object("rope_parameters"), older = config.object("rope_scaling");
  const ConfigFields& fields = newer ? *newer : *older;
  if (rope.scaling != RopeScaling::longrope)
    throw fields.wrong("{}: {} is {}; expected one of: {}", fields.has("rope_type") ? "rope_type" : "type",
                       "default, longrope");
  rope.attention_factor = read_factor(fields, "short_mscale", 1);
  for (const char* name : {"short_mscale", "long_mscale"})
    if (!fields.has(name) || read_factor(fields, name, 1) != rope.attention_factor)
      throw fields.wrong("{}: {} is {}; expected a number, the same in short_mscale and long_mscale", name);
}

}  // namespace

// Abdin et al. 2024.
void read_phimoe_config(const ConfigFields& config, ModelConfig& model) {
  read_llama_like(config, {32064, 4096, 6400, 32, 32, 8, 131072, 0, {.theta = 1e6}}, model);
  read_mscales(config, *model.rope);
  model.norm_epsilon = read_epsilon(config, {"rms_norm_eps"}, 1e-5);
  model.mlp_bias = false;
  const bool window = config.has("sliding_window");
  read_windows(config, window ? read_window(config, 4096) : std::nullopt, every_layer, model);
  model.experts = read_experts(config, {"num_local_experts"}, 16, 2, model);
  if (model.experts->of_token != 2) throw config.wrong("{}: {} is {}; expected {}", "num_experts_per_tok", 2);
  model.experts->near_share = 2 * read_factor(config, "router_jitter_noise", 0.01);
  model.bos_token = 1;
  model.eos_tokens = {2};
}

// Qwen Team 2024.
void read_qwen2_moe_config(const ConfigFields& config, ModelConfig& model) {
  read_llama_like(config, {151936, 2048, 5632, 24, 16, 16, 32768, 0}, model);
  model.qkv_bias = config.flag("qkv_bias", true);
  model.output_bias = model.mlp_bias = false;
  read_qwen_windows(
      config, [last = max_window_layers(config)](Index layer) { return layer % 2 == 0 && layer < last; },
      model);
  read_qwen_experts(config, 60, 4, 1408, model);
  model.experts->shared_d_ff = read_inner_width(config, {"shared_expert_intermediate_size"}, 5632);
}

// Qwen Team 2025.
void read_qwen3_moe_config(const ConfigFields& config, ModelConfig& model) {
  read_llama_like(config, {151936, 2048, 6144, 24, 32, 4, 32768, 0}, model);
  model.mlp_bias = false;
  model.qk_norm = QkNorm::head;
  read_qwen_windows(config, every_layer, model);
  read_qwen_experts(config, 128, 8, 768, model);
}

}  // namespace headscope
