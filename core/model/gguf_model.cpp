#include "core/model/gguf_model.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <span>

#include "core/base/error.h"
#include "core/base/utf8.h"
#include "core/io/gguf_metadata.h"
#include "core/io/mapped_file.h"

namespace headscope {
namespace {

using Json = nlohmann::json;

// Names of tensors without ".weight" and ".bias"; # is a layer's number.
struct Renamed {
  std::string_view from, to;
};

constexpr Renamed llama_names[] = {
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
constexpr Renamed gpt2_names[] = {
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
constexpr Renamed bert_names[] = {
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
};
constexpr GgufArchitecture architectures[] = {{"llama", "llama", "LlamaForCausalLM", llama_names},
                                              {"qwen2", "qwen2", "Qwen2ForCausalLM", llama_names},
                                              {"qwen3", "qwen3", "Qwen3ForCausalLM", llama_names},
                                              {"gpt2", "gpt2", "GPT2LMHeadModel", gpt2_names},
                                              {"bert", "bert", "BertModel", bert_names}};

const GgufArchitecture& architecture_of(const GgufMetadata& metadata) {
  const char* const key = "general.architecture";
  const auto name = metadata.text(key);
  if (!name) throw metadata.wrong("{}: {}: expected the architecture of the model", key);
  std::string known;
  for (const GgufArchitecture& row : architectures) {
    if (*name == row.name) return row;
    known += (known.empty() ? "" : ", ") + std::string(row.name);
  }
  throw input_error(
      "{}: the architecture {} is not known; expected one of: {}. Attention of any other model can be opened "
      "as a capture (.npz or .safetensors) that Python wrote; the README has the lines",
      metadata.source(), cut_off(*name, 60), known);
}

/// "blk.12.attn_q.weight" as "model.layers.12.self_attn.q_proj.weight"; a name that is not known stays.
std::string renamed(std::span<const Renamed> names, std::string_view name) {
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
  const auto found = std::ranges::find(names, std::string_view(pattern), &Renamed::from);
  if (found == names.end()) return std::string(name);
  std::string result(found->to);
  if (const std::size_t at = result.find('#'); at != std::string::npos) result.replace(at, 1, layer);
  return result + std::string(end);
}

/// A GGUF file that is open, with what its header says.
struct OpenGguf {
  explicit OpenGguf(const std::string& path)
      : file(path), header(parse_gguf(file.bytes(), path)), metadata(header, path) {
    file.check_whole();
  }
  const GgufHeader::Entry* tensor(std::string_view name) const {
    const auto found = std::ranges::find(header.tensors, name, &GgufHeader::Entry::name);
    return found == header.tensors.end() ? nullptr : &*found;
  }
  bool has(std::string_view name) const { return tensor(name) != nullptr; }

  MappedFile file;
  GgufHeader header;
  GgufMetadata metadata;
};

/// Metadata of the architecture, written into a config.json.
class Config {
 public:
  Config(const OpenGguf& gguf, const GgufArchitecture& architecture)
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

  void put(const char* field, const char* key) {
    if (const auto value = whole(key)) json[field] = *value;
  }
  void put_number(std::initializer_list<const char*> fields, const char* key) {
    if (const auto value = number(key))
      for (const char* field : fields) json[field] = *value;
  }
  /// Throws if the file does not give it.
  void expect(const char* field, const char* key) {
    put(field, key);
    if (!json.contains(field)) throw gguf_.metadata.wrong("{}: {}: expected a number", prefix_ + key);
  }

  Json json = Json::object();

 private:
  const OpenGguf& gguf_;
  std::string prefix_;
};

void add_rope(Config& config) {
  config.put_number({"rope_theta"}, "rope.freq_base");
  const auto dimensions = config.whole("rope.dimension_count");
  const auto width = config.whole("attention.key_length");
  const std::int64_t heads =
      std::max<std::int64_t>(1, config.json["num_attention_heads"].get<std::int64_t>());
  const std::int64_t head_dim = width.value_or(config.json["hidden_size"].get<std::int64_t>() / heads);
  if (dimensions && head_dim > 0 && *dimensions < head_dim)
    config.json["partial_rotary_factor"] = static_cast<double>(*dimensions) / static_cast<double>(head_dim);
  const std::string scaling = config.text("rope.scaling.type").value_or("none");
  if (scaling == "none" || scaling.empty()) return;
  Json rope{{"rope_type", scaling}};
  if (const auto factor = config.number("rope.scaling.factor")) rope["factor"] = *factor;
  if (const auto before = config.whole("rope.scaling.original_context_length"))
    rope["original_max_position_embeddings"] = *before;
  config.json["rope_scaling"] = std::move(rope);
}

Json config_json(const OpenGguf& gguf, const GgufArchitecture& architecture) {
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
  return json;
}

/// What the file itself shows or the conversion has changed.
void adapt(const OpenGguf& gguf, const GgufArchitecture& /*architecture*/, ModelConfig& model) {
  model.output_rows = true;
  if (model.rope) {
    model.qkv_bias = gguf.has("blk.0.attn_q.bias") || gguf.has("blk.0.attn_qkv.bias");
    model.output_bias = gguf.has("blk.0.attn_output.bias");
  }
  // LLaMA's rows of q and k are permuted: dimensions that are rotated together are neighbours.
  if (architecture.name == std::string_view("llama")) model.rope->in_pairs = true;
  // The frequencies of LLaMA 3.1 are divided by factors that the file has.
  const auto* const factors = gguf.tensor("rope_freqs.weight");
  if (!model.rope || factors == nullptr) return;
  const std::string where = gguf.metadata.source() + ": " + factors->name;
  if (factors->dtype != Dtype::f32 || factors->shape != std::vector<Index>{model.rope->dimensions / 2})
    throw input_error("{}: shape is [{}]; expected [{}] of float32", where,
                      fmt::format("{}", fmt::join(factors->shape, ", ")), model.rope->dimensions / 2);
  Tensor values({model.rope->dimensions / 2});
  const auto bytes = gguf.file.bytes().subspan(factors->begin, factors->size);
  copy_as_float({factors->dtype, factors->shape, bytes, factors->type_name}, values.data(), where);
  std::vector<double> divisors(values.data(), values.data() + values.size());
  if (!std::ranges::all_of(divisors, [](double one) { return std::isfinite(one) && one > 0; }))
    throw input_error("{}: expected positive numbers", where);
  model.rope->scaling = RopeScaling::longrope;
  model.rope->short_factors = model.rope->long_factors = std::move(divisors);
}

}  // namespace

ModelConfig read_gguf_config(const std::string& path) {
  const OpenGguf gguf(path);
  const GgufArchitecture& architecture = architecture_of(gguf.metadata);
  ModelConfig model = parse_config(config_json(gguf, architecture).dump(), path);
  adapt(gguf, architecture, model);
  return model;
}

WeightFiles open_gguf_weights(const std::string& path) {
  const OpenGguf gguf(path);
  const GgufArchitecture& architecture = architecture_of(gguf.metadata);
  return WeightFiles::open_gguf(path,
                                [&](std::string_view name) { return renamed(architecture.names, name); });
}

std::string gguf_chat_template(const std::string& path) {
  return OpenGguf(path).metadata.text("tokenizer.chat_template").value_or("");
}

}  // namespace headscope
