#include "core/model/weights/gguf_model.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <numbers>
#include <span>

#include "core/base/error.h"
#include "core/base/utf8.h"
#include "core/io/gguf_file.h"
#include "core/model/config/config_fields.h"
#include "core/model/config/family.h"
#include "core/model/config/parse_config.h"
#include "core/model/weights/gguf_keys.h"

namespace headscope {
namespace {

using Json = nlohmann::json;

// Names of tensors without ".weight" and ".bias", or whole where only one side has an end; # is a layer's
// number, @ that of a part: of an expert, or of a matrix in a tensor of several.
struct Renamed {
  std::string_view from, to;
};

constexpr Renamed llama_tensors[] = {
    {"token_embd", "model.embed_tokens"},
    {"output_norm", "model.norm"},
    {"output", "lm_head"},
    {"blk.#.attn_norm", "model.layers.#.input_layernorm"},
    {"blk.#.attn_q", "model.layers.#.self_attn.q_proj"},
    {"blk.#.attn_k", "model.layers.#.self_attn.k_proj"},
    {"blk.#.attn_v", "model.layers.#.self_attn.v_proj"},
    {"blk.#.attn_q_norm", "model.layers.#.self_attn.q_norm"},
    {"blk.#.attn_k_norm", "model.layers.#.self_attn.k_norm"},
    {"blk.#.attn_output", "model.layers.#.self_attn.o_proj"},
    {"blk.#.ffn_norm", "model.layers.#.post_attention_layernorm"},
    {"blk.#.ffn_gate", "model.layers.#.mlp.gate_proj"},
    {"blk.#.ffn_up", "model.layers.#.mlp.up_proj"},
    {"blk.#.ffn_down", "model.layers.#.mlp.down_proj"},
};
// In addition to LLaMA's, before which they come.
constexpr auto gemma2_tensors = std::to_array<Renamed>({
    {"blk.#.post_attention_norm", "model.layers.#.post_attention_layernorm"},
    {"blk.#.ffn_norm", "model.layers.#.pre_feedforward_layernorm"},
    {"blk.#.post_ffw_norm", "model.layers.#.post_feedforward_layernorm"},
});
constexpr Renamed phi_tensors[] = {
    {"output_norm", "model.final_layernorm"},
    {"blk.#.attn_output", "model.layers.#.self_attn.dense"},
    {"blk.#.ffn_up", "model.layers.#.mlp.fc1"},
    {"blk.#.ffn_down", "model.layers.#.mlp.fc2"},
};
constexpr Renamed phi3_tensors[] = {
    {"blk.#.attn_qkv", "model.layers.#.self_attn.qkv_proj"},
    {"blk.#.ffn_up", "model.layers.#.mlp.gate_up_proj"},
};

constexpr Renamed glm_tensors[] = {
    {"blk.#.ffn_up", "model.layers.#.mlp.gate_up_proj"},
    {"blk.#.post_attention_norm", "model.layers.#.post_self_attn_layernorm"},
    {"blk.#.post_ffw_norm", "model.layers.#.post_mlp_layernorm"},
};
constexpr Renamed starcoder2_tensors[] = {
    {"blk.#.ffn_up", "model.layers.#.mlp.c_fc"},
    {"blk.#.ffn_down", "model.layers.#.mlp.c_proj"},
};
constexpr Renamed seed_oss_tensors[] = {
    {"blk.#.post_attention_norm", "model.layers.#.post_attention_layernorm"},
};
/// The rows of two tables, those of the first before the others.
template <std::size_t n, std::size_t m>
constexpr std::array<Renamed, n + m> with(const std::array<Renamed, n>& own,
                                          const std::array<Renamed, m>& others) {
  std::array<Renamed, n + m> all{};
  std::ranges::copy(others, std::ranges::copy(own, all.begin()).out);
  return all;
}

constexpr auto layer_embedding_tensors =
    with(std::to_array<Renamed>({
             {"per_layer_token_embd", "model.embed_tokens_per_layer"},
             {"per_layer_model_proj", "model.per_layer_model_projection"},
             {"per_layer_proj_norm", "model.per_layer_projection_norm"},
             {"blk.#.inp_gate", "model.layers.#.per_layer_input_gate"},
             {"blk.#.proj", "model.layers.#.per_layer_projection"},
             {"blk.#.post_norm", "model.layers.#.post_per_layer_input_norm"},
         }),
         gemma2_tensors);
constexpr auto gemma3n_tensors =
    with(std::to_array<Renamed>({
             {"altup_proj.@", "model.altup_projections.@"},
             {"altup_unembd_proj.@", "model.altup_unembed_projections.@"},
             {"blk.#.altup_predict_coef", "model.layers.#.altup.prediction_coefs"},
             {"blk.#.altup_correct_coef", "model.layers.#.altup.correction_coefs"},
             {"blk.#.altup_correct_scale.weight", "model.layers.#.altup.correct_output_scale"},
             {"blk.#.altup_router", "model.layers.#.altup.modality_router"},
             {"blk.#.altup_router_norm", "model.layers.#.altup.router_norm"},
             {"blk.#.laurel_l", "model.layers.#.laurel.linear_left"},
             {"blk.#.laurel_r", "model.layers.#.laurel.linear_right"},
             {"blk.#.laurel_post_norm", "model.layers.#.laurel.post_laurel_norm"},
         }),
         layer_embedding_tensors);
constexpr auto gemma4_tensors =
    with(std::to_array<Renamed>({
             {"blk.#.layer_output_scale.weight", "model.layers.#.layer_scalar"},
             {"blk.#.ffn_gate_inp", "model.layers.#.router.proj"},
             {"blk.#.ffn_gate_inp.scale", "model.layers.#.router.scale"},
             {"blk.#.ffn_gate_up_exps.weight", "model.layers.#.experts.gate_up_proj"},
             {"blk.#.ffn_down_exps.weight", "model.layers.#.experts.down_proj"},
             {"blk.#.ffn_down_exps.scale", "model.layers.#.router.per_expert_scale"},
             {"blk.#.pre_ffw_norm_2", "model.layers.#.pre_feedforward_layernorm_2"},
             {"blk.#.post_ffw_norm_1", "model.layers.#.post_feedforward_layernorm_1"},
             {"blk.#.post_ffw_norm_2", "model.layers.#.post_feedforward_layernorm_2"},
         }),
         layer_embedding_tensors);

constexpr auto mixtral_tensors = std::to_array<Renamed>({
    {"blk.#.ffn_gate_inp", "model.layers.#.block_sparse_moe.gate"},
    {"blk.#.ffn_gate_exps.@", "model.layers.#.block_sparse_moe.experts.@.w1"},
    {"blk.#.ffn_down_exps.@", "model.layers.#.block_sparse_moe.experts.@.w2"},
    {"blk.#.ffn_up_exps.@", "model.layers.#.block_sparse_moe.experts.@.w3"},
});
constexpr auto routed_tensors = std::to_array<Renamed>({
    {"blk.#.ffn_gate_inp", "model.layers.#.mlp.gate"},
    {"blk.#.ffn_gate_exps.@", "model.layers.#.mlp.experts.@.gate_proj"},
    {"blk.#.ffn_down_exps.@", "model.layers.#.mlp.experts.@.down_proj"},
    {"blk.#.ffn_up_exps.@", "model.layers.#.mlp.experts.@.up_proj"},
});
constexpr auto qwen_moe_tensors =
    with(std::to_array<Renamed>({
             {"blk.#.ffn_gate_shexp", "model.layers.#.mlp.shared_expert.gate_proj"},
             {"blk.#.ffn_up_shexp", "model.layers.#.mlp.shared_expert.up_proj"},
             {"blk.#.ffn_down_shexp", "model.layers.#.mlp.shared_expert.down_proj"},
             {"blk.#.ffn_gate_inp_shexp", "model.layers.#.mlp.shared_expert_gate"},
         }),
         routed_tensors);

constexpr auto gpt_oss_tensors =
    with(std::to_array<Renamed>({
             {"blk.#.attn_sinks.weight", "model.layers.#.self_attn.sinks"},
             {"blk.#.post_attention_norm", "model.layers.#.post_attention_layernorm"},
             {"blk.#.ffn_gate_inp", "model.layers.#.mlp.router"},
         }),
         routed_tensors);

// Of layers with a state; those of the delta rule have no biases.
constexpr auto delta_tensors = std::to_array<Renamed>({
    {"blk.#.post_attention_norm", "model.layers.#.post_attention_layernorm"},
    {"blk.#.attn_gate.weight", "model.layers.#.linear_attn.in_proj_z.weight"},
    {"blk.#.ssm_conv1d.weight", "model.layers.#.linear_attn.conv1d.weight"},
    {"blk.#.ssm_a", "model.layers.#.linear_attn.A_log"},
    {"blk.#.ssm_dt.bias", "model.layers.#.linear_attn.dt_bias"},
    {"blk.#.ssm_norm.weight", "model.layers.#.linear_attn.norm.weight"},
    {"blk.#.ssm_out.weight", "model.layers.#.linear_attn.out_proj.weight"},
});
constexpr auto qwen3_next_tensors =
    with(with(std::to_array<Renamed>({
                  {"blk.#.attn_qkv.weight", "model.layers.#.linear_attn.in_proj_qkvz.weight"},
                  {"blk.#.ssm_ba.weight", "model.layers.#.linear_attn.in_proj_ba.weight"},
              }),
              delta_tensors),
         qwen_moe_tensors);
constexpr auto qwen3_5_tensors =
    with(with(std::to_array<Renamed>({
                  {"blk.#.attn_qkv.weight", "model.layers.#.linear_attn.in_proj_qkv.weight"},
                  {"blk.#.ssm_alpha.weight", "model.layers.#.linear_attn.in_proj_a.weight"},
                  {"blk.#.ssm_beta.weight", "model.layers.#.linear_attn.in_proj_b.weight"},
              }),
              delta_tensors),
         qwen_moe_tensors);
constexpr auto mamba2_tensors = std::to_array<Renamed>({
    {"blk.#.ssm_in", "model.layers.#.mamba.in_proj"},
    {"blk.#.ssm_conv1d", "model.layers.#.mamba.conv1d"},
    {"blk.#.ssm_a", "model.layers.#.mamba.A_log"},
    {"blk.#.ssm_d", "model.layers.#.mamba.D"},
    {"blk.#.ssm_dt.bias", "model.layers.#.mamba.dt_bias"},
    {"blk.#.ssm_norm.weight", "model.layers.#.mamba.norm.weight"},
    {"blk.#.ssm_out", "model.layers.#.mamba.out_proj"},
});
constexpr auto falcon_h1_tensors =
    with(std::to_array<Renamed>({
             {"output_norm", "model.final_layernorm"},
             {"blk.#.ffn_norm", "model.layers.#.pre_ff_layernorm.weight"},
             {"blk.#.ffn_norm.weight", "model.layers.#.pre_ff_layernorm.weight"},
             {"blk.#.ffn_gate", "model.layers.#.feed_forward.gate_proj"},
             {"blk.#.ffn_up", "model.layers.#.feed_forward.up_proj"},
             {"blk.#.ffn_down", "model.layers.#.feed_forward.down_proj"},
         }),
         mamba2_tensors);
constexpr auto granite_hybrid_tensors =
    with(with(std::to_array<Renamed>({
                  {"blk.#.ffn_gate", "model.layers.#.shared_mlp.gate_linear"},
                  {"blk.#.ffn_up", "model.layers.#.shared_mlp.up_linear"},
                  {"blk.#.ffn_down", "model.layers.#.shared_mlp.output_linear"},
                  {"blk.#.ffn_gate_shexp", "model.layers.#.shared_mlp.gate_linear"},
                  {"blk.#.ffn_up_shexp", "model.layers.#.shared_mlp.up_linear"},
                  {"blk.#.ffn_down_shexp", "model.layers.#.shared_mlp.output_linear"},
              }),
              mamba2_tensors),
         mixtral_tensors);
constexpr auto lfm2_tensors = std::to_array<Renamed>({
    {"token_embd_norm", "model.embedding_norm"},
    {"blk.#.attn_norm", "model.layers.#.operator_norm"},
    {"blk.#.attn_output", "model.layers.#.self_attn.out_proj"},
    {"blk.#.attn_q_norm", "model.layers.#.self_attn.q_layernorm"},
    {"blk.#.attn_k_norm", "model.layers.#.self_attn.k_layernorm"},
    {"blk.#.shortconv.conv", "model.layers.#.conv.conv"},
    {"blk.#.shortconv.in_proj", "model.layers.#.conv.in_proj"},
    {"blk.#.shortconv.out_proj", "model.layers.#.conv.out_proj"},
    {"blk.#.ffn_norm", "model.layers.#.ffn_norm"},
    {"blk.#.ffn_gate", "model.layers.#.feed_forward.w1"},
    {"blk.#.ffn_down", "model.layers.#.feed_forward.w2"},
    {"blk.#.ffn_up", "model.layers.#.feed_forward.w3"},
});

constexpr auto deepseek_tensors =
    with(std::to_array<Renamed>({
             {"blk.#.attn_q_a", "model.layers.#.self_attn.q_a_proj"},
             {"blk.#.attn_q_a_norm", "model.layers.#.self_attn.q_a_layernorm"},
             {"blk.#.attn_q_b", "model.layers.#.self_attn.q_b_proj"},
             {"blk.#.attn_kv_a_mqa", "model.layers.#.self_attn.kv_a_proj_with_mqa"},
             {"blk.#.attn_kv_a_norm", "model.layers.#.self_attn.kv_a_layernorm"},
             {"blk.#.attn_kv_b", "model.layers.#.self_attn.kv_b_proj"},
             {"blk.#.attn_k_b", "model.layers.#.self_attn.k_b_proj"},
             {"blk.#.attn_v_b", "model.layers.#.self_attn.v_b_proj"},
             {"blk.#.exp_probs_b.bias", "model.layers.#.mlp.gate.e_score_correction_bias"},
             {"blk.#.ffn_gate_shexp", "model.layers.#.mlp.shared_experts.gate_proj"},
             {"blk.#.ffn_up_shexp", "model.layers.#.mlp.shared_experts.up_proj"},
             {"blk.#.ffn_down_shexp", "model.layers.#.mlp.shared_experts.down_proj"},
         }),
         routed_tensors);

constexpr Renamed gpt_neox_tensors[] = {
    {"token_embd", "gpt_neox.embed_in"},
    {"output_norm", "gpt_neox.final_layer_norm"},
    {"output", "embed_out"},
    {"blk.#.attn_norm", "gpt_neox.layers.#.input_layernorm"},
    {"blk.#.attn_qkv", "gpt_neox.layers.#.attention.query_key_value"},
    {"blk.#.attn_output", "gpt_neox.layers.#.attention.dense"},
    {"blk.#.ffn_norm", "gpt_neox.layers.#.post_attention_layernorm"},
    {"blk.#.ffn_up", "gpt_neox.layers.#.mlp.dense_h_to_4h"},
    {"blk.#.ffn_down", "gpt_neox.layers.#.mlp.dense_4h_to_h"},
};
constexpr Renamed bloom_tensors[] = {
    {"token_embd", "transformer.word_embeddings"},
    {"token_embd_norm", "transformer.word_embeddings_layernorm"},
    {"output_norm", "transformer.ln_f"},
    {"output", "lm_head"},
    {"blk.#.attn_norm", "transformer.h.#.input_layernorm"},
    {"blk.#.attn_qkv", "transformer.h.#.self_attention.query_key_value"},
    {"blk.#.attn_output", "transformer.h.#.self_attention.dense"},
    {"blk.#.ffn_norm", "transformer.h.#.post_attention_layernorm"},
    {"blk.#.ffn_up", "transformer.h.#.mlp.dense_h_to_4h"},
    {"blk.#.ffn_down", "transformer.h.#.mlp.dense_4h_to_h"},
};
constexpr Renamed falcon_two_norms_tensors[] = {
    {"blk.#.attn_norm", "transformer.h.#.ln_mlp"},
    {"blk.#.attn_norm_2", "transformer.h.#.ln_attn"},
};
constexpr Renamed gpt2_tensors[] = {
    {"token_embd", "transformer.wte"},
    {"position_embd", "transformer.wpe"},
    {"output_norm", "transformer.ln_f"},
    {"output", "lm_head"},
    {"blk.#.attn_norm", "transformer.h.#.ln_1"},
    {"blk.#.attn_qkv", "transformer.h.#.attn.c_attn"},
    {"blk.#.attn_output", "transformer.h.#.attn.c_proj"},
    {"blk.#.ffn_norm", "transformer.h.#.ln_2"},
    {"blk.#.ffn_up", "transformer.h.#.mlp.c_fc"},
    {"blk.#.ffn_down", "transformer.h.#.mlp.c_proj"},
};
constexpr Renamed bert_tensors[] = {
    {"token_embd", "embeddings.word_embeddings"},
    {"position_embd", "embeddings.position_embeddings"},
    {"token_types", "embeddings.token_type_embeddings"},
    {"token_embd_norm", "embeddings.LayerNorm"},
    {"blk.#.attn_q", "encoder.layer.#.attention.self.query"},
    {"blk.#.attn_k", "encoder.layer.#.attention.self.key"},
    {"blk.#.attn_v", "encoder.layer.#.attention.self.value"},
    {"blk.#.attn_output", "encoder.layer.#.attention.output.dense"},
    {"blk.#.attn_output_norm", "encoder.layer.#.attention.output.LayerNorm"},
    {"blk.#.ffn_up", "encoder.layer.#.intermediate.dense"},
    {"blk.#.ffn_down", "encoder.layer.#.output.dense"},
    {"blk.#.layer_output_norm", "encoder.layer.#.output.LayerNorm"},
};

/// Which layers see a window alone, and what the file may leave out about it.
struct WindowRule {
  Index every = 0;         ///< of so many layers the last sees everything; 0: none does
  Index usual = 0;         ///< the window; 0: none
  double local_theta = 0;  ///< rotary base of layers with a window; 0: that of the others
  bool scaled = true;      ///< their rotary positions are scaled as those of the others
  bool needed = false;     ///< the file has to say it
};

/// An architecture of GGUF as the family that it is.
struct GgufArchitecture {
  const char* name;
  const char *model_type, *class_name;
  std::span<const Renamed> names;
  /// Rows of q and k are permuted: dimensions that are rotated together are neighbours.
  bool in_pairs = false;
  std::span<const Renamed> own = {};  ///< names that come before the others
  const char* only_with = nullptr;    ///< a tensor that the next row of this name does not have
  std::optional<WindowRule> windows = {};
  bool some_biased = false;  ///< q, k, v and outputs have biases or not
};
constexpr GgufArchitecture architectures[] = {
    {"llama", "mixtral", "MixtralForCausalLM", llama_tensors, true, mixtral_tensors,
     "blk.0.ffn_gate_exps.weight"},
    {"llama", "llama", "LlamaForCausalLM", llama_tensors, true},
    {"mistral3", "mistral3", "Mistral3ForConditionalGeneration", llama_tensors, true},
    {"qwen2", "qwen2", "Qwen2ForCausalLM", llama_tensors},
    {"qwen2vl", "qwen2_vl", "Qwen2VLForConditionalGeneration", llama_tensors},
    {.name = "qwen2moe",
     .model_type = "qwen2_moe",
     .class_name = "Qwen2MoeForCausalLM",
     .names = llama_tensors,
     .own = qwen_moe_tensors,
     .some_biased = true},
    {"qwen3", "qwen3", "Qwen3ForCausalLM", llama_tensors},
    {"qwen3vl", "qwen3_vl", "Qwen3VLForConditionalGeneration", llama_tensors},
    {"qwen3moe", "qwen3_moe", "Qwen3MoeForCausalLM", llama_tensors, false, qwen_moe_tensors},
    {"gemma", "gemma", "GemmaForCausalLM", llama_tensors},
    {.name = "gemma2",
     .model_type = "gemma2",
     .class_name = "Gemma2ForCausalLM",
     .names = llama_tensors,
     .own = gemma2_tensors,
     .windows = WindowRule{.every = 2, .usual = 4096}},
    {.name = "gemma3",
     .model_type = "gemma3_text",
     .class_name = "Gemma3ForCausalLM",
     .names = llama_tensors,
     .own = gemma2_tensors,
     .windows = WindowRule{.every = 6, .local_theta = 10'000, .scaled = false}},
    {.name = "gemma3n",
     .model_type = "gemma3n_text",
     .class_name = "Gemma3nForCausalLM",
     .names = llama_tensors,
     .own = gemma3n_tensors,
     .windows = WindowRule{.every = 5, .local_theta = 10'000, .scaled = false}},
    {"gemma4", "gemma4_text", "Gemma4ForCausalLM", llama_tensors, false, gemma4_tensors},
    {"olmo", "olmo", "OlmoForCausalLM", llama_tensors, true},
    {.name = "olmo2",  // and OLMo 3
     .model_type = "olmo2",
     .class_name = "Olmo2ForCausalLM",
     .names = llama_tensors,
     .own = gemma2_tensors,
     .windows = WindowRule{.every = 4, .scaled = false}},
    {"olmoe", "olmoe", "OlmoeForCausalLM", llama_tensors, false, qwen_moe_tensors},
    {"granite", "granite", "GraniteForCausalLM", llama_tensors, true},
    {"granitemoe", "granitemoe", "GraniteMoeForCausalLM", llama_tensors, true, mixtral_tensors},
    {.name = "chatglm",
     .model_type = "glm",
     .class_name = "GlmForCausalLM",
     .names = llama_tensors,
     .in_pairs = true,
     .own = glm_tensors,
     .some_biased = true},
    {.name = "glm4",
     .model_type = "glm4",
     .class_name = "Glm4ForCausalLM",
     .names = llama_tensors,
     .in_pairs = true,
     .own = glm_tensors,
     .some_biased = true},
    {"ernie4_5", "ernie4_5", "Ernie4_5ForCausalLM", llama_tensors, true},
    {"arcee", "arcee", "ArceeForCausalLM", llama_tensors, true},
    {"nemotron", "nemotron", "NemotronForCausalLM", llama_tensors},
    {.name = "seed_oss",
     .model_type = "seed_oss",
     .class_name = "SeedOssForCausalLM",
     .names = llama_tensors,
     .own = seed_oss_tensors,
     .some_biased = true},
    {.name = "starcoder2",
     .model_type = "starcoder2",
     .class_name = "Starcoder2ForCausalLM",
     .names = llama_tensors,
     .own = starcoder2_tensors,
     .some_biased = true},
    {"exaone4", "exaone4", "Exaone4ForCausalLM", llama_tensors, false, gemma2_tensors},
    {"deepseek2", "deepseek_v2", "DeepseekV2ForCausalLM", llama_tensors, true, deepseek_tensors},
    {.name = "gpt-oss",
     .model_type = "gpt_oss",
     .class_name = "GptOssForCausalLM",
     .names = llama_tensors,
     .own = gpt_oss_tensors,
     .windows = WindowRule{.every = 2, .needed = true},
     .some_biased = true},
    {"qwen3next", "qwen3_next", "Qwen3NextForCausalLM", llama_tensors, false, qwen3_next_tensors},
    {"qwen35", "qwen3_5_text", "Qwen3_5ForCausalLM", llama_tensors, false, qwen3_5_tensors},
    {"qwen35moe", "qwen3_5_moe_text", "Qwen3_5MoeForCausalLM", llama_tensors, false, qwen3_5_tensors},
    {"lfm2", "lfm2", "Lfm2ForCausalLM", llama_tensors, false, lfm2_tensors},
    {"falcon-h1", "falcon_h1", "FalconH1ForCausalLM", llama_tensors, false, falcon_h1_tensors},
    {"granitehybrid", "granitemoehybrid", "GraniteMoeHybridForCausalLM", llama_tensors, true,
     granite_hybrid_tensors},
    {"smollm3", "smollm3", "SmolLM3ForCausalLM", llama_tensors, true},
    {"stablelm", "stablelm", "StableLmForCausalLM", llama_tensors},
    {"command-r", "cohere", "CohereForCausalLM", llama_tensors, true},
    {"phi2", "phi", "PhiForCausalLM", llama_tensors, false, phi_tensors},
    {.name = "phi3",
     .model_type = "phi3",
     .class_name = "Phi3ForCausalLM",
     .names = llama_tensors,
     .own = phi3_tensors,
     .windows = WindowRule{}},
    {"gpt2", "gpt2", "GPT2LMHeadModel", gpt2_tensors},
    {.name = "gptneox",
     .model_type = "gpt_neox",
     .class_name = "GPTNeoXForCausalLM",
     .names = gpt_neox_tensors,
     .some_biased = true},
    {"bloom", "bloom", "BloomForCausalLM", bloom_tensors},
    {"falcon", "falcon", "FalconForCausalLM", bloom_tensors, false, falcon_two_norms_tensors,
     "blk.0.attn_norm_2.weight"},
    {"falcon", "falcon", "FalconForCausalLM", bloom_tensors},
    {"bert", "bert", "BertModel", bert_tensors}};

const Renamed* row_of(const GgufArchitecture& architecture, std::string_view pattern) {
  for (const std::span<const Renamed> names : {architecture.own, architecture.names}) {
    const auto found = std::ranges::find(names, pattern, &Renamed::from);
    if (found != names.end()) return &*found;
  }
  return nullptr;
}

/// The number that a name ends with, "7" of "blk.3.ffn_up_exps.7"; empty: it does not.
std::string_view number_behind(std::string_view stem) {
  const std::string_view last = stem.substr(stem.rfind('.') + 1);
  const bool number = !last.empty() && last.size() < stem.size() &&
                      std::ranges::all_of(last, [](char c) { return c >= '0' && c <= '9'; });
  return number ? last : std::string_view();
}

/// "blk.12.attn_q.weight" as "model.layers.12.self_attn.q_proj.weight"; a name that is not known stays.
std::string renamed(const GgufArchitecture& architecture, std::string_view name) {
  std::string_view stem = name, end;
  for (const std::string_view one : {".weight", ".bias"})
    if (name.ends_with(one)) stem = name.substr(0, name.size() - one.size()), end = one;
  std::string pattern(stem), layer;
  constexpr std::string_view of_layer = "blk.";
  if (stem.starts_with(of_layer)) {
    const std::size_t dot = stem.find('.', of_layer.size());
    layer = stem.substr(of_layer.size(), dot == std::string_view::npos ? dot : dot - of_layer.size());
    if (dot != std::string_view::npos) pattern = std::string(of_layer) + "#" + std::string(stem.substr(dot));
  }
  const std::string part(number_behind(pattern));
  if (!part.empty()) pattern.replace(pattern.size() - part.size(), part.size(), "@");
  const Renamed* row = row_of(architecture, pattern + std::string(end));
  if (row != nullptr)
    end = {};
  else
    row = row_of(architecture, pattern);
  if (row == nullptr) return std::string(name);
  std::string result(row->to);
  if (const std::size_t at = result.find('@'); at != std::string::npos) result.replace(at, 1, part);
  if (const std::size_t at = result.find('#'); at != std::string::npos) result.replace(at, 1, layer);
  return result + std::string(end);
}

/// The name in the file of a tensor that has this one in the family; that itself if there is none.
std::string stored_name(const GgufArchitecture& architecture, std::string_view name) {
  const std::string_view whole_end = name.ends_with(".weight") ? ".weight"
                                     : name.ends_with(".bias") ? ".bias"
                                                               : "";
  for (const std::span<const Renamed> names : {architecture.own, architecture.names})
    for (const Renamed& row : names) {
      const std::string_view end = row.to.ends_with(whole_end) ? "" : whole_end,
                             stem = name.substr(0, name.size() - end.size());
      // As missing ones are called, with the prefix of the family or without.
      const std::size_t mark = row.to.find('#');
      const std::string_view before = row.to.substr(0, mark),
                             after = mark == std::string_view::npos ? "" : row.to.substr(mark + 1);
      if (stem.size() < before.size() + after.size() || !stem.starts_with(before) || !stem.ends_with(after))
        continue;
      const std::string_view layer = stem.substr(before.size(), stem.size() - before.size() - after.size());
      if (layer.empty() != (mark == std::string_view::npos) ||
          !std::ranges::all_of(layer, [](char c) { return c >= '0' && c <= '9'; }))
        continue;
      std::string result(row.from);
      if (const std::size_t at = result.find('#'); at != std::string::npos) result.replace(at, 1, layer);
      return result + std::string(end);
    }
  return std::string(name);
}

const GgufArchitecture& architecture_of(const GgufFile& gguf) {
  const char* const key = "general.architecture";
  const auto name = gguf.metadata.text(key);
  if (!name) throw gguf.metadata.wrong("{}: {}: expected the architecture of the model", key);
  if (const auto type = gguf.metadata.text("general.type"); type && *type != "model")
    throw input_error("{}: {} is {}; expected a whole model", gguf.metadata.source(), "general.type",
                      cut_off(*type, 60));
  std::string known, last;
  for (const GgufArchitecture& row : architectures) {
    if (*name == row.name && (row.only_with == nullptr || gguf.has(row.only_with))) return row;
    if (last != row.name) known += (known.empty() ? "" : ", ") + std::string(row.name);
    last = row.name;
  }
  throw input_error(
      "make a capture of the original with headscope.capture (Python) and open that: {}: the architecture {} "
      "is not known; expected one of: {}",
      gguf.metadata.source(), cut_off(*name, 60), known);
}

Index head_dim_of(const ModelConfig& model, Index layer) {
  return model.body().head_dims.empty() ? model.head_dim : model.body().head_dims[layer];
}

/// Metadata of the architecture, written into a config.json.
class Config {
 public:
  Config(const GgufFile& gguf, const GgufArchitecture& architecture)
      : gguf_(gguf), prefix_(std::string(architecture.name) + ".") {
    json["model_type"] = architecture.model_type;
    json["architectures"] = {architecture.class_name};
  }

  std::optional<std::int64_t> whole(const char* key) const {
    constexpr std::int64_t maximum = std::int64_t{1} << 40;
    return gguf_.metadata.whole(prefix_ + key, maximum);
  }
  std::optional<double> number(const char* key) const { return gguf_.metadata.number(prefix_ + key); }
  std::optional<std::string> text(const char* key) const { return gguf_.metadata.text(prefix_ + key); }
  std::optional<bool> flag(const char* key) const { return gguf_.metadata.flag(prefix_ + key); }
  const GgufValue* find(const char* key) const { return gguf_.metadata.find(prefix_ + key); }
  bool has(const char* key) const { return find(key) != nullptr; }
  /// [layers] of a list, one for each; empty: it is none.
  std::vector<double> of_layers(const char* name) const {
    const GgufValue* const value = find(name);
    const auto* const list = value == nullptr ? nullptr : std::get_if<std::vector<double>>(value);
    if (list == nullptr) return {};
    if (const auto layers = whole("block_count").value_or(0); std::ssize(*list) != layers)
      throw input_error("{}: the length of {} is {}; expected {}, one for each layer", source(), key(name),
                        list->size(), layers);
    return *list;
  }

  void put(const char* field, const char* key) {
    names[field] = prefix_ + key;
    if (const auto value = whole(key)) json[field] = *value;
  }
  void put_number(std::initializer_list<const char*> fields, const char* key) {
    for (const char* field : fields) names[field] = prefix_ + key;
    if (const auto value = number(key))
      for (const char* field : fields) json[field] = *value;
  }
  /// Throws if the file does not give it.
  void expect(const char* field, const char* key) {
    put(field, key);
    if (!json.contains(field))
      throw input_error("{}: {} is missing; expected a number", gguf_.metadata.source(), prefix_ + key);
  }

  const std::string& source() const { return gguf_.metadata.source(); }
  std::string key(const char* name) const { return prefix_ + name; }
  /// Throws if the file asks for what the family does not have.
  void expect_nothing_else(const ModelConfig& model) const {
    const auto refuse = [&](const char* name, const auto& found, const auto& expected) {
      throw input_error("{}: {} is {}; expected {}", source(), key(name), found, expected);
    };
    if (model.causal && !flag("attention.causal").value_or(true)) refuse("attention.causal", "false", "true");
    if (const auto count = whole("expert_count").value_or(0); count > 0 && !model.experts)
      refuse("expert_count", count, 0);
    // Of Gemma 4's layers without a window, the last of which is one.
    const Index d_k = head_dim_of(model, model.body().layers - 1);
    // As llama.cpp computes latent attention: one key for all heads, the short row and the rotated part.
    const bool one_key = has("attention.key_length_mla");
    const Index d_v = model.latent ? model.latent->d_v : d_k;
    for (const auto& [name, has] :
         {std::pair{"attention.key_length", one_key ? model.latent->rank + model.latent->rotated : d_k},
          {"attention.value_length", one_key ? model.latent->rank : d_v},
          {"attention.value_length_swa", model.head_dim},
          {"attention.head_count_kv", one_key ? 1 : model.body().kv_heads}})
      if (const auto value = is_list_of_layers(name, model) ? std::nullopt : whole(name);
          value && *value != has)
        refuse(name, *value, has);
    const double usual = model.position_kind == PositionKind::linear ? 8 : 0,
                 bias = number("attention.max_alibi_bias").value_or(usual);
    if (bias != usual) refuse("attention.max_alibi_bias", bias, usual);
  }

  Json json = Json::object();
  FieldNames names;

 private:
  /// 0 for layers without attention, and what layers without a window have instead.
  bool is_list_of_layers(const char* name, const ModelConfig& model) const {
    const bool differ = !model.mixers.empty() || !model.body().kv_heads_of_layers.empty();
    return differ && !of_layers(name).empty();
  }

  const GgufFile& gguf_;
  std::string prefix_;
};

/// YaRN multiplies cos and sin by this for a factor.
double yarn_attention_factor(double factor) {
  return 0.1 * std::log(factor) + 1;
}

/// If the file says it, to the digits of float32.
void expect_number(const Config& config, const char* key, double expected) {
  constexpr double rounding = 1e-5;
  if (const auto number = config.number(key); number && std::abs(*number / expected - 1) > rounding)
    throw input_error("{}: {} is {}; expected {}", config.source(), config.key(key), *number, expected);
}

void add_rope(Config& config) {
  constexpr double usual_base = 10'000;  // whatever a family's own files leave out
  config.put_number({"rope_theta"}, "rope.freq_base");
  if (!config.json.contains("rope_theta")) config.json["rope_theta"] = usual_base;
  // Set from the file later.
  for (const char* share : {"partial_rotary_factor", "rotary_pct", "rope_pct"}) config.json[share] = 1;
  const auto factor =
      config.number(config.has("rope.scaling.factor") ? "rope.scaling.factor" : "rope.scale_linear");
  const std::string scaling = config.text("rope.scaling.type").value_or("linear");
  for (const auto& [field, key] :
       {std::pair{"rope_type", "rope.scaling.type"},
        {"factor", "rope.scaling.factor"},
        {"beta_fast", "rope.scaling.yarn_beta_fast"},
        {"beta_slow", "rope.scaling.yarn_beta_slow"},
        {"original_max_position_embeddings", "rope.scaling.original_context_length"}})
    config.names[std::string("rope_scaling.") + field] = config.key(key);
  config.json["rope_scaling"] = {{"rope_type", "default"}};  // whatever a family's own files leave out
  if (scaling == "none" || scaling.empty() || scaling == "longrope") return;  // that has its tensors
  const bool known = scaling == "linear" || scaling == "yarn";
  if (known && factor.value_or(0) == 0) return;
  Json rope{{"rope_type", scaling}};
  if (factor) rope["factor"] = *factor;
  if (const auto before = config.whole("rope.scaling.original_context_length"))
    rope["original_max_position_embeddings"] = *before;
  if (scaling == "yarn" && *factor > 1)
    rope["attention_factor"] =
        yarn_attention_factor(*factor) * config.number("rope.scaling.attn_factor").value_or(1);
  for (const auto& [field, key] :
       {std::pair{"beta_fast", "rope.scaling.yarn_beta_fast"}, {"beta_slow", "rope.scaling.yarn_beta_slow"}})
    if (const auto beta = config.number(key)) rope[field] = *beta;
  // Files of gpt-oss from before there was the key are of models that do not truncate.
  rope["truncate"] =
      config.flag("rope.scaling.yarn_truncate").value_or(config.json["model_type"] != "gpt_oss");
  // Ministral 3, whose YaRN has no temperature of its own: mscale is mscale_all_dim, which the file has.
  const auto growth = config.number("attention.temperature_scale").value_or(0);
  if (growth > 0 && config.json["model_type"] == "mistral3") {
    config.json["model_type"] = "ministral3";
    config.json["architectures"] = {"Ministral3ForCausalLM"};
    rope["llama_4_scaling_beta"] = growth;
    rope["attention_factor"] = 1;
  }
  const char* const multiplier = "rope.scaling.yarn_log_multiplier";
  if (config.number(multiplier).value_or(0) != 0 && config.json["model_type"] != "deepseek_v2") {
    expect_number(config, multiplier, 1);
    rope["attention_factor"] = 1;
  }
  // DeepSeek's grows with the scores instead: see set_latent_scores().
  if (config.json["model_type"] == "deepseek_v2") rope["attention_factor"] = 1;
  config.json["rope_scaling"] = std::move(rope);
}

/// DeepSeek's fields; the third of its models is told by how it chooses experts.
void add_latent(Config& config) {
  Json& json = config.json;
  constexpr std::int64_t softmax = 1, sigmoid = 2;
  const char* const chosen_by = "expert_gating_func";
  const std::int64_t gating = config.whole(chosen_by).value_or(softmax);
  if (gating != softmax && gating != sigmoid)
    throw input_error("{}: {} is {}; expected {}", config.source(), config.key(chosen_by), gating, "1 or 2");
  if (gating == sigmoid) {
    json["model_type"] = "deepseek_v3";
    json["architectures"] = {"DeepseekV3ForCausalLM"};
  }
  const char* const normed = "expert_weights_norm";
  json["norm_topk_prob"] = config.flag(normed).value_or(false);
  if (gating == softmax && json["norm_topk_prob"] == true)
    throw input_error("{}: {} is {}; expected {}", config.source(), config.key(normed), "true", "false");
  json["q_lora_rank"] = Json();
  config.put("q_lora_rank", "attention.q_lora_rank");
  config.expect("kv_lora_rank", "attention.kv_lora_rank");
  config.expect("qk_rope_head_dim", "rope.dimension_count");
  const bool one_key = config.has("attention.key_length_mla");
  config.expect("qk_nope_head_dim", one_key ? "attention.key_length_mla" : "attention.key_length");
  config.expect("v_head_dim", one_key ? "attention.value_length_mla" : "attention.value_length");
  json["qk_nope_head_dim"] =
      json["qk_nope_head_dim"].get<std::int64_t>() - json["qk_rope_head_dim"].get<std::int64_t>();
  json["num_key_value_heads"] = json["num_attention_heads"];
  json.erase("head_dim");
  config.put("first_k_dense_replace", "leading_dense_block_count");
  config.put("n_routed_experts", "expert_count");
  config.put("n_shared_experts", "expert_shared_count");
  json["n_group"] = json["topk_group"] = 1;  // where a file does not say, as llama.cpp takes it
  config.put("n_group", "expert_group_count");
  config.put("topk_group", "expert_group_used_count");
  if (json.value("n_group", 1) > 1 && json["model_type"] == "deepseek_v2")
    json["topk_method"] = "group_limited_greedy";
  if (const auto factor = config.number("expert_weights_scale").value_or(0); factor != 0)
    json["routed_scaling_factor"] = factor;
  else
    json["routed_scaling_factor"] = 1;
}

/// Whether the name of a tensor has one of these ends.
bool has_any(const GgufFile& gguf, std::initializer_list<std::string_view> ends) {
  return std::ranges::any_of(gguf.header.tensors, [&](const GgufHeader::Entry& entry) {
    return std::ranges::any_of(ends, [&](std::string_view end) { return entry.name.ends_with(end); });
  });
}

constexpr const char* kv_heads_key = "attention.head_count_kv";

constexpr const char* windows_key = "attention.sliding_window_pattern";

/// Gemma 3n and Gemma 4, whose layers differ in more than their windows.
bool is_by_layers(const Config& config) {
  const std::string type = config.json.at("model_type");
  return type == "gemma3n_text" || type == "gemma4_text";
}

std::int64_t same_heads(const Config& config, const std::vector<double>& heads) {
  constexpr double most = 1 << 20;
  if (const double one = heads.front(); std::ranges::count(heads, one) != std::ssize(heads) || !(one >= 1) ||
                                        one > most || one != std::floor(one))
    throw input_error("{}: {}: expected the same number for every layer with attention", config.source(),
                      config.key(kv_heads_key));
  return std::lround(heads.front());
}

/// Layers without attention have no heads of keys, and Gemma 4's without a window may have others.
void put_kv_heads(Config& config) {
  config.names["num_key_value_heads"] = config.key(kv_heads_key);
  const std::vector<double> all = config.of_layers(kv_heads_key), local = is_by_layers(config)
                                                                              ? config.of_layers(windows_key)
                                                                              : std::vector<double>();
  std::vector<double> heads, of_whole;
  for (std::size_t layer = 0; layer < all.size(); ++layer)
    (!local.empty() && local[layer] == 0 ? of_whole : heads).push_back(all[layer]);
  std::erase(heads, 0.0);
  if (heads.empty()) heads = of_whole;
  if (heads.empty()) return config.put("num_key_value_heads", kv_heads_key);
  config.json["num_key_value_heads"] = same_heads(config, heads);
  if (!of_whole.empty()) config.json["num_global_key_value_heads"] = same_heads(config, of_whole);
}

/// A width for all layers, or a list of one for each.
void put_widths(Config& config) {
  const char *const field = "intermediate_size", *const key = "feed_forward_length";
  const std::vector<double> widths = is_by_layers(config) ? config.of_layers(key) : std::vector<double>();
  if (widths.empty()) {
    config.expect(field, key);
    config.put("n_inner", key);          // BLOOM, GPT-2
    config.put("ffn_hidden_size", key);  // Falcon
    return;
  }
  config.names[field] = config.key(key);
  for (const double width : widths)
    config.json[field].push_back(
        width == std::floor(width) && std::abs(width) < 1e9 ? Json(std::lround(width)) : Json(width));
}

/// By a list of those that see a window alone.
void put_layer_types(Config& config) {
  config.names["layer_types"] = config.key(windows_key);
  for (const double local : config.of_layers(windows_key))
    config.json["layer_types"].push_back(local != 0 ? "sliding_attention" : "full_attention");
}

/// [layers] whether each attends, by a list of those that do not, of heads of keys, or by the last of so
/// many.
std::vector<bool> attending_layers(const Config& config) {
  std::vector<bool> attending(config.json.at("num_hidden_layers").get<std::size_t>(), true);
  const std::vector<double> recurrent = config.of_layers("attention.recurrent_layers"),
                            heads = config.of_layers(kv_heads_key);
  const std::int64_t every =
      recurrent.empty() && config.has("ssm.time_step_rank") && heads.empty()
          ? std::max<std::int64_t>(1, config.whole("full_attention_interval").value_or(4))
          : 1;
  for (Index layer = 0; layer < std::ssize(attending); ++layer)
    attending[layer] = (recurrent.empty() || recurrent[layer] == 0) && (heads.empty() || heads[layer] != 0) &&
                       (layer + 1) % every == 0;
  return attending;
}

/// Of models whose layers, or some of them, have a state: as llama.cpp takes what files do not say.
void add_state(const GgufFile& gguf, Config& config) {
  Json& json = config.json;
  const std::string type = json["model_type"];
  const bool convolves = type == "lfm2", mamba = type == "falcon_h1" || type == "granitemoehybrid";
  if (!convolves && !mamba && !type.starts_with("qwen3_5") && type != "qwen3_next") return;
  if (type != "falcon_h1")
    for (const bool attends : attending_layers(config))
      json["layer_types"].push_back(type == "granitemoehybrid" ? (attends ? "attention" : "mamba")
                                    : attends                  ? "full_attention"
                                    : convolves                ? "conv"
                                                               : "linear_attention");
  if (convolves) {
    config.expect("conv_L_cache", "shortconv.l_cache");
    json["block_auto_adjust_ff_dim"] = false;
    return;
  }
  config.expect(mamba ? "mamba_d_conv" : "linear_conv_kernel_dim", "ssm.conv_kernel");
  config.expect(mamba ? "mamba_d_state" : "linear_key_head_dim", "ssm.state_size");
  config.expect(mamba ? "mamba_n_groups" : "linear_num_key_heads", "ssm.group_count");
  config.expect(mamba ? "mamba_n_heads" : "linear_num_value_heads", "ssm.time_step_rank");
  config.expect("mamba_d_ssm", "ssm.inner_size");
  const std::int64_t inner = json["mamba_d_ssm"], width = json["hidden_size"],
                     heads = json[mamba ? "mamba_n_heads" : "linear_num_value_heads"];
  const auto expect_parts = [&](const char* key, std::int64_t of) {
    if (of <= 0 || inner % of != 0)
      throw input_error("{}: {} is {}; expected a multiple of {}", config.source(),
                        config.key("ssm.inner_size"), inner, config.key(key));
  };
  if (!mamba) {
    expect_parts("ssm.time_step_rank", heads);
    json["linear_value_head_dim"] = inner / heads;
    return;
  }
  json["mamba_rms_norm"] = has_any(gguf, {".ssm_norm.weight"});
  json["mamba_norm_before_gate"] = false;
  if (type == "falcon_h1") return;
  expect_parts("embedding_length", width);
  json["mamba_expand"] = inner / width;
  if (!json.contains("num_local_experts")) json["num_local_experts"] = 0;
  config.put("shared_intermediate_size", "expert_shared_feed_forward_length");
  if (json.value("shared_intermediate_size", 0) == 0)
    json["shared_intermediate_size"] = json["intermediate_size"];
  json["position_embedding_type"] = config.flag("rope.scaling.finetuned").value_or(false) ? "rope" : "nope";
}

/// Gemma 3n's share of gates that are cut off, of which files have the deviations: 0.95 is 1.645.
void put_sparsity(Config& config) {
  const char *const field = "activation_sparsity_pattern", *const key = "activation_sparsity_scale";
  const std::vector<double> cutoffs = config.of_layers(key);
  if (cutoffs.empty())
    throw input_error("{}: the length of {} is {}; expected {}, one for each layer", config.source(),
                      config.key(key), 0, config.json["num_hidden_layers"].get<std::int64_t>());
  config.names[field] = config.key(key);
  for (const double cutoff : cutoffs) {
    const double share = std::erfc(-cutoff / std::numbers::sqrt2) / 2;
    // To the digits of float32, as which files have them.
    config.json[field].push_back(std::isnan(share) ? Json() : Json::parse(fmt::format("{:.7g}", share)));
  }
}

/// Gemma 4's layers without a window have heads of another size, in the file the usual one, with positions
/// of their own.
void put_whole_layers(const GgufFile& gguf, Config& config) {
  Json& json = config.json;
  if (const std::string scaling = json["rope_scaling"]["rope_type"]; scaling != "default")
    throw input_error("{}: {} is {}; expected {}", config.source(), config.key("rope.scaling.type"), scaling,
                      "none");
  json.erase("rope_scaling");
  json["global_head_dim"] = json["head_dim"];
  config.names["global_head_dim"] = config.key("attention.key_length");
  config.put("head_dim", "attention.key_length_swa");
  const char* const local = "rope.freq_base_swa";
  const auto theta = config.number(local);
  if (!theta) throw input_error("{}: {} is missing; expected a number", config.source(), config.key(local));
  json["rope_parameters"] = {
      {"full_attention", {{"rope_type", "proportional"}, {"rope_theta", json["rope_theta"]}}},
      {"sliding_attention", {{"rope_type", "default"}, {"rope_theta", *theta}}}};
  config.names["rope_parameters.full_attention.rope_theta"] = config.key("rope.freq_base");
  config.names["rope_parameters.sliding_attention.rope_theta"] = config.key(local);
  const Json& types = json["layer_types"];
  const auto whole = std::ranges::find(types, Json("full_attention")) - types.begin();
  json["attention_k_eq_v"] = !gguf.has(fmt::format("blk.{}.attn_v.weight", whole)) &&
                             !gguf.has(fmt::format("blk.{}.attn_qkv.weight", whole));
  config.put("num_experts", "expert_count");
  config.put("top_k_experts", "expert_used_count");
  json["enable_moe_block"] = json.value("num_experts", 0) > 0;
}

/// Number of rows of a tensor, if there is such a matrix.
void put_rows(const GgufFile& gguf, const char* field, const char* name, Config& config) {
  config.names[field] = name;
  const auto* const entry = gguf.tensor(name);
  if (entry != nullptr && entry->shape.size() == 2) config.json[field] = entry->shape[0];
}

void add_by_layers(const GgufFile& gguf, Config& config) {
  if (!is_by_layers(config)) return;
  config.expect("sliding_window", "attention.sliding_window");
  config.expect("num_kv_shared_layers", "attention.shared_kv_layers");
  config.expect("hidden_size_per_layer_input", "embedding_length_per_layer_input");
  put_rows(gguf, "vocab_size_per_layer_input", "per_layer_token_embd.weight", config);
  put_layer_types(config);
  if (!config.json.contains("layer_types"))
    throw input_error("{}: the length of {} is {}; expected {}, one for each layer", config.source(),
                      config.key(windows_key), 0, config.json["num_hidden_layers"].get<std::int64_t>());
  if (config.json["model_type"] == "gemma4_text") return put_whole_layers(gguf, config);
  config.expect("altup_num_inputs", "altup.num_inputs");
  config.expect("altup_active_idx", "altup.active_idx");
  put_rows(gguf, "laurel_rank", "blk.0.laurel_l.weight", config);
  put_sparsity(config);
}

/// Fields that only some families have, each under the names of all of them.
void add_own_fields(const GgufFile& gguf, Config& config) {
  Json& json = config.json;
  config.put_number({"attn_logit_softcapping"}, "attn_logit_softcapping");
  config.put_number({"final_logit_softcapping"}, "final_logit_softcapping");
  config.put_number({"embedding_multiplier"}, "embedding_scale");
  config.put_number({"residual_multiplier"}, "residual_scale");
  config.put_number({"attention_multiplier"}, "attention.scale");
  config.put_number({"logits_scaling", "logit_scale"}, "logit_scale");
  if (!config.has("logit_scale")) json["logit_scale"] = json["logits_scaling"] = 1;
  config.put_number({"clip_qkv"}, "attention.clamp_kqv");
  if (json.contains("num_key_value_heads")) json["num_kv_heads"] = json["num_key_value_heads"];
  config.names["num_kv_heads"] = config.key(kv_heads_key);
  // Mixtral's experts share what is 1 for each token, as do Qwen 3's and Granite's; Qwen 2's and OLMoE's not.
  config.put("num_local_experts", "expert_count");
  if (config.whole("expert_count").value_or(0) > 0) config.expect("num_experts_per_tok", "expert_used_count");
  config.put("moe_intermediate_size", "expert_feed_forward_length");
  config.put("shared_expert_intermediate_size", "expert_shared_feed_forward_length");
  json["norm_topk_prob"] = json["model_type"] == "qwen3_moe" || json["model_type"] == "qwen3_next";
  add_state(gguf, config);
  if (json["model_type"] == "deepseek_v2") add_latent(config);
  add_by_layers(gguf, config);
  json["use_qk_norm"] = json["qk_layernorm"] = gguf.has("blk.0.attn_q_norm.weight");
  // Falcon with groups is the newer one, whose norms are two or one.
  const std::int64_t all_heads = json["num_attention_heads"],
                     kv_heads = json.value("num_kv_heads", all_heads);
  const bool two_norms = gguf.has("blk.0.attn_norm_2.weight");
  json["multi_query"] = kv_heads == 1;
  json["new_decoder_architecture"] = two_norms || (kv_heads != 1 && kv_heads != all_heads);
  json["num_ln_in_parallel_attn"] = two_norms ? 2 : 1;
  if (const auto parallel = config.flag("use_parallel_residual")) json["use_parallel_residual"] = *parallel;
  // EXAONE's layers without a window have no positions, if there are any with one.
  if (json["model_type"] == "exaone4") {
    const auto window = config.whole("attention.sliding_window").value_or(0);
    json["sliding_window"] = window > 0 ? Json(window) : Json();
    put_layer_types(config);
  }
  if (json["model_type"] == "stablelm") json["use_parallel_residual"] = !gguf.has("blk.0.ffn_norm.weight");
  // Gemma's largest models divide by the width of a head as the others have it.
  constexpr int largest_gemma2 = 46, largest_gemma3 = 62;
  const std::int64_t layers = json["num_hidden_layers"], heads = json["num_attention_heads"];
  const std::int64_t equal = json["hidden_size"].get<std::int64_t>() / std::max<std::int64_t>(1, heads);
  json["query_pre_attn_scalar"] =
      layers == largest_gemma2 || layers == largest_gemma3 ? equal : json.value("head_dim", equal);
  // Granite's own default is 1.
  if (config.number("attention.scale").value_or(0) == 0)
    json["attention_multiplier"] =
        1 / std::sqrt(json.value("head_dim", std::max<double>(1, static_cast<double>(equal))));
}

Config config_of(const GgufFile& gguf, const GgufArchitecture& architecture) {
  Config config(gguf, architecture);
  config.expect("hidden_size", "embedding_length");
  config.expect("num_hidden_layers", "block_count");
  put_widths(config);
  config.expect("num_attention_heads", "attention.head_count");
  put_kv_heads(config);
  config.put("max_position_embeddings", "context_length");
  config.put("head_dim", "attention.key_length");
  config.put_number({"rms_norm_eps"}, "attention.layer_norm_rms_epsilon");
  config.put_number({"layer_norm_eps", "layer_norm_epsilon"}, "attention.layer_norm_epsilon");
  Json& json = config.json;
  const std::int64_t width = json["hidden_size"], heads = json["num_attention_heads"];
  if (!json.contains("head_dim") && heads > 0 && width % heads == 0 && width > 0)
    json["head_dim"] = width / heads;
  add_rope(config);
  add_own_fields(gguf, config);
  if (const auto* const words = gguf.tensor("token_embd.weight");
      words != nullptr && words->shape.size() == 2)
    json["vocab_size"] = words->shape[0];
  if (const auto* const types = gguf.tensor("token_types.weight"); types != nullptr && !types->shape.empty())
    json["type_vocab_size"] = types->shape[0];
  json["tie_word_embeddings"] = !gguf.has("output.weight");
  for (const auto& [field, key] : {std::pair{"bos_token_id", "tokenizer.ggml.bos_token_id"},
                                   {"eos_token_id", "tokenizer.ggml.eos_token_id"},
                                   {"pad_token_id", "tokenizer.ggml.padding_token_id"}})
    if (const auto id = gguf.metadata.whole(key, INT32_MAX)) json[field] = *id;
  config.names["vocab_size"] = "token_embd.weight";
  return config;
}

/// Divisors of the rotary frequencies, a tensor of float32; empty if there is none.
std::vector<double> frequency_divisors(const GgufFile& gguf, const char* name, Index count) {
  const auto* const entry = gguf.tensor(name);
  if (entry == nullptr) return {};
  const std::string where = gguf.metadata.source() + ": " + name;
  if (entry->dtype != Dtype::f32 || entry->shape != std::vector<Index>{count})
    throw input_error("{}: shape is [{}]; expected [{}] of float32", where,
                      fmt::format("{}", fmt::join(entry->shape, ", ")), count);
  Tensor values({count});
  copy_as_float({entry->dtype, entry->shape, gguf.bytes_of(*entry), entry->type_name}, values.data(), where);
  std::vector<double> divisors(values.data(), values.data() + values.size());
  if (!std::ranges::all_of(divisors, [](double one) { return std::isfinite(one) && one > 0; }))
    throw input_error("{}: expected positive numbers", where);
  return divisors;
}

constexpr std::string_view of_experts = "_exps.";

/// How many matrices, or rows of biases, a tensor of several has, which a family has apart; 0: it is none.
Index parts_in(const GgufHeader::Entry& entry, const ModelConfig& model) {
  if (model.alt_up && entry.name.starts_with("altup_")) return model.alt_up->streams - 1;
  const bool apart = model.experts && !model.experts->normed_apart;
  return apart && entry.name.find(of_experts) != std::string::npos ? model.experts->count : 0;
}

/// The matrices of a tensor, [parts, out, in], or its biases, [parts, out], apart.
void add_parts(const GgufFile& gguf, const GgufHeader::Entry& entry, Index parts,
               std::vector<GgufHeader::Entry>& tensors) {
  const bool bias = entry.name.ends_with(".bias");
  if (entry.shape.size() != (bias ? 2 : 3) || entry.shape[0] != parts)
    throw input_error("{}: {}: shape is [{}]; expected [{}{}], as the metadata say", gguf.metadata.source(),
                      cut_off(entry.name, 200), fmt::format("{}", fmt::join(entry.shape, ", ")), parts,
                      bias ? ", …" : ", …, …");
  const std::size_t size = entry.size / parts, at = entry.name.rfind('.') + 1;
  for (Index number = 0; number < parts; ++number) {
    GgufHeader::Entry& part = tensors.emplace_back(entry);
    part.name.insert(at, std::to_string(number) + ".");
    part.shape.erase(part.shape.begin());
    part.begin = entry.begin + number * size;
    part.size = size;
  }
}

/// Of "blk.12.attn_q.weight", 12; 0 if the model has no such layer.
Index layer_of(std::string_view name, const ModelConfig& model) {
  const std::string number(name.substr(std::min<std::size_t>(name.size(), 4), 6));
  const Index layer = std::atoi(number.c_str());
  return layer < model.body().layers ? layer : 0;
}

/// Of a mixer's weights llama.cpp drops axes of length 1, or adds one, and cuts norms into groups.
void as_family_has_it(GgufHeader::Entry& entry) {
  const auto ends = [&](std::string_view end) { return entry.name.ends_with(end); };
  if (entry.shape.size() != 2) return;
  if (ends(".ssm_conv1d.weight") || ends(".shortconv.conv.weight"))
    entry.shape.insert(entry.shape.begin() + 1, 1);
  else if (ends(".ssm_norm.weight"))
    entry.shape = {entry.shape[0] * entry.shape[1]};
  else if ((ends(".ssm_a") || ends(".ssm_d")) && entry.shape[1] == 1)
    entry.shape.pop_back();
}

/// The tensors of the file; a fused matrix of q, k and v as three if the family has three.
std::vector<GgufHeader::Entry> tensors_of(const GgufFile& gguf, const GgufArchitecture& architecture,
                                          const ModelConfig& model) {
  const bool split = row_of(architecture, "blk.#.attn_qkv") == nullptr && !model.state_mixer;
  constexpr std::string_view fused = ".attn_qkv.";
  std::vector<GgufHeader::Entry> tensors;
  for (const GgufHeader::Entry& entry : gguf.header.tensors) {
    if (const Index parts = parts_in(entry, model); parts > 0) {
      add_parts(gguf, entry, parts, tensors);
      continue;
    }
    const std::size_t at = entry.name.find(fused);
    if (!split || at == std::string::npos || entry.shape.empty()) {
      as_family_has_it(tensors.emplace_back(entry));
      continue;
    }
    const Index layer = layer_of(entry.name, model), d_k = head_dim_of(model, layer);
    const Index queries = model.body().heads * d_k, keys = model.body().kv_heads_of(layer) * d_k;
    const Index rows = entry.shape[0], all = queries + 2 * keys;
    if (rows != all)
      throw input_error("{}: {}: its number of rows is {}; expected {}, as the metadata say",
                        gguf.metadata.source(), cut_off(entry.name, 200), rows, all);
    const std::size_t row = entry.size / std::max<Index>(1, rows);
    std::size_t begin = entry.begin;
    for (const auto& [name, count] :
         {std::pair{".attn_q.", queries}, {".attn_k.", keys}, {".attn_v.", keys}}) {
      GgufHeader::Entry& part = tensors.emplace_back(entry);
      part.name.replace(at, fused.size(), name);
      part.shape[0] = count;
      part.begin = begin;
      part.size = row * count;
      begin += part.size;
    }
  }
  return tensors;
}

/// Whether nothing of it is needed to run the model on a text: factors that are read with the config, heads
/// of labels, the part of a model for pictures.
bool is_superfluous(std::string_view name) {
  return name.starts_with("rope_f") || name.find("rot") != std::string_view::npos ||
         name.starts_with("cls") || name.starts_with("v.") || name.starts_with("mm.");
}

/// Whether the family has no place for a tensor of a name that it knows.
bool is_unread(std::string_view name, const ModelConfig& model) {
  const bool norm = name.find("_norm") != std::string_view::npos, bias = name.ends_with(".bias");
  if (name == "output.bias") return head_names(model, model.output.kind).biases[0].empty();
  if (norm && bias) return family_of(model).norm == Norm::Kind::rms || !model.norm_bias;
  if (norm && !model.norm_weights) return true;
  if (name.find(".exp_probs_b.") != std::string_view::npos) return !model.experts || !model.experts->sigmoid;
  if (model.shared_norm && name.find(".ffn_norm.") != std::string_view::npos) return true;
  return model.qk_norm == QkNorm::none && name.find(".attn_q_norm.") != std::string_view::npos;
}

void expect_known_tensors(const GgufFile& gguf, const GgufArchitecture& architecture,
                          const ModelConfig& model) {
  for (const GgufHeader::Entry& entry : tensors_of(gguf, architecture, model)) {
    if (is_superfluous(entry.name)) continue;
    const bool known = renamed(architecture, entry.name) != entry.name;
    if (!known && (entry.name.ends_with(".scale") || entry.name.ends_with(".input_scale")))
      throw input_error("{}: {}: a factor of a whole quantized tensor, which is not read",
                        gguf.metadata.source(), cut_off(entry.name, 200));
    if (!known || is_unread(entry.name, model))
      throw input_error("{}: {}: a tensor that {} does not have", gguf.metadata.source(),
                        cut_off(entry.name, 200), to_name(model.family));
  }
}

/// What files repeat of YaRN's own temperature.
void expect_usual_yarn(const Config& config, const Rope& rope) {
  if (rope.scaling == RopeScaling::yarn)
    expect_number(config, "rope.scaling.yarn_attn_factor", yarn_attention_factor(rope.factor));
}

/// As the metadata have them; all else is as in other files of the family.
void set_rope(const GgufFile& gguf, const Config& config, bool in_pairs, ModelConfig& model) {
  Rope& rope = *model.rope;
  rope.in_pairs = in_pairs;
  rope.dimensions = config.whole("rope.dimension_count").value_or(model.head_dim);
  if (rope.dimensions < 2 || rope.dimensions % 2 != 0 || rope.dimensions > model.head_dim)
    throw input_error("{}: {} is {}; expected an even number from 2 to {}", config.source(),
                      config.key("rope.dimension_count"), rope.dimensions, model.head_dim);
  expect_usual_yarn(config, rope);
  const Index count = rope.dimensions / 2;
  std::vector<double> short_ones = frequency_divisors(gguf, "rope_factors_short.weight", count),
                      long_ones = frequency_divisors(gguf, "rope_factors_long.weight", count);
  const std::vector<double> all = frequency_divisors(gguf, "rope_freqs.weight", count);  // LLaMA 3.1's
  if (short_ones.empty() || long_ones.empty()) short_ones = long_ones = all;
  if (short_ones.empty()) {
    if (const char* const key = "rope.scaling.attn_factor"; rope.scaling != RopeScaling::yarn)
      expect_number(config, key, 1);
    return;
  }
  if (rope.scaling != RopeScaling::none)
    throw input_error("{}: {} is {}, and there are factors of frequencies; expected one of them",
                      config.source(), config.key("rope.scaling.factor"), rope.factor);
  rope.scaling = RopeScaling::longrope;
  rope.short_factors = std::move(short_ones);
  rope.long_factors = std::move(long_ones);
  rope.attention_factor = config.number("rope.scaling.attn_factor").value_or(1);
  rope.original_positions =
      static_cast<Index>(config.whole("rope.scaling.original_context_length").value_or(model.positions));
}

/// Gemma 4's layers without a window: frequencies as they are, behind those so small that they stand still.
void set_turned_pairs(const GgufFile& gguf, const Config& config, ModelConfig& model) {
  for (const auto& [key, has] : {std::pair{"rope.dimension_count", model.rope->dimensions},
                                 {"rope.dimension_count_swa", model.local_rope->dimensions}})
    if (const auto count = config.whole(key); count && *count != has)
      throw input_error("{}: {} is {}; expected {}", config.source(), config.key(key), *count, has);
  const char* const name = "rope_freqs.weight";
  const Index pairs = model.rope->dimensions / 2;
  const std::vector<double> divisors = frequency_divisors(gguf, name, pairs);
  if (divisors.empty())
    throw input_error("{}: the tensor is missing; {} needs it", config.source() + ": " + name,
                      to_name(model.family));
  model.rope->turned_pairs = std::ranges::count(divisors, 1.0);
  for (Index pair = 0; pair < pairs; ++pair)
    if (const float usual = pair < model.rope->turned_pairs ? 1 : 1e30F; divisors[pair] != usual)
      throw input_error("{}: {} is {}; expected {}", config.source(), fmt::format("{}[{}]", name, pair),
                        divisors[pair], usual);
}

/// YaRN's temperature is one of the scores, whose growth for a context is a tenth of the model's
/// mscale_all_dim.
void set_latent_scores(const Config& config, ModelConfig& model) {
  if (!model.latent || model.rope->scaling != RopeScaling::yarn) return;
  const char* const key = "rope.scaling.yarn_log_multiplier";
  const auto growth = config.number(key);
  if (!growth) throw input_error("{}: {} is missing; expected a number", config.source(), config.key(key));
  const double grown = 1 + *growth * std::log(model.rope->factor);
  model.score_factor = grown * grown / std::sqrt(model.head_dim);
}

/// [layers] whether a layer sees a window alone.
std::vector<bool> local_layers(const Config& config, Index every, Index layers) {
  std::vector<bool> local;
  for (const double layer : config.of_layers(windows_key)) local.push_back(layer != 0);
  if (!local.empty()) return local;
  if (config.has(windows_key)) every = *config.whole(windows_key);
  for (Index layer = 0; layer < layers; ++layer) local.push_back(every == 0 || layer % every < every - 1);
  return local;
}

void set_windows(const Config& config, const WindowRule& rule, ModelConfig& model) {
  const char* const key = "attention.sliding_window";
  if (rule.needed && !config.has(key))
    throw input_error("{}: {} is missing; expected a number", config.source(), config.key(key));
  const Index window = config.whole(key).value_or(rule.usual);
  if (rule.needed && window == 0)
    throw input_error("{}: {} is {}; expected a number above {}, at most {}", config.source(),
                      config.key(key), window, 0, model.positions);
  const std::vector<bool> local = local_layers(config, rule.every, model.body().layers);
  model.sliding_windows.assign(local.size(), 0);
  for (std::size_t layer = 0; layer < local.size(); ++layer)
    if (local[layer]) model.sliding_windows[layer] = window;
  Rope& rope = model.local_rope.emplace(*model.rope);
  if (!rule.scaled) {
    rope.scaling = RopeScaling::none;
    rope.attention_factor = 1;
  }
  if (rule.local_theta > 0) rope.theta = rule.local_theta;
  if (const auto theta = config.number("rope.freq_base_swa")) rope.theta = *theta;
  constexpr double largest = 1e15;
  if (rope.theta <= 1 || rope.theta > largest)
    throw input_error("{}: {} is {}; expected a number above {}, at most {}", config.source(),
                      config.key("rope.freq_base_swa"), rope.theta, 1, largest);
}

/// What the tensors show, or the conversion has changed about them.
void adapt(const GgufFile& gguf, const GgufArchitecture& architecture, ModelConfig& model) {
  const Config config(gguf, architecture);
  model.output_rows = true;
  // A bias in any layer is expected in all.
  const auto any = [&](std::initializer_list<std::string_view> ends) { return has_any(gguf, ends); };
  const bool optional = architecture.some_biased;
  model.qkv_bias = any({".attn_q.bias", ".attn_k.bias", ".attn_v.bias", ".attn_qkv.bias"}) ||
                   (model.qkv_bias && !optional);
  model.output_bias = any({".attn_output.bias"}) || (model.output_bias && !optional);
  model.mlp_bias = any({".ffn_up.bias", ".ffn_gate.bias", ".ffn_down.bias"}) || (model.mlp_bias && !optional);
  model.norm_offset = 0;
  model.fused_groups = 1;
  if (const auto* const tokens = gguf.metadata.numbers("tokenizer.ggml.suppress_tokens"))
    for (const double token : *tokens)
      if (token >= 0 && token < 1e9 && std::lround(token) < model.vocabulary)
        model.never_generated.push_back(std::lround(token));
  if (StateMixer* const mixer = model.state_mixer ? &*model.state_mixer : nullptr) {
    mixer->bias = any({".ssm_in.bias", ".shortconv.in_proj.bias"});
    mixer->taps_bias = any({".ssm_conv1d.bias", ".shortconv.conv.bias"});
    mixer->output_bias = any({".ssm_out.bias", ".shortconv.out_proj.bias"});
  }
  if (model.experts)
    for (std::size_t layer = 0; layer < model.experts->layers.size(); ++layer)
      model.experts->layers[layer] = gguf.has(fmt::format("blk.{}.ffn_gate_inp.weight", layer));
  const bool rms = family_of(model).norm == Norm::Kind::rms;
  model.norm_epsilon =
      config.number(rms ? "attention.layer_norm_rms_epsilon" : "attention.layer_norm_epsilon")
          .value_or(model.norm_epsilon);
  if (!gguf.has("token_types.weight")) model.token_types = 0;
  if (model.rope && model.rope->scaling == RopeScaling::proportional)
    set_turned_pairs(gguf, config, model);
  else if (model.rope)
    set_rope(gguf, config, architecture.in_pairs, model);
  if (architecture.windows) set_windows(config, *architecture.windows, model);
  set_latent_scores(config, model);
  config.expect_nothing_else(model);
  expect_known_keys(gguf.metadata, architecture.name, model);
  expect_known_tensors(gguf, architecture, model);
}

}  // namespace

ModelConfig read_gguf_config(const GgufFile& gguf) {
  const GgufArchitecture& architecture = architecture_of(gguf);
  const Config config = config_of(gguf, architecture);
  ModelConfig model = parse_config(config.json.dump(), gguf.metadata.source(), config.names);
  adapt(gguf, architecture, model);
  return model;
}

WeightFiles open_gguf_weights(const GgufFile& gguf) {
  const GgufArchitecture& architecture = architecture_of(gguf);
  const auto named_by = [&](auto rename) {
    return [&architecture, rename](std::string_view name) { return rename(architecture, name); };
  };
  const ModelConfig model = read_gguf_config(gguf);
  return WeightFiles::of_gguf(gguf.parts, tensors_of(gguf, architecture, model), named_by(renamed),
                              named_by(stored_name));
}

}  // namespace headscope
