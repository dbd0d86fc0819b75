#include "core/model/config/config_hybrid.h"

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/utf8.h"
#include "core/model/config/config_llama.h"
#include "core/model/config/llama_like.h"

// As in config_families.cpp.

namespace headscope {
namespace {

/// ModelConfig::mixers, by the list of layers' types or, without one, by `attends`.
void read_mixers(const ConfigFields& config, const char* attention, const char* other, Mixer mixer,
                 const std::function<bool(Index layer)>& attends, ModelConfig& model) {
  const Index layers = model.decoder.layers;
  const std::vector<std::string> types = config.texts("layer_types");
  if (!types.empty() && std::ssize(types) != layers)
    throw config.wrong("{}: {} is {}; expected a list of {}, one for each layer", "layer_types", layers);
  for (Index layer = 0; layer < layers; ++layer) {
    const std::string type = !types.empty() ? types[layer] : attends(layer) ? attention : other;
    if (type != attention && type != other)
      throw input_error("{}: {} is {}; expected one of: {}", config.file(), "layer_types", cut_off(type, 60),
                        std::string(attention) + ", " + other);
    model.mixers.push_back(type == attention ? Mixer::softmax : mixer);
  }
}

/// The activation of the mixers is not a choice of the files that there are.
void expect_silu(const ConfigFields& config) {
  if (read_activation(config, "hidden_act", "silu") != Activation::silu)
    throw config.wrong("{}: {} is {}; expected {}", "hidden_act", "silu");
}

// Yang et al. 2025.
void read_delta_rule(const ConfigFields& config, ModelConfig& model) {
  StateMixer& mixer = model.state_mixer.emplace();
  mixer.heads = read_heads(config, {"linear_num_value_heads"}, 32);
  mixer.groups = read_heads(config, {"linear_num_key_heads"}, 16);
  config.expect_multiple({"linear_num_value_heads"}, mixer.heads, {"linear_num_key_heads"}, mixer.groups);
  mixer.d_k = read_width(config, {"linear_key_head_dim"}, 128);
  mixer.d_v = read_width(config, {"linear_value_head_dim"}, 128);
  mixer.taps = config.whole({"linear_conv_kernel_dim"}, 4, 1, 1000);
  expect_silu(config);
  const Index every = config.whole({"full_attention_interval"}, 4, 1, 1000);
  const auto linear = all_but_each(every);
  read_mixers(
      config, "full_attention", "linear_attention", Mixer::delta_rule,
      [&](Index layer) { return !linear(layer); }, model);
}

void read_qwen_hybrid(const ConfigFields& config, const LlamaDefaults& usual, ModelConfig& model) {
  read_llama_like(config, usual, model);
  model.mlp_bias = false;
  model.qk_norm = QkNorm::head;
  model.norm_offset = 1;
  model.gated_heads = true;
  read_delta_rule(config, model);
}

void read_hybrid_experts(const ConfigFields& config, Index count, Index of_token, ModelConfig& model) {
  read_qwen_experts(config, count, of_token, 512, model);
  model.experts->normalized = config.flag("norm_topk_prob", true);
  model.experts->shared_d_ff = read_inner_width(config, {"shared_expert_intermediate_size"}, 512);
}

constexpr RopeDefaults quarter{.partial = 0.25, .reads_partial = true};

}  // namespace

// Qwen Team 2025.
void read_qwen3_next_config(const ConfigFields& config, ModelConfig& model) {
  read_qwen_hybrid(config, {151936, 2048, 5632, 48, 16, 2, 32768, 256, quarter}, model);
  read_hybrid_experts(config, 512, 10, model);
}

// Qwen Team 2026.
void read_qwen3_5_config(const ConfigFields& config, ModelConfig& model) {
  if (config.text({"model_type"}, "") != "qwen3_5_moe_text")
    return read_qwen_hybrid(config, {248320, 4096, 12288, 32, 16, 4, 32768, 256, quarter}, model);
  read_qwen_hybrid(config, {248320, 2048, 512, 40, 16, 2, 32768, 256, quarter}, model);
  read_hybrid_experts(config, 256, 8, model);
  model.experts->normalized = true;
  model.experts->layers.assign(model.decoder.layers, true);
}

namespace {

/// The width of the feed-forward network: two thirds of what the file says, rounded up.
Index lfm2_width(const ConfigFields& config, Index stated) {
  if (!config.flag("block_auto_adjust_ff_dim", true)) return stated;
  Index width = 2 * stated / 3;
  if (config.is_null("block_ffn_dim_multiplier")) return width;
  const double factor = read_factor(config, "block_ffn_dim_multiplier", 1);
  const Index of = config.whole({"block_multiple_of"}, 256, 1, 1 << 20);
  width = static_cast<Index>(factor * static_cast<double>(width));
  return (width + of - 1) / of * of;
}

}  // namespace

// Liquid AI 2025.
void read_lfm2_config(const ConfigFields& config, ModelConfig& model) {
  read_llama_like(config, {65536, 2560, 12288, 32, 32, 8, 128000, 0, {.theta = 1e6}}, model);
  model.decoder.d_ff =
      lfm2_width(config, read_inner_width(config, {"block_ff_dim", "intermediate_size"}, 12288));
  model.norm_epsilon = read_epsilon(config, {"norm_eps"}, 1e-5);
  model.activation = Activation::silu;
  model.qkv_bias = model.output_bias = model.mlp_bias = false;
  model.qk_norm = QkNorm::head;
  model.tie_embeddings = config.flag("tie_embedding", config.flag("tie_word_embeddings", true));
  const std::vector<Index> attending = config.tokens("full_attn_idxs");
  const bool listed = config.has("full_attn_idxs");
  read_mixers(
      config, "full_attention", "conv", Mixer::short_convolution,
      [&](Index layer) { return !listed || std::ranges::find(attending, layer) != attending.end(); }, model);
  if (std::ranges::find(model.mixers, Mixer::softmax) == model.mixers.end())
    throw config.wrong("{}: {} is {}; expected attention in at least one layer", "layer_types");
  StateMixer& mixer = model.state_mixer.emplace();
  mixer.kind = Mixer::short_convolution;
  mixer.taps = config.whole({"conv_L_cache"}, 3, 1, 1000);
  mixer.bias = mixer.taps_bias = mixer.output_bias = config.flag("conv_bias", false);
  model.pad_token = 0;
  model.bos_token = 1;
  model.eos_tokens = {2};
}

namespace {

/// What steps are clamped to, as transformers writes it: [0.0, {"__float__": "Infinity"}].
void read_step_limits(const ConfigFields& config, StateMixer& mixer) {
  if (!config.has("time_step_limit")) return;
  const nlohmann::json& limits = config.json().at("time_step_limit");
  const auto wrong = [&] {
    return config.wrong("{}: {} is {}; expected two numbers, the second above the first", "time_step_limit");
  };
  if (!limits.is_array() || limits.size() != 2 || !limits[0].is_number()) throw wrong();
  mixer.smallest_step = limits[0].get<double>();
  if (limits[1].is_object() && limits[1].value("__float__", "") == "Infinity") return;
  if (!limits[1].is_number() || !(limits[1].get<double>() > mixer.smallest_step)) throw wrong();
  mixer.largest_step = limits[1].get<double>();
}

// Dao and Gu 2024.
StateMixer& read_mamba2(const ConfigFields& config, Index inner, ModelConfig& model) {
  StateMixer& mixer = model.state_mixer.emplace();
  mixer.kind = Mixer::mamba2;
  mixer.heads = read_heads(config, {"mamba_n_heads"}, 128);
  mixer.groups = read_heads(config, {"mamba_n_groups"}, 1);
  config.expect_multiple({"mamba_n_heads"}, mixer.heads, {"mamba_n_groups"}, mixer.groups);
  mixer.d_k = read_width(config, {"mamba_d_state"}, 256);
  const bool automatic = !config.has("mamba_d_head") || config.json().at("mamba_d_head") == "auto";
  mixer.d_v = automatic ? inner / mixer.heads : read_width(config, {"mamba_d_head"}, 1);
  if (mixer.d_v * mixer.heads != inner)
    throw config.wrong("{}: {} is {}; expected a divisor of {}", "mamba_n_heads", inner);
  mixer.taps = config.whole({"mamba_d_conv"}, 4, 1, 1000);
  mixer.taps_bias = config.flag("mamba_conv_bias", true);
  mixer.bias = config.flag("mamba_proj_bias", false);
  expect_silu(config);
  read_step_limits(config, mixer);
  return mixer;
}

Index expanded(const ConfigFields& config, const ModelConfig& model) {
  return config.whole({"mamba_expand"}, 2, 1, 1000) * model.d_model;
}

}  // namespace

// Falcon-LLM Team 2025.
void read_falcon_h1_config(const ConfigFields& config, ModelConfig& model) {
  read_llama_like(config, {128000, 4096, 14336, 32, 32, 8, 8192, 0}, model);
  model.norm_epsilon = read_epsilon(config, {"rms_norm_eps"}, 1e-5);
  const bool stated = !config.is_null("mamba_d_ssm");
  StateMixer& mixer = read_mamba2(
      config, stated ? read_inner_width(config, {"mamba_d_ssm"}, 1024) : expanded(config, model), model);
  mixer.output_bias = config.flag("projectors_bias", false);
  mixer.normed = config.flag("mamba_rms_norm", false);
  mixer.norm_groups = mixer.groups;
  mixer.norm_before_gate = config.flag("mamba_norm_before_gate", true);
  if (config.has("ssm_multipliers"))
    std::ranges::copy(config.factors("ssm_multipliers", 5), mixer.factors.begin());
  mixer.input_factor = read_factor(config, "ssm_in_multiplier", 1);
  mixer.output_factor = read_factor(config, "ssm_out_multiplier", 1);
  model.mixer_beside = true;
  model.key_factor = read_factor(config, "key_multiplier", 1);
  model.attention_input_factor = read_factor(config, "attention_in_multiplier", 1);
  model.attention_output_factor = read_factor(config, "attention_out_multiplier", 1);
  if (config.has("mlp_multipliers")) {
    const std::vector<double> factors = config.factors("mlp_multipliers", 2);
    model.gate_factor = factors[0];
    model.network_factor = factors[1];
  }
  model.embedding_factor = read_factor(config, "embedding_multiplier", 1);
  model.output_factor = read_factor(config, "lm_head_multiplier", 1);
  model.pad_token = 0;
  model.bos_token = 1;
  model.eos_tokens = {2};
}

// Granite Team 2025.
void read_granite_hybrid_config(const ConfigFields& config, ModelConfig& model) {
  read_granite_config(config, model);
  model.mlp_bias = false;
  StateMixer& mixer = read_mamba2(config, expanded(config, model), model);
  mixer.output_bias = mixer.bias;
  mixer.norm_before_gate = false;
  read_mixers(
      config, "attention", "mamba", Mixer::mamba2, [](Index) { return false; }, model);
  const std::string positions = config.text({"position_embedding_type"}, "nope");
  if (positions != "rope" && positions != "nope")
    throw config.wrong("{}: {} is {}; expected one of: {}", "position_embedding_type", "rope, nope");
  if (positions == "nope") {
    model.rope.reset();
    model.position_kind = PositionKind::none;
  }
  const Index shared = read_inner_width(config, {"shared_intermediate_size"}, 1024);
  if (config.whole({"num_local_experts"}, 8, 0, 10'000) == 0) {
    model.decoder.d_ff = shared;
    return;
  }
  model.experts = read_experts(config, {"num_local_experts"}, 8, 2, model);
  model.experts->shared_d_ff = shared;
  model.experts->shared_plain = true;
}

}  // namespace headscope
