#include "core/model/weights/model_size.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <vector>

#include "core/base/error.h"
#include "core/model/config/family.h"

namespace headscope {
namespace {

bool is_integer_type(const std::string& type) {
  return type.starts_with("int") || type.starts_with("uint") || type == "bool";
}

/// MXFP4 beside its scales: two numbers in a byte.
bool is_packed(const ModelConfig& config, std::string_view name) {
  return config.experts && config.experts->biased && name.ends_with("_blocks");
}

bool is_output_matrix(const ModelConfig& config, std::string_view name) {
  return name == family_of(config).head.output || name == "language_model.lm_head.weight";
}

bool is_embedding(std::string_view name) {
  return name.ends_with("wte.weight") || name.ends_with("embed_in.weight") ||
         name.ends_with("word_embeddings.weight") || name.ends_with("tok_embeddings.weight") ||
         name.ends_with("embed_tokens.weight") || name.ends_with("shared.weight");
}

/// Whether a tensor has the numbers of an embedding, another than itself.
bool repeats_embedding(const WeightFiles& weights, const TensorView& view) {
  return std::ranges::any_of(weights.tensors(), [&](const auto& tensor) {
    return is_embedding(tensor.first) && &tensor.second != &view && same_numbers(tensor.second, view);
  });
}

/// Whether a tensor belongs to a part that reads pictures.
bool is_of_picture_part(std::string_view name) {
  constexpr std::string_view parts[] = {
      "vision_tower.", "vision_model.", "visual.",       "multi_modal_projector.", "connector.",
      "image_newline", "audio_tower.",  "embed_vision.", "embed_audio.",           "vision_embedder."};
  return std::ranges::any_of(parts, [&](std::string_view part) {
    return name.starts_with(part) || name.starts_with("model." + std::string(part));
  });
}

/// Keys and values of a layer that reads those of another, which published files have, too.
bool is_of_shared_keys(const LayerStack& stack, std::string_view name) {
  constexpr std::string_view layers = "layers.", ends[] = {"k_proj.weight", "v_proj.weight", "k_proj.bias",
                                                           "v_proj.bias",   "k_norm.weight", "v_norm.weight"};
  const std::size_t at = name.find(layers);
  if (stack.keys_of.empty() || at == std::string_view::npos ||
      std::ranges::none_of(ends, [&](std::string_view end) { return name.ends_with(end); }))
    return false;
  const Index layer = std::atoi(std::string(name.substr(at + layers.size(), 4)).c_str());
  return layer < stack.layers && !stack.has_own_keys(layer);
}

/// "encoder.embed_tokens.weight" in addition to the same as "shared.weight", with or without "model." before
/// both.
bool is_copy_of_shared(const WeightFiles& weights, std::string_view name) {
  const TensorView& view = *weights.find(std::string(name));
  const auto repeats = [&](const std::string& other) {
    const TensorView* const first = weights.find(other);
    return first != nullptr && same_numbers(*first, view);
  };
  for (const std::string_view end : {"encoder.embed_tokens.weight", "decoder.embed_tokens.weight"})
    if (name.ends_with(end)) {
      const std::string prefix(name.substr(0, name.size() - end.size()));
      return repeats(prefix + "shared.weight") ||
             (end.starts_with("decoder") && repeats(prefix + "encoder.embed_tokens.weight"));
    }
  return false;
}

std::size_t stack_bytes(const ModelConfig& config, const LayerStack& stack, bool has_cross, bool causal,
                        std::size_t tokens) {
  const auto size = [](Index n) { return static_cast<std::size_t>(n); };
  const std::size_t d_model = size(config.d_model);
  // Marian's stacks divide d_model by their own numbers of heads.
  const std::size_t q =
      config.position_kind == PositionKind::sinusoidal ? d_model : size(stack.heads) * size(config.head_dim);
  const std::size_t kv = 2 * q / size(stack.heads) * size(stack.kv_heads);
  const std::size_t streams = config.alt_up ? 1 + size(config.alt_up->streams) : has_cross ? 2 : 1;
  std::size_t kept = size(stack.layers) * (d_model * streams + (has_cross ? kv : 0)), widest_kv = kv;
  for (Index layer = 0; layer < stack.layers && causal; ++layer) {
    const bool narrow = stack.head_dims.empty();
    const std::size_t own =
        2 * (narrow ? q / size(stack.heads) : size(stack.head_dims[layer])) * size(stack.kv_heads_of(layer));
    if (stack.has_own_keys(layer)) kept += own;
    widest_kv = std::max(widest_kv, own);
  }
  const Index widest =
      config.experts ? std::max(config.experts->d_ff, config.experts->shared_d_ff) : stack.d_ff;
  const std::size_t inner = size(std::max(widest, stack.d_ff)) * (config.gated ? 2 : 1);
  const std::size_t widest_q =
      stack.head_dims.empty() ? q : size(stack.heads) * size(std::ranges::max(stack.head_dims));
  const std::size_t working = 3 * d_model * streams + std::max(2 * widest_q + widest_kv, inner);
  return sizeof(float) * tokens * (kept + working);
}

constexpr double gigabyte = 1e9;

}  // namespace

bool same_numbers(const TensorView& a, const TensorView& b) {
  return a.type_name == b.type_name && a.shape == b.shape && std::ranges::equal(a.bytes, b.bytes);
}

bool is_buffer(const ModelConfig& config, std::string_view name) {
  const ModelFamily family = config.family;
  if (name.ends_with(".rotary_emb.inv_freq")) return true;
  if (family == ModelFamily::gpt2) return name.ends_with(".attn.bias") || name.ends_with(".attn.masked_bias");
  if (family == ModelFamily::esm) return name.ends_with(".rotary_embeddings.inv_freq");
  if (config.text_part_of != nullptr && is_of_picture_part(name)) return true;
  if (is_of_shared_keys(config.decoder, name)) return true;
  if (family == ModelFamily::gpt_neox || family == ModelFamily::gptj)
    return name.ends_with(".attention.bias") || name.ends_with(".attention.masked_bias") ||
           name.ends_with(".attn.bias") || name.ends_with(".attn.masked_bias");
  if (family == ModelFamily::gpt_neo)
    return name.ends_with(".attn.attention.bias") || name.ends_with(".attn.attention.masked_bias");
  return (family == ModelFamily::marian || family == ModelFamily::pegasus ||
          family == ModelFamily::m2m_100) &&
         (name.ends_with("embed_positions.weight") || name.ends_with("embed_positions.weights"));
}

bool is_second_bias(const ModelConfig& config, const WeightFiles& weights, std::string_view name) {
  const auto& [first, second] = family_of(config).head.biases;
  return name == second && weights.find(std::string(first)) != nullptr;
}

bool is_parameter(const ModelConfig& config, const WeightFiles& weights, std::string_view name) {
  const TensorView* view = weights.find(name);
  if (view == nullptr || is_buffer(config, name)) return false;
  if (is_integer_type(view->type_name)) return is_packed(config, name);
  if (config.tie_embeddings && is_output_matrix(config, name) && repeats_embedding(weights, *view))
    return false;
  if (config.shared_embeddings && is_copy_of_shared(weights, name)) return false;
  return !is_second_bias(config, weights, name);
}

std::size_t count_parameters(const ModelConfig& config, const WeightFiles& weights) {
  std::size_t count = 0;
  for (const auto& [name, view] : weights.tensors())
    if (is_parameter(config, weights, name)) count += view.size() * (is_packed(config, name) ? 2 : 1);
  return count;
}

std::string parameter_types(const ModelConfig& config, const WeightFiles& weights) {
  std::map<std::string, std::size_t> numbers;
  for (const auto& [name, view] : weights.tensors())
    if (is_parameter(config, weights, name))
      numbers[is_packed(config, name) ? block_of(Dtype::mxfp4).name : view.type_name] += view.size();
  std::vector<std::pair<std::size_t, std::string>> types;
  for (const auto& [type, count] : numbers) types.emplace_back(count, type);
  std::ranges::sort(types, std::greater<>());
  std::string list;
  for (const auto& [count, type] : types) list += (list.empty() ? "" : ", ") + type;
  return list;
}

std::size_t run_bytes(const ModelConfig& config, Index tokens) {
  const std::size_t n = tokens;
  std::size_t bytes = 0;
  if (config.has_encoder()) bytes += stack_bytes(config, config.encoder, false, config.causal, n);
  if (config.has_decoder()) bytes += stack_bytes(config, config.decoder, config.has_encoder(), true, n);
  return bytes;
}

void check_weights_fit(const std::string& folder, std::size_t weights, std::size_t available) {
  if (weights <= available) return;
  throw unable_error(
      "{}: the weights need {} GB of memory, {} GB are free; use a smaller model, or the same in float16",
      folder, fmt::format("{:.1f}", static_cast<double>(weights) / gigabyte),
      fmt::format("{:.1f}", static_cast<double>(available) / gigabyte));
}

ModelMemory model_memory(const ModelConfig& config, std::size_t weights, Index tokens, Index target) {
  const Index n = std::max(tokens, target);
  const std::size_t heads = std::max(config.encoder.heads, config.decoder.heads);
  return {weights, run_bytes(config, n), sizeof(float) * heads * (n * n)};
}

void check_memory(const ModelMemory& memory, std::size_t available) {
  if (memory.needed() / 10 <= available / 11) return;
  const auto gigabytes = [](std::size_t bytes) {
    return fmt::format("{:.1f}", static_cast<double>(bytes) / gigabyte);
  };
  throw unable_error(
      "this text needs {} GB of memory ({} GB for the layers' inputs, {} GB for maps; the weights, {} GB, "
      "stay "
      "in their files), {} GB are free; use a shorter text",
      gigabytes(memory.needed()), gigabytes(memory.run), gigabytes(memory.maps), gigabytes(memory.weights),
      gigabytes(available));
}

}  // namespace headscope
