#include "core/model/config/config_gemma.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "core/base/error.h"
#include "core/model/config/config_llama.h"
#include "core/model/config/llama_like.h"
#include "core/model/config/rope_config.h"

// As in config_families.cpp.

namespace headscope {
namespace {

/// What Gemma 3n and Gemma 4 have in addition to Gemma; `usual` for those of the last layers that share keys
/// and values, and `pattern` for which layers have no window.
void read_shared_like(const ConfigFields& config, Index usual, Index pattern, ModelConfig& model) {
  model.norm_offset = 0;
  model.qk_norm = QkNorm::head;
  model.value_norm = true;
  model.scale_scores = false;
  read_windows(config, read_positions(config, {"sliding_window"}, 512), all_but_each(pattern), model);
  if (model.family == ModelFamily::gemma4) model.sliding_windows.back() = 0;  // whatever the file says
  const Index layers = model.decoder.layers, shared = config.whole({"num_kv_shared_layers"}, usual, 0, 1000);
  if (shared >= layers)
    throw config.wrong("{}: {} is {}; expected less than {}", "num_kv_shared_layers", layers);
  if (shared == 0) return;
  const std::vector<Index>& windows = model.sliding_windows;
  for (Index layer = 0; layer < layers; ++layer) {
    Index from = std::min(layer, layers - shared - 1);
    while (from >= 0 && (windows[from] > 0) != (windows[layer] > 0)) --from;
    if (from < 0)
      throw config.wrong("{}: {} is {}; expected a layer with a window, and one without, before those",
                         "num_kv_shared_layers");
    model.decoder.keys_of.push_back(layer < layers - shared ? layer : from);
  }
}

void read_logit_cap(const ConfigFields& config, double usual, ModelConfig& model) {
  const char* const name = "final_logit_softcapping";
  if (config.is_null(name) || (usual == 0 && !config.has(name))) return;
  model.logit_cap = read_factor(config, name, usual);
}

void read_layer_embeddings(const ConfigFields& config, Index vocabulary, ModelConfig& model) {
  const Index width = config.whole({"hidden_size_per_layer_input"}, 256, 0, 1 << 20);
  if (width > 0)
    model.layer_embeddings =
        LayerEmbeddings{width, read_token_count(config, {"vocab_size_per_layer_input"}, vocabulary)};
}

/// One width, or one for each layer.
void read_widths(const ConfigFields& config, Index usual, ModelConfig& model) {
  const char* const name = "intermediate_size";
  LayerStack& stack = model.decoder;
  if (!config.has(name) || !config.json().at(name).is_array()) {
    stack.d_ff = read_inner_width(config, {name}, usual);
    return;
  }
  stack.d_ff_of_layers = config.tokens(name);
  if (std::ssize(stack.d_ff_of_layers) != stack.layers || std::ranges::min(stack.d_ff_of_layers) < 1)
    throw config.wrong("{}: {} is {}; expected a list of {}, one for each layer", name, stack.layers);
  stack.d_ff = std::ranges::max(stack.d_ff_of_layers);
  if (std::ranges::min(stack.d_ff_of_layers) == stack.d_ff) stack.d_ff_of_layers.clear();
}

void read_sparsity(const ConfigFields& config, ModelConfig& model) {
  const char* const name = "activation_sparsity_pattern";
  const Index layers = model.decoder.layers;
  constexpr Index usual_layers = 10;
  constexpr double usual = 0.95;
  if (!config.has(name)) {
    if (layers <= usual_layers) return;
    model.sparsity.assign(layers, 0);
    std::fill_n(model.sparsity.begin(), usual_layers, usual);
    return;
  }
  const auto& shares = config.json().at(name);
  const bool is_list = shares.is_array() && std::ssize(shares) == layers &&
                       std::ranges::all_of(shares, [](const nlohmann::json& share) {
                         return share.is_number() && share >= 0 && share < 1;
                       });
  if (!is_list) throw config.wrong("{}: {} is {}; expected a list of {}, one for each layer", name, layers);
  for (const auto& share : shares) model.sparsity.push_back(share.get<double>());
}

}  // namespace

// Gemma Team 2025.
void read_gemma3n_config(const ConfigFields& config, ModelConfig& model) {
  const RopeDefaults rope{.theta = 1e6, .layer_type = "full_attention"};
  read_gemma_like(config, {262400, 2048, 0, 35, 8, 2, 32768, 256, rope}, model);
  read_widths(config, 16384, model);
  read_shared_like(config, 15, 5, model);
  read_logit_cap(config, 30, model);
  read_layer_embeddings(config, 262144, model);
  if (!model.layer_embeddings)
    throw config.wrong("{}: {} is {}; expected a number above {}, at most {}", "hidden_size_per_layer_input",
                       0, 1 << 20);
  read_sparsity(config, model);
  model.local_rope = read_local_rope(config, model.head_dim, model.positions, rope);
  AltUp& alt_up = model.alt_up.emplace();
  alt_up.streams = config.whole({"altup_num_inputs"}, 4, 1, 64);
  alt_up.active = config.whole({"altup_active_idx"}, 0, 0, alt_up.streams - 1);
  alt_up.scaled = config.flag("altup_correct_scale", true);
  model.laurel_rank = read_width(config, {"laurel_rank"}, 64);
}

namespace {

/// Of layers of one type; `share`: of the pairs that turn, where the file leaves positions out.
Rope rope_of_type(const ConfigFields& config, const char* type, double theta, double share, Index head_dim,
                  Index positions) {
  if (head_dim % 2 != 0)
    throw input_error("{}: {} dimensions of a head are rotated; expected an even number, at least {}",
                      config.file(), head_dim, 2);
  const auto all = config.object("rope_parameters");
  if (!all) {
    Rope rope;
    rope.theta = theta;
    rope.dimensions = head_dim;
    if (share == 1) return rope;
    rope.scaling = RopeScaling::proportional;
    rope.turned_pairs = static_cast<Index>(share * static_cast<double>(head_dim)) / 2;
    return rope;
  }
  if (!all->object(type)) throw all->wrong("{}: {} is {}; expected an object", type);
  return read_rope(config, head_dim, positions,
                   {.theta = theta, .layer_type = type, .has_proportional = true});
}

/// Layers without a window have heads of another size, and may have keys that are values, of fewer heads.
void read_whole_layers(const ConfigFields& config, ModelConfig& model) {
  LayerStack& stack = model.decoder;
  const Index stated = config.whole({"global_head_dim"}, 512, 0, 1 << 20);
  const Index wide = stated == 0 ? model.head_dim : stated;
  model.rope = rope_of_type(config, "full_attention", 1e6, 0.25, wide, model.positions);
  model.local_rope = rope_of_type(config, "sliding_attention", 1e4, 1, model.head_dim, model.positions);
  // transformers' class has the frequencies of other types for the heads of layers with a window.
  if (wide != model.head_dim && model.rope->scaling != RopeScaling::proportional)
    throw config.wrong("{}: {} is {}; expected {} where global_head_dim is not head_dim", "rope_parameters",
                       "proportional");
  model.keys_are_values = config.flag("attention_k_eq_v", false);
  Index kv_heads = stack.kv_heads;
  if (model.keys_are_values) {
    const char* const name = "num_global_key_value_heads";
    if (!config.has(name))
      throw config.wrong("{}: {} is {}; expected a number above {}, at most {}", name, 0, stack.heads);
    kv_heads = read_heads(config, {name}, stack.kv_heads);
    config.expect_multiple({"num_attention_heads"}, stack.heads, {name}, kv_heads);
  }
  for (Index layer = 0; layer < stack.layers; ++layer) {
    const bool whole = model.sliding_windows[layer] == 0;
    if (wide != model.head_dim) stack.head_dims.push_back(whole ? wide : model.head_dim);
    if (kv_heads != stack.kv_heads) stack.kv_heads_of_layers.push_back(whole ? kv_heads : stack.kv_heads);
  }
}

Experts read_gemma4_experts(const ConfigFields& config, const ModelConfig& model) {
  for (const char* name : {"num_experts", "top_k_experts", "moe_intermediate_size"})
    if (!config.has(name))
      throw config.wrong("{}: {} is {}; expected a number above {}, at most {}", name, 0, 10'000);
  Experts experts = read_experts(config, {"num_experts"}, 1, 1, model);
  experts.of_token = config.whole({"top_k_experts"}, 1, 1, experts.count);
  experts.d_ff = read_inner_width(config, {"moe_intermediate_size"}, 1);
  experts.shared_d_ff = model.decoder.d_ff;
  experts.shared_plain = experts.normed_apart = true;
  return experts;
}

void read_gemma4_like(const ConfigFields& config, bool unified, ModelConfig& model) {
  const RopeDefaults rope{.theta = 1e6, .layer_type = "full_attention", .has_proportional = true};
  read_gemma_like(config, {262144, 2304, 0, 30, 8, 4, unified ? 262144 : 131072, 256, rope}, model);
  read_widths(config, 9216, model);
  // Pictures alone are seen in both directions.
  if (config.text({"use_bidirectional_attention"}, "vision") != "vision")
    throw config.wrong("{}: {} is {}; expected one of: {}", "use_bidirectional_attention", "null, vision");
  read_shared_like(config, 0, 6, model);
  read_logit_cap(config, 0, model);
  read_whole_layers(config, model);
  model.layer_factors = true;
  if (!unified) read_layer_embeddings(config, 262144, model);
  LayerStack& stack = model.decoder;
  if (config.flag("use_double_wide_mlp", false) && !stack.keys_of.empty()) {
    for (Index layer = 0; layer < stack.layers; ++layer)
      stack.d_ff_of_layers.push_back(stack.has_own_keys(layer) ? stack.d_ff : 2 * stack.d_ff);
    stack.d_ff *= 2;
  }
  if (!unified && config.flag("enable_moe_block", false)) model.experts = read_gemma4_experts(config, model);
}

}  // namespace

// Gemma Team 2026.
void read_gemma4_config(const ConfigFields& config, ModelConfig& model) {
  read_gemma4_like(config, config.text({"model_type"}, "") == "gemma4_unified_text", model);
}
void read_gemma4_unified_config(const ConfigFields& config, ModelConfig& model) {
  read_gemma4_like(config, true, model);
}

}  // namespace headscope
