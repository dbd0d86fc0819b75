#include "core/model/weights/gguf_keys.h"

#include <algorithm>
#include <optional>
#include <span>

#include "core/base/error.h"
#include "core/base/utf8.h"

namespace headscope {
namespace {

/// A key below the architecture's name.
struct GgufKey {
  std::string_view name;            ///< or the beginning of several, with a dot at its end
  std::string_view read_by = {};    ///< with commas around each; empty: by none, "*": by all
  std::optional<double> none = {};  ///< the number by which it changes nothing
};

constexpr std::string_view any_family = "*";
// Architectures with layers that see a window alone.
constexpr std::string_view windows = ",gemma2,gemma3,gemma3n,gemma4,olmo2,phi3,exaone4,gpt-oss,";
constexpr std::string_view latent = ",deepseek2,";
constexpr std::string_view shared = ",gemma3n,gemma4,";  // keys and values of an earlier layer
constexpr std::string_view delta = ",qwen3next,qwen35,qwen35moe,";
constexpr std::string_view state = ",qwen3next,qwen35,qwen35moe,falcon-h1,granitehybrid,";
constexpr std::string_view granite = ",granite,granitemoe,granitehybrid,";
constexpr std::string_view axes = ",qwen2vl,qwen3vl,qwen35,qwen35moe,";  // whose positions are one for a text

constexpr GgufKey known_keys[] = {{"embedding_length", any_family},
                                  {"block_count", any_family},
                                  {"feed_forward_length", any_family},
                                  {"context_length", any_family},
                                  {"attention.head_count", any_family},
                                  {"attention.head_count_kv", any_family},
                                  {"attention.key_length", any_family},
                                  {"attention.value_length", any_family},
                                  {"attention.layer_norm_epsilon", any_family},
                                  {"attention.layer_norm_rms_epsilon", any_family},
                                  {"attention.key_length_mla", latent},
                                  {"attention.value_length_mla", latent},
                                  {"attention.q_lora_rank", latent},
                                  {"attention.kv_lora_rank", latent},
                                  {"attention.key_length_swa", ",gemma4,"},
                                  {"attention.value_length_swa", ",gemma4,"},
                                  {"attention.shared_kv_layers", shared, 0},
                                  {"embedding_length_per_layer_input", shared, 0},
                                  {"altup.num_inputs", ",gemma3n,"},
                                  {"altup.active_idx", ",gemma3n,"},
                                  {"activation_sparsity_scale", ",gemma3n,"},
                                  {"attention.causal", any_family},
                                  {"attention.max_alibi_bias", any_family},
                                  {"attention.clamp_kqv", ",olmo,", 0},
                                  {"attention.scale", granite, 0},
                                  {"attention.sliding_window", windows, 0},
                                  {"attention.sliding_window_pattern", windows},
                                  {"attention.relative_buckets_count", {}, 0},
                                  {"attention.temperature_scale", ",mistral3,", 0},
                                  {"attn_logit_softcapping", ",gemma2,", 0},
                                  {"final_logit_softcapping", ",gemma2,gemma3,gemma3n,gemma4,", 0},
                                  {"embedding_scale", granite, 1},
                                  {"residual_scale", granite, 1},
                                  {"logit_scale", ",granite,granitemoe,granitehybrid,command-r,", 1},
                                  {"attention.recurrent_layers", delta, 0},
                                  {"full_attention_interval", delta, 1},
                                  {"shortconv.l_cache", ",lfm2,"},
                                  {"ssm.conv_kernel", state},
                                  {"ssm.state_size", state},
                                  {"ssm.group_count", state},
                                  {"ssm.time_step_rank", state},
                                  {"ssm.inner_size", state},
                                  {"use_parallel_residual", ",gptneox,stablelm,", 0},
                                  {"expert_count", any_family},
                                  {"nextn_predict_layers", {}, 0},
                                  {"rope.dimension_count", any_family},
                                  {"rope.dimension_count_swa", ",gemma4,"},
                                  {"rope.freq_base", any_family},
                                  {"rope.freq_base_swa", ",gemma2,gemma3,gemma3n,gemma4,"},
                                  {"rope.scale_linear", any_family},
                                  {"rope.scaling.type", any_family},
                                  {"rope.scaling.factor", any_family},
                                  {"rope.scaling.original_context_length", any_family},
                                  {"rope.scaling.attn_factor", any_family},
                                  {"rope.scaling.yarn_beta_fast", any_family},
                                  {"rope.scaling.yarn_beta_slow", any_family},
                                  {"rope.scaling.yarn_ext_factor", {}, 1},
                                  {"rope.scaling.yarn_attn_factor", any_family},
                                  {"rope.scaling.yarn_log_multiplier", ",deepseek2,mistral3,", 0},
                                  {"rope.scaling.yarn_truncate", any_family},
                                  {"rope.scaling.alpha", {}, 0},
                                  {"rope.dimension_sections", axes, 0}};

// Of the vocabulary, of vectors of whole texts, of files, of parts of a model that are not read.
constexpr std::string_view harmless[] = {"vocab_size", "pooling_type",       "classifier.",       "vision.",
                                         "mm.",        "tensor_data_layout", "n_deepstack_layers"};
// What is read of experts, or changes nothing about them at that number.
constexpr GgufKey expert_keys[] = {{"expert_used_count", any_family},
                                   {"expert_feed_forward_length", any_family},
                                   {"expert_shared_feed_forward_length", any_family},
                                   {"expert_shared_count", latent, 0},
                                   {"expert_weights_scale", latent, 0},
                                   {"expert_weights_norm", latent, 0},
                                   {"expert_group_count", latent, 0},
                                   {"expert_group_used_count", latent, 0},
                                   {"expert_gating_func", latent, 1},
                                   {"leading_dense_block_count", latent, 0},
                                   {"interleave_moe_layer_step", {}, 1},
                                   {"moe_every_n_layers", {}, 1}};
// Without experts they are of no use.
constexpr std::string_view keys_of_experts[] = {"expert_", "leading_dense_block_count",
                                                "interleave_moe_layer_step", "moe_every_n_layers"};

bool is_one_of(std::span<const std::string_view> names, std::string_view key) {
  return std::ranges::any_of(names, [&](std::string_view name) {
    return name.ends_with('.') || name.ends_with('_') ? key.starts_with(name) : key == name;
  });
}

/// The number of a value, or of all of a list; true is 1.
std::optional<double> number_of(const GgufValue& value) {
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? 1 : 0;
  if (const auto* number = std::get_if<double>(&value)) return *number;
  if (const auto* number = std::get_if<std::int64_t>(&value)) return static_cast<double>(*number);
  if (const auto* number = std::get_if<std::uint64_t>(&value)) return static_cast<double>(*number);
  const auto* const list = std::get_if<std::vector<double>>(&value);
  if (list == nullptr || list->empty() || std::ranges::count(*list, list->front()) != std::ssize(*list))
    return {};
  return list->front();
}

bool reads(const GgufKey& row, std::string_view architecture) {
  return row.read_by == any_family ||
         row.read_by.find("," + std::string(architecture) + ",") != std::string_view::npos;
}

const GgufKey* row_of(std::string_view key) {
  const std::span<const GgufKey> tables[] = {known_keys, expert_keys};
  for (const std::span<const GgufKey> keys : tables)
    if (const auto row = std::ranges::find(keys, key, &GgufKey::name); row != keys.end()) return &*row;
  return nullptr;
}

/// Whether it changes nothing about this model, read or not.
bool is_settled(std::string_view key, const GgufValue& value, std::string_view architecture,
                const ModelConfig& model) {
  if (is_one_of(harmless, key)) return true;
  // expert_count itself is read.
  if (!model.experts && is_one_of(keys_of_experts, key)) return true;
  if (key.starts_with("rope.") && !model.rope) return true;
  const bool has_windows =
      std::ranges::any_of(model.sliding_windows, [](Index window) { return window > 0; });
  // Granite's switch for rotary positions; elsewhere where a scaling comes from.
  if (key == "rope.scaling.finetuned") return architecture != "granite" || number_of(value) == 1;
  const GgufKey* const row = row_of(key);
  if (row == nullptr) return false;
  if (reads(*row, architecture)) return true;
  if (!has_windows && (key == "attention.sliding_window_pattern" || key == "rope.freq_base_swa")) return true;
  const auto number = number_of(value);
  return row->none && number && *number == *row->none;
}

}  // namespace

void expect_known_keys(const GgufMetadata& metadata, std::string_view architecture,
                       const ModelConfig& model) {
  const std::string prefix = std::string(architecture) + ".";
  for (const auto& [key, value] : metadata.all()) {
    if (!key.starts_with(prefix) ||
        is_settled(std::string_view(key).substr(prefix.size()), value, architecture, model))
      continue;
    throw input_error(
        "{}: {} is {}; it may change what the model computes, and is not read for this architecture",
        metadata.source(), cut_off(key, 100), shown(value));
  }
}

}  // namespace headscope
