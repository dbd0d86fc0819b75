#pragma once
#include <functional>

#include "tests/support/model_folder.h"

namespace headscope::tests {

/// Writes a GGUF file of version 3.
class GgufWriter {
 public:
  void number(const std::string& key, std::uint32_t value) { add(key, 4, raw(value)); }
  void real(const std::string& key, float value) { add(key, 6, raw(value)); }
  void flag(const std::string& key, bool value) { add(key, 7, std::string(1, value ? '\1' : '\0')); }
  void text(const std::string& key, const std::string& value) { add(key, 8, counted(value)); }
  void texts(const std::string& key, const std::vector<std::string>& values) {
    std::string bytes = raw(std::uint32_t{8}) + raw(std::uint64_t{values.size()});
    for (const std::string& value : values) bytes += counted(value);
    add(key, 9, bytes);
  }
  void reals(const std::string& key, const std::vector<float>& values) {
    std::string bytes = raw(std::uint32_t{6}) + raw(std::uint64_t{values.size()});
    for (const float value : values) bytes += raw(value);
    add(key, 9, bytes);
  }
  void kinds(const std::vector<std::int32_t>& values) { kinds_of("tokenizer.ggml.token_type", values); }
  void kinds_of(const std::string& key, const std::vector<std::int32_t>& values) {
    std::string bytes = raw(std::uint32_t{5}) + raw(std::uint64_t{values.size()});
    for (const std::int32_t value : values) bytes += raw(value);
    add(key, 9, bytes);
  }
  /// `type` is ggml's number; the shape is outermost first.
  void tensor(const std::string& name, std::uint32_t type, const std::vector<std::ptrdiff_t>& shape,
              const std::string& bytes) {
    std::string entry = counted(name) + raw(static_cast<std::uint32_t>(shape.size()));
    for (auto size = shape.rbegin(); size != shape.rend(); ++size)
      entry += raw(static_cast<std::uint64_t>(*size));
    entries_ += entry + raw(type) + raw(std::uint64_t{data_.size()});
    data_ += bytes;
    data_.resize((data_.size() + 31) / 32 * 32, '\0');
    ++tensors_;
  }
  std::string bytes() const {
    std::string file = "GGUF" + raw(std::uint32_t{3}) + raw(tensors_) + raw(values_) + metadata_ + entries_;
    file.resize((file.size() + 31) / 32 * 32, '\0');
    return file + data_;
  }
  void write(const std::filesystem::path& path) const { std::ofstream(path, std::ios::binary) << bytes(); }

  template <typename Value>
  static std::string raw(Value value) {
    return {reinterpret_cast<const char*>(&value), sizeof value};
  }
  static std::string counted(const std::string& text) { return raw(std::uint64_t{text.size()}) + text; }

 private:
  void add(const std::string& key, std::uint32_t type, const std::string& value) {
    metadata_ += counted(key) + raw(type) + value;
    ++values_;
  }

  std::string metadata_, entries_, data_;
  std::uint64_t tensors_ = 0, values_ = 0;
};

/// A byte-level tokenizer whose tokens are the letters from a on, and two of them together.
inline void add_letters_tokenizer(GgufWriter& gguf, int tokens) {
  std::vector<std::string> texts{"a", "b", "c", "d", "ab", "Ġ", "Ġa"};
  while (std::ssize(texts) < tokens) texts.push_back("<" + std::to_string(texts.size()) + ">");
  gguf.text("tokenizer.ggml.model", "gpt2");
  gguf.text("tokenizer.ggml.pre", "gpt-2");
  gguf.texts("tokenizer.ggml.tokens", texts);
  gguf.texts("tokenizer.ggml.merges", {"a b", "Ġ a"});
}

/// A case of models.json as GGUF has it: its config's fields under GGUF's keys, its tensors with the names
/// that `names` replace (each once), after `convert`.
inline GgufWriter gguf_of(const Json& entry, const std::string& architecture,
                          const std::vector<std::pair<std::string, std::string>>& names,
                          const std::function<void(WrittenTensor&)>& convert = {}) {
  GgufWriter gguf;
  const Json& config = entry["config"];
  gguf.text("general.architecture", architecture);
  const auto put = [&](const std::string& key, std::initializer_list<const char*> fields) {
    for (const char* field : fields)
      if (config.contains(field)) return gguf.number(architecture + "." + key, config[field]);
  };
  put("embedding_length", {"hidden_size", "n_embd"});
  put("block_count", {"num_hidden_layers", "n_layer"});
  put("attention.head_count", {"num_attention_heads", "n_head"});
  put("attention.head_count_kv", {"num_key_value_heads", "num_kv_heads"});
  put("attention.key_length", {"head_dim"});
  put("attention.sliding_window", {"sliding_window"});
  put("context_length", {"max_position_embeddings", "n_positions"});
  if (config.contains("intermediate_size"))
    put("feed_forward_length", {"intermediate_size"});
  else
    gguf.number(architecture + ".feed_forward_length",
                4 * config[config.contains("n_embd") ? "n_embd" : "hidden_size"].get<std::uint32_t>());
  for (const auto& [field, key] : {std::pair{"rms_norm_eps", "attention.layer_norm_rms_epsilon"},
                                   {"layer_norm_eps", "attention.layer_norm_epsilon"},
                                   {"layer_norm_epsilon", "attention.layer_norm_epsilon"},
                                   {"rope_theta", "rope.freq_base"},
                                   {"rotary_emb_base", "rope.freq_base"},
                                   {"attn_logit_softcapping", "attn_logit_softcapping"},
                                   {"final_logit_softcapping", "final_logit_softcapping"},
                                   {"embedding_multiplier", "embedding_scale"},
                                   {"residual_multiplier", "residual_scale"},
                                   {"attention_multiplier", "attention.scale"},
                                   {"logits_scaling", "logit_scale"},
                                   {"clip_qkv", "attention.clamp_kqv"}})
    if (config.contains(field)) gguf.real(architecture + "." + key, config[field]);
  if (config.contains("use_parallel_residual"))
    gguf.flag(architecture + ".use_parallel_residual", config["use_parallel_residual"]);
  for (WrittenTensor tensor : tensors_of(entry)) {
    if (convert) convert(tensor);
    for (const auto& [from, to] : names)
      if (const std::size_t at = tensor.name.find(from); at != std::string::npos)
        tensor.name.replace(at, from.size(), to);
    gguf.tensor(tensor.name,
                tensor.dtype == "F32"   ? 0
                : tensor.dtype == "F16" ? 1
                                        : 30,
                tensor.shape, tensor.bytes);
  }
  return gguf;
}

/// Its rows in another order: row i is what was row `from[i]`.
inline void reorder_rows(WrittenTensor& tensor, const std::vector<std::ptrdiff_t>& from) {
  const std::size_t row = tensor.bytes.size() / from.size();
  std::string bytes;
  for (const std::ptrdiff_t i : from) bytes += tensor.bytes.substr(static_cast<std::size_t>(i) * row, row);
  tensor.bytes = bytes;
}

}  // namespace headscope::tests
