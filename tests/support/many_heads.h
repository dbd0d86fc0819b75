#pragma once
#include <filesystem>
#include <string>

#include "tests/support/model_folder.h"

namespace headscope::tests {

/// More heads than a seeded layer can have.
inline constexpr int many_heads = 70;

/// A small GPT-2 of as many heads, whose words are w0 to w9.
inline void write_model_of_many_heads(const std::filesystem::path& folder) {
  constexpr int d_model = 2 * many_heads, inner = 4, words = 10, positions = 32, layers = 2;
  std::vector<WrittenTensor> tensors;
  const auto add = [&](const std::string& name, const std::vector<std::ptrdiff_t>& shape, double offset = 0) {
    tensors.push_back(drawn_tensor("many heads/" + name, name, "F32", shape, 0.4, offset));
  };
  const auto add_linear = [&](const std::string& name, int in, int out) {
    add(name + ".weight", {in, out});
    add(name + ".bias", {out});
  };
  const auto add_norm = [&](const std::string& name) {
    add(name + ".weight", {d_model}, 1);
    add(name + ".bias", {d_model});
  };
  add("wte.weight", {words, d_model});
  add("wpe.weight", {positions, d_model});
  for (int layer = 0; layer < layers; ++layer) {
    const std::string name = "h." + std::to_string(layer) + ".";
    add_norm(name + "ln_1");
    add_linear(name + "attn.c_attn", d_model, 3 * d_model);
    add_linear(name + "attn.c_proj", d_model, d_model);
    add_norm(name + "ln_2");
    add_linear(name + "mlp.c_fc", d_model, inner);
    add_linear(name + "mlp.c_proj", inner, d_model);
  }
  add_norm("ln_f");
  write_model_folder(folder,
                     {{"model_type", "gpt2"},
                      {"architectures", {"GPT2LMHeadModel"}},
                      {"n_embd", d_model},
                      {"n_head", many_heads},
                      {"n_layer", layers},
                      {"n_positions", positions},
                      {"vocab_size", words},
                      {"n_inner", inner}},
                     tensors);
  write_word_tokenizer(folder, words);
}

/// A capture of `layers` layers of `heads` heads, whose rows sum to 1.
inline void write_capture_of_heads(const std::filesystem::path& path, int layers, int heads, int tokens) {
  const auto rows = static_cast<std::size_t>(layers * heads * tokens),
             columns = static_cast<std::size_t>(tokens);
  std::vector<float> weights = drawn_numbers("capture", rows * columns, 1, 1.5);
  for (std::size_t row = 0; row < rows; ++row) {
    const auto begin = weights.begin() + static_cast<std::ptrdiff_t>(row * columns);
    const float sum = std::accumulate(begin, begin + tokens, 0.0F);
    std::for_each(begin, begin + tokens, [sum](float& weight) { weight /= sum; });
  }
  write_safetensors(path, {{"attention", "F32", {layers, heads, tokens, tokens}, bytes_as<float>(weights)}});
}

}  // namespace headscope::tests
