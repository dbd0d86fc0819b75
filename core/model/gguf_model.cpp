#include "core/model/gguf_model.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <span>

#include "core/base/error.h"
#include "core/base/utf8.h"
#include "core/io/gguf_file.h"
#include "core/model/config_fields.h"

namespace headscope {
namespace {

using Json = nlohmann::json;

// Names of tensors without ".weight" and ".bias"; # is a layer's number.
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
    {"blk.#.attn_qkv", "model.layers.#.self_attn.qkv_proj"},
    {"blk.#.attn_q_norm", "model.layers.#.self_attn.q_norm"},
    {"blk.#.attn_k_norm", "model.layers.#.self_attn.k_norm"},
    {"blk.#.attn_output", "model.layers.#.self_attn.o_proj"},
    {"blk.#.ffn_norm", "model.layers.#.post_attention_layernorm"},
    {"blk.#.ffn_gate", "model.layers.#.mlp.gate_proj"},
    {"blk.#.ffn_up", "model.layers.#.mlp.up_proj"},
    {"blk.#.ffn_down", "model.layers.#.mlp.down_proj"},
};
// In addition to LLaMA's, before which they come.
constexpr Renamed gemma2_tensors[] = {
    {"blk.#.post_attention_norm", "model.layers.#.post_attention_layernorm"},
    {"blk.#.ffn_norm", "model.layers.#.pre_feedforward_layernorm"},
    {"blk.#.post_ffw_norm", "model.layers.#.post_feedforward_layernorm"},
};
constexpr Renamed phi_tensors[] = {
    {"output_norm", "model.final_layernorm"},
    {"blk.#.attn_output", "model.layers.#.self_attn.dense"},
    {"blk.#.ffn_up", "model.layers.#.mlp.fc1"},
    {"blk.#.ffn_down", "model.layers.#.mlp.fc2"},
};
constexpr Renamed phi3_tensors[] = {{"blk.#.ffn_up", "model.layers.#.mlp.gate_up_proj"}};

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

/// An architecture of GGUF as the family that it is.
struct GgufArchitecture {
  const char* name;
  const char *model_type, *class_name;
  std::span<const Renamed> names;
  /// Rows of q and k are permuted: dimensions that are rotated together are neighbours.
  bool in_pairs = false;
  std::span<const Renamed> own = {};  ///< names that come before the others
  const char* only_with = nullptr;    ///< a tensor that the next row of this name does not have
};
constexpr GgufArchitecture architectures[] = {
    {"llama", "llama", "LlamaForCausalLM", llama_tensors, true},
    {"qwen2", "qwen2", "Qwen2ForCausalLM", llama_tensors},
    {"qwen3", "qwen3", "Qwen3ForCausalLM", llama_tensors},
    {"gemma", "gemma", "GemmaForCausalLM", llama_tensors},
    {"gemma2", "gemma2", "Gemma2ForCausalLM", llama_tensors, false, gemma2_tensors},
    {"gemma3", "gemma3_text", "Gemma3ForCausalLM", llama_tensors, false, gemma2_tensors},
    {"olmo", "olmo", "OlmoForCausalLM", llama_tensors, true},
    {"olmo2", "olmo2", "Olmo2ForCausalLM", llama_tensors, false, gemma2_tensors},
    {"granite", "granite", "GraniteForCausalLM", llama_tensors, true},
    {"smollm3", "smollm3", "SmolLM3ForCausalLM", llama_tensors, true},
    {"stablelm", "stablelm", "StableLmForCausalLM", llama_tensors},
    {"command-r", "cohere", "CohereForCausalLM", llama_tensors, true},
    {"phi2", "phi", "PhiForCausalLM", llama_tensors, false, phi_tensors},
    {"phi3", "phi3", "Phi3ForCausalLM", llama_tensors, false, phi3_tensors},
    {"gpt2", "gpt2", "GPT2LMHeadModel", gpt2_tensors},
    {"gptneox", "gpt_neox", "GPTNeoXForCausalLM", gpt_neox_tensors},
    {"bloom", "bloom", "BloomForCausalLM", bloom_tensors},
    {"falcon", "falcon", "FalconForCausalLM", bloom_tensors, false, falcon_two_norms_tensors,
     "blk.0.attn_norm_2.weight"},
    {"falcon", "falcon", "FalconForCausalLM", bloom_tensors},
    {"bert", "bert", "BertModel", bert_tensors}};

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
  const Renamed* row = nullptr;
  for (const std::span<const Renamed> names : {architecture.own, architecture.names}) {
    const auto found = std::ranges::find(names, std::string_view(pattern), &Renamed::from);
    if (row == nullptr && found != names.end()) row = &*found;
  }
  if (row == nullptr) return std::string(name);
  std::string result(row->to);
  if (const std::size_t at = result.find('#'); at != std::string::npos) result.replace(at, 1, layer);
  return result + std::string(end);
}

