#include "core/model/config/config_newer.h"

#include <cmath>
#include <nlohmann/json.hpp>

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

// OpenAI 2025.
void read_gpt_oss_config(const ConfigFields& config, ModelConfig& model) {
  constexpr Index original = 4096;
  read_llama_like(config, {201088, 2880, 2880, 36, 64, 8, 131072, 64, {.theta = 1.5e5}}, model);
  if (!config.has("rope_parameters") && !config.has("rope_scaling")) {
    model.rope->scaling = RopeScaling::yarn;
    model.rope->factor = 32;
    model.rope->original_positions = original;
    model.rope->truncate = false;
    model.rope->attention_factor = 0.1 * std::log(model.rope->factor) + 1;
  }
  model.norm_epsilon = read_epsilon(config, {"rms_norm_eps"}, 1e-5);
  model.qkv_bias = model.output_bias = config.flag("attention_bias", true);
  model.mlp_bias = false;
  model.sinks = true;
  const auto window = read_window(config, 128);
  if (!window)
    throw config.wrong("{}: {} is {}; expected a number above {}, at most {}", "sliding_window", 0,
                       model.positions);
  read_windows(config, window, all_but_each(2), model);
  model.experts = read_experts(config, {"num_local_experts", "num_experts"}, 128, 4, model);
  model.experts->biased = true;
  constexpr double usual_limit = 7;
  model.experts->limit = usual_limit;
  if (config.above_zero({"swiglu_limit"}, usual_limit, 1e6) != usual_limit)
    throw config.wrong("{}: {} is {}; expected {}", "swiglu_limit", usual_limit);
}

namespace {

/// Which experts, and how they are chosen: by default `count`, of whom a token takes `of_token`.
void read_deepseek_experts(const ConfigFields& config, Index count, Index of_token, Index shared, Index dense,
                           Index d_ff, ModelConfig& model) {
  constexpr Index most = 10'000;
  Experts experts = read_experts(config, {"n_routed_experts", "num_local_experts"}, count, of_token, model);
  experts.d_ff = read_inner_width(config, {"moe_intermediate_size"}, d_ff);
  experts.shared_d_ff = experts.d_ff * config.whole({"n_shared_experts"}, shared, 1, most);
  experts.shared_plain = true;
  experts.normalized = false;
  const Index first = config.whole({"first_k_dense_replace"}, dense, 0, most);
  for (std::size_t layer = 0; layer < experts.layers.size(); ++layer)
    experts.layers[layer] = static_cast<Index>(layer) >= first;
  if (config.whole({"moe_layer_freq"}, 1, 1, most) != 1)
    throw config.wrong("{}: {} is {}; expected {}", "moe_layer_freq", 1);
  model.experts = experts;
}

/// Chosen in the best of some groups.
void read_expert_groups(const ConfigFields& config, Index groups, Index of_token, ModelConfig& model) {
  Experts& experts = *model.experts;
  experts.groups = config.whole({"n_group"}, groups, 1, experts.count);
  config.expect_multiple({"n_routed_experts"}, experts.count, {"n_group"}, experts.groups);
  if (experts.sigmoid && experts.count < 2 * experts.groups)
    throw config.wrong("{}: {} is {}; expected at most {}", "n_group", experts.count / 2);
  experts.groups_of_token =
      config.whole({"topk_group"}, std::min(of_token, experts.groups), 1, experts.groups);
  const Index among = experts.count / experts.groups * experts.groups_of_token;
  if (experts.of_token > among)
    throw config.wrong("{}: {} is {}; expected at most {}", "num_experts_per_tok", among);
}

/// A flag of the models' first code that their classes in transformers lack.
void expect_text(const ConfigFields& config, const char* name, const char* expected) {
  if (config.text({name}, expected) != expected)
    throw config.wrong("{}: {} is {}; expected {}", name, expected);
}

// DeepSeek-AI 2024.
void read_latent(const ConfigFields& config, const LlamaDefaults& usual, ModelConfig& model) {
  read_llama_like(config, usual, model);
  if (model.decoder.kv_heads != model.decoder.heads)
    throw config.wrong("{}: {} is {}; expected {}", "num_key_value_heads", model.decoder.heads);
  Latent& latent = model.latent.emplace();
  latent.query_rank = config.is_null("q_lora_rank") ? 0 : read_width(config, {"q_lora_rank"}, 1536);
  latent.rank = read_width(config, {"kv_lora_rank"}, 512);
  latent.rotated = read_width(config, {"qk_rope_head_dim"}, usual.head_dim);
  latent.d_v = read_width(config, {"v_head_dim"}, 128);
  latent.biased = model.output_bias;
  model.qkv_bias = false;
  const Index own = read_width(config, {"qk_nope_head_dim"}, 128);
  model.head_dim = own + latent.rotated;
  model.rope = read_rope(config, latent.rotated, model.positions, usual.rope);
  model.rope->first_dimension = own;
  model.rope->in_pairs = true;
}

}  // namespace

void read_deepseek_v2_config(const ConfigFields& config, ModelConfig& model) {
  read_latent(config, {32000, 4096, 11008, 32, 32, 0, 2048, 64}, model);
  read_deepseek_experts(config, 64, 6, 2, 0, 1407, model);
  expect_text(config, "scoring_func", "softmax");
  const std::string method = config.text({"topk_method"}, "greedy");
  if (method == "group_limited_greedy")
    read_expert_groups(config, 1, 1, model);
  else if (method != "greedy")
    throw config.wrong("{}: {} is {}; expected one of: {}", "topk_method", "greedy, group_limited_greedy");
  model.experts->factor = read_factor(config, "routed_scaling_factor", 1);
  model.bos_token = 1;
  model.eos_tokens = {2};
}

void read_deepseek_v3_config(const ConfigFields& config, ModelConfig& model) {
  read_latent(config, {129280, 7168, 18432, 61, 128, 0, 4096, 64}, model);
  model.mlp_bias = false;
  model.rope->in_pairs = config.flag("rope_interleave", true);
  read_deepseek_experts(config, 256, 8, 1, 3, 2048, model);
  expect_text(config, "scoring_func", "sigmoid");
  expect_text(config, "topk_method", "noaux_tc");
  model.experts->sigmoid = true;
  model.experts->normalized = config.flag("norm_topk_prob", true);
  read_expert_groups(config, 8, 4, model);
  model.experts->factor = read_factor(config, "routed_scaling_factor", 2.5);
  // Also of the scores, whatever multiplies cos and sin.
  const auto older = config.object("rope_scaling"), newer = config.object("rope_parameters");
  const auto& rope = newer ? newer : older;
  if (model.rope->scaling != RopeScaling::none && rope && rope->has("mscale_all_dim")) {
    const double by = rope->json().at("mscale_all_dim").is_number()
                          ? rope->json().at("mscale_all_dim").get<double>()
                          : 0,
                 grown = model.rope->factor <= 1 ? 1 : 0.1 * by * std::log(model.rope->factor) + 1;
    if (by != 0) model.score_factor = grown * grown / std::sqrt(model.head_dim);
  }
  model.bos_token = 0;
  model.eos_tokens = {1};
}

}  // namespace headscope
