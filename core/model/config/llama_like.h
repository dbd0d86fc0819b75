#pragma once
#include <functional>
#include <optional>

#include "core/model/config/config_readers.h"
#include "core/model/config/rope_config.h"

namespace headscope {

/// Defaults of a class whose config.json has LLaMA's fields; 0: follows from others.
struct LlamaDefaults {
  Index vocabulary, d_model, d_ff, layers, heads, kv_heads, positions, head_dim;
  RopeDefaults rope = {};
};

/// What those classes have in common: sizes, rotary positions, RMSNorm, a gated feed-forward network.
void read_llama_like(const ConfigFields& config, const LlamaDefaults& usual, ModelConfig& model);

// Which layers have a window: see read_windows().

inline constexpr auto every_layer = [](Index /*layer*/) { return true; };

/// Every layer but each `every`-th.
std::function<bool(Index layer)> all_but_each(Index every);

/// Its width; none where it is null.
std::optional<Index> read_window(const ConfigFields& config, Index fallback);

/// As many experts as the first of `counts` that is there says.
Experts read_experts(const ConfigFields& config, Names counts, Index count, Index of_token,
                     const ModelConfig& model);
/// Qwen's fields: `count` experts by default, of whom a token takes `of_token`, each `d_ff` wide.
void read_qwen_experts(const ConfigFields& config, Index count, Index of_token, Index d_ff,
                       ModelConfig& model);

}  // namespace headscope