/// The name in the file of a tensor that has this one in the family; that itself if there is none.
std::string stored_name(const GgufArchitecture& architecture, std::string_view name) {
  std::string_view stem = name, end;
  for (const std::string_view one : {".weight", ".bias"})
    if (name.ends_with(one)) stem = name.substr(0, name.size() - one.size()), end = one;
  for (const std::span<const Renamed> names : {architecture.own, architecture.names})
    for (const Renamed& row : names) {
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
  std::string known, last;
  for (const GgufArchitecture& row : architectures) {
    if (*name == row.name && (row.only_with == nullptr || gguf.has(row.only_with))) return row;
    if (last != row.name) known += (known.empty() ? "" : ", ") + std::string(row.name);
    last = row.name;
  }
  throw input_error(
      "{}: the architecture {} is not known; expected one of: {}. Attention of any other model can be opened "
      "as a capture (.npz or .safetensors) that Python wrote; the README has the lines",
      gguf.metadata.source(), cut_off(*name, 60), known);
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
    if (const auto count = whole("expert_count").value_or(0); count > 0) refuse("expert_count", count, 0);
    const auto keys = whole("attention.key_length"), values = whole("attention.value_length");
    if (values && keys && *values != *keys) refuse("attention.value_length", *values, *keys);
    const double usual = model.position_kind == PositionKind::linear ? 8 : 0,
                 bias = number("attention.max_alibi_bias").value_or(usual);
    if (bias != usual) refuse("attention.max_alibi_bias", bias, usual);
  }

  Json json = Json::object();
  FieldNames names;

 private:
  const GgufFile& gguf_;
  std::string prefix_;
};

void add_rope(Config& config) {
  config.put_number({"rope_theta"}, "rope.freq_base");
  const auto dimensions = config.whole("rope.dimension_count");
  const auto width = config.whole("attention.key_length");
  const std::int64_t heads =
      std::max<std::int64_t>(1, config.json["num_attention_heads"].get<std::int64_t>());
  const std::int64_t head_dim = width.value_or(config.json["hidden_size"].get<std::int64_t>() / heads);
  if (dimensions && (*dimensions < 2 || *dimensions % 2 != 0 || *dimensions > head_dim))
    throw input_error("{}: {} is {}; expected an even number from 2 to {}", config.source(),
                      config.key("rope.dimension_count"), *dimensions, head_dim);
  if (dimensions && *dimensions < head_dim)
    config.json["partial_rotary_factor"] = static_cast<double>(*dimensions) / static_cast<double>(head_dim);
  const std::string scaling = config.text("rope.scaling.type").value_or("none");
  for (const auto& [field, key] :
       {std::pair{"rope_type", "rope.scaling.type"},
        {"factor", "rope.scaling.factor"},
        {"original_max_position_embeddings", "rope.scaling.original_context_length"}})
    config.names[std::string("rope_scaling.") + field] = config.key(key);
  config.names["partial_rotary_factor"] = config.key("rope.dimension_count");
  if (scaling == "none" || scaling.empty() || scaling == "longrope") return;  // that has its tensors
  Json rope{{"rope_type", scaling}};
  if (const auto factor = config.number("rope.scaling.factor")) rope["factor"] = *factor;
  if (const auto before = config.whole("rope.scaling.original_context_length"))
    rope["original_max_position_embeddings"] = *before;
  config.json["rope_scaling"] = std::move(rope);
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
  config.put_number({"clip_qkv"}, "attention.clamp_kqv");
  config.put("n_inner", "feed_forward_length");          // BLOOM, GPT-2
  config.put("ffn_hidden_size", "feed_forward_length");  // Falcon
  config.put("num_kv_heads", "attention.head_count_kv");
  json["use_qk_norm"] = json["qk_layernorm"] = gguf.has("blk.0.attn_q_norm.weight");
  json["multi_query"] = json.value("num_kv_heads", std::int64_t{0}) == 1;
  json["new_decoder_architecture"] = gguf.has("blk.0.attn_norm_2.weight");
  if (const auto parallel = config.flag("use_parallel_residual")) json["use_parallel_residual"] = *parallel;
  // Gemma's largest models divide by the width of a head as the others have it.
  constexpr int largest_gemma2 = 46, largest_gemma3 = 62;
  const std::int64_t layers = json["num_hidden_layers"], heads = json["num_attention_heads"];
  const std::int64_t equal = json["hidden_size"].get<std::int64_t>() / std::max<std::int64_t>(1, heads);
  json["query_pre_attn_scalar"] =
      layers == largest_gemma2 || layers == largest_gemma3 ? equal : json.value("head_dim", equal);
}

