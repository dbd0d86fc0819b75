#include "core/model/config/config_newer.h"

#include "core/model/config/config_llama.h"
#include "core/model/config/llama_like.h"

// As in config_families.cpp.

namespace headscope {

// Arcee AI 2025.
void read_arcee_config(const ConfigFields& config, ModelConfig& model) {
  read_llama_like(config, {32000, 2560, 18432, 32, 32, 0, 4096, 0}, model);
  model.norm_epsilon = read_epsilon(config, {"rms_norm_eps"}, 1e-5);
  model.activation = read_activation(config, "hidden_act", "relu2");
  model.gated = false;
  model.bos_token = 128000;
  model.eos_tokens = {128001};
}

// ByteDance Seed Team 2025.
void read_seed_oss_config(const ConfigFields& config, ModelConfig& model) {
  read_llama_like(config, {155136, 4096, 27648, 64, 80, 8, 524288, 128}, model);
  model.qkv_bias = config.flag("attention_bias", true);
  model.output_bias = config.flag("attention_out_bias", false);
  model.pad_token = 1;
  model.bos_token = 0;
  model.eos_tokens = {2};
}

// Baidu ERNIE Team 2025.
void read_ernie_config(const ConfigFields& config, ModelConfig& model) {
  read_llama_like(config, {103424, 1024, 3072, 18, 16, 2, 131072, 128, {.theta = 5e5}}, model);
  model.norm_epsilon = read_epsilon(config, {"rms_norm_eps"}, 1e-5);
  model.rope->in_pairs = true;
  model.qkv_bias = model.output_bias = model.mlp_bias = config.flag("use_bias", false);
  model.tie_embeddings = config.flag("tie_word_embeddings", true);
  model.pad_token = 0;
  model.bos_token = 1;
  model.eos_tokens = {2};
}

// Kyutai 2025.
void read_helium_config(const ConfigFields& config, ModelConfig& model) {
  read_llama_like(config, {48000, 2560, 7040, 24, 20, 20, 4096, 128, {.theta = 1e5}}, model);
  model.norm_epsilon = read_epsilon(config, {"rms_norm_eps"}, 1e-8);
  model.rope->in_pairs = true;
  model.output_bias = false;
  model.pad_token = 3;
  model.bos_token = 1;
  model.eos_tokens = {2};
}

// FAIR CodeGen Team 2025.
void read_cwm_config(const ConfigFields& config, ModelConfig& model) {
  read_llama_like(config, {128256, 6144, 21504, 64, 48, 8, 131072, 128, {.theta = 1e6}}, model);
  if (!config.has("rope_parameters") && !config.has("rope_scaling")) {
    model.rope->scaling = RopeScaling::llama3;
    model.rope->theta = 1e6;
    model.rope->factor = 16;
    model.rope->original_positions = 8192;
  }
  model.norm_epsilon = read_epsilon(config, {"rms_norm_eps"}, 1e-5);
  model.qkv_bias = model.output_bias = false;
  read_windows(
      config, read_window(config, 8192), [](Index layer) { return layer % 4 != 0; }, model);
  model.bos_token = 128000;
  model.eos_tokens = {128001, 128008, 128009};
}

// GLM Team 2024; GLM 4 has norms behind the sublayers, too.
void read_glm_config(const ConfigFields& config, ModelConfig& model) {
  read_llama_like(
      config, {151552, 4096, 13696, 40, 32, 2, 131072, 128, {.partial = 0.5, .reads_partial = true}}, model);
  model.norm_epsilon = read_epsilon(config, {"rms_norm_eps"}, 1.5625e-7);
  model.rope->in_pairs = true;
  model.qkv_bias = config.flag("attention_bias", true);
  model.output_bias = model.mlp_bias = false;
  model.pad_token = 151329;
  model.eos_tokens = {151329, 151336, 151338};
}

// Lozhkov et al. 2024.
void read_starcoder2_config(const ConfigFields& config, ModelConfig& model) {
  read_llama_like(config, {49152, 3072, 12288, 30, 24, 2, 4096, 0}, model);
  model.norm_epsilon = read_epsilon(config, {"norm_epsilon"}, 1e-5);
  model.activation = read_activation(config, "hidden_act", "gelu_pytorch_tanh");
  model.gated = false;
  model.qkv_bias = model.output_bias = model.mlp_bias = config.flag("use_bias", true);
  model.tie_embeddings = config.flag("tie_word_embeddings", true);
  const bool window = config.has("sliding_window");
  read_windows(config, window ? read_window(config, 1) : std::nullopt, every_layer, model);
  model.bos_token = 50256;
  model.eos_tokens = {50256};
}

// OLMo Team 2025.
void read_olmo3_config(const ConfigFields& config, ModelConfig& model) {
  read_olmo2_config(config, model);
  read_windows(config, read_window(config, 4096), all_but_each(4), model);
}

// Muennighoff et al. 2024.
void read_olmoe_config(const ConfigFields& config, ModelConfig& model) {
  read_llama_like(config, {50304, 2048, 2048, 16, 16, 0, 4096, 0}, model);
  model.norm_epsilon = read_epsilon(config, {"rms_norm_eps"}, 1e-5);
  model.mlp_bias = false;
  model.qk_norm = QkNorm::all_heads;
  // It would clamp what the norms give, not what they read.
  if (config.has("clip_qkv"))
    throw config.wrong("{}: {} is {}; expected null: it is not supported", "clip_qkv");
  model.experts = read_experts(config, {"num_experts", "num_local_experts"}, 64, 8, model);
  model.experts->normalized = config.flag("norm_topk_prob", false);
  model.pad_token = 1;
  model.eos_tokens = {50279};
}

// LG AI Research 2025: where there are windows, only layers with one have positions.
void read_exaone4_config(const ConfigFields& config, ModelConfig& model) {
  read_llama_like(config, {102400, 4096, 16384, 32, 32, 32, 2048, 0}, model);
  model.norm_epsilon = read_epsilon(config, {"rms_norm_eps"}, 1e-5);
  model.qkv_bias = model.output_bias = model.mlp_bias = false;
  model.qk_norm = QkNorm::head;
  const bool listed = config.has("layer_types");
  const Index every = listed ? 4 : config.whole({"sliding_window_pattern"}, 4, 1, 1000);
  const std::optional<Index> window = read_window(config, 4096);
  read_windows(config, window, all_but_each(every), model);
  for (const Index width : model.sliding_windows) model.layers_without_rope.push_back(window && width == 0);
  model.bos_token = 0;
  model.eos_tokens = {2};
}

// Parmar et al. 2024.
void read_nemotron_config(const ConfigFields& config, ModelConfig& model) {
  read_llama_like(config, {256000, 6144, 24576, 32, 48, 0, 4096, 0, {.partial = 0.5, .reads_partial = true}},
                  model);
  model.norm_epsilon = read_epsilon(config, {"norm_eps"}, 1e-5);
  model.norm_offset = 1;
  model.activation = read_activation(config, "hidden_act", "relu2");
  model.gated = false;
  model.bos_token = 2;
  model.eos_tokens = {3};
}

}  // namespace headscope