Config config_of(const GgufFile& gguf, const GgufArchitecture& architecture) {
  Config config(gguf, architecture);
  config.expect("hidden_size", "embedding_length");
  config.expect("num_hidden_layers", "block_count");
  config.expect("intermediate_size", "feed_forward_length");
  config.expect("num_attention_heads", "attention.head_count");
  config.put("num_key_value_heads", "attention.head_count_kv");
  config.put("max_position_embeddings", "context_length");
  config.put("head_dim", "attention.key_length");
  config.put("sliding_window", "attention.sliding_window");
  config.put_number({"rms_norm_eps"}, "attention.layer_norm_rms_epsilon");
  config.put_number({"layer_norm_eps", "layer_norm_epsilon"}, "attention.layer_norm_epsilon");
  add_rope(config);
  add_own_fields(gguf, config);
  Json& json = config.json;
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

/// What the tensors show, or the conversion has changed about them.
void adapt(const GgufFile& gguf, const GgufArchitecture& architecture, ModelConfig& model) {
  const Config config(gguf, architecture);
  config.expect_nothing_else(model);
  model.output_rows = true;
  // A bias in any layer is expected in all.
  const auto any = [&](std::initializer_list<std::string_view> ends) {
    return std::ranges::any_of(gguf.header.tensors, [&](const GgufHeader::Entry& entry) {
      return std::ranges::any_of(ends, [&](std::string_view end) { return entry.name.ends_with(end); });
    });
  };
  const bool optional = model.family == ModelFamily::gpt_neox;
  model.qkv_bias = any({".attn_q.bias", ".attn_k.bias", ".attn_v.bias", ".attn_qkv.bias"}) ||
                   (model.qkv_bias && !optional);
  model.output_bias = any({".attn_output.bias"}) || (model.output_bias && !optional);
  model.mlp_bias = any({".ffn_up.bias", ".ffn_gate.bias", ".ffn_down.bias"}) || model.mlp_bias;
  for (const GgufHeader::Entry& entry : gguf.header.tensors)
    if ((entry.name.starts_with("blk.") && renamed(architecture, entry.name) == entry.name &&
         entry.name.find("rot") == std::string::npos) ||
        (model.qk_norm == QkNorm::none && entry.name.ends_with(".attn_q_norm.weight")))
      throw input_error("{}: {}: a tensor that {} does not have", gguf.metadata.source(),
                        cut_off(entry.name, 200), to_name(model.family));
  model.norm_offset = 0;
  model.fused_groups = false;
  if (!model.rope) return;
  Rope& rope = *model.rope;
  rope.in_pairs = architecture.in_pairs;
  const Index count = rope.dimensions / 2;
  std::vector<double> short_ones = frequency_divisors(gguf, "rope_factors_short.weight", count),
                      long_ones = frequency_divisors(gguf, "rope_factors_long.weight", count);
  const std::vector<double> all = frequency_divisors(gguf, "rope_freqs.weight", count);  // LLaMA 3.1's
  if (short_ones.empty() || long_ones.empty()) short_ones = long_ones = all;
  if (short_ones.empty()) return;
  rope.scaling = RopeScaling::longrope;
  rope.short_factors = std::move(short_ones);
  rope.long_factors = std::move(long_ones);
  rope.attention_factor = config.number("rope.scaling.attn_factor").value_or(1);
  rope.original_positions =
      static_cast<Index>(config.whole("rope.scaling.original_context_length").value_or(model.positions));
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
  return WeightFiles::of_gguf(gguf.parts, gguf.header.tensors, named_by(renamed), named_by(stored_name));
}

}  // namespace headscope
