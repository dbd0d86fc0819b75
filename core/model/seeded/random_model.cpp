#include "core/model/seeded/random_model.h"

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <vector>

#include "core/base/error.h"

namespace headscope {
namespace {

struct Gpt2Small {
  static constexpr std::int64_t d = 768, layers = 12, vocabulary = 50257, positions = 1024;
};

struct RandomTensor {
  std::string name;
  std::vector<std::int64_t> shape;
  float scale = 0, offset = 0;

  std::int64_t size() const { return shape[0] * (shape.size() > 1 ? shape[1] : 1); }
};

std::vector<RandomTensor> gpt2_small() {
  std::vector<RandomTensor> tensors{{"wte.weight", {Gpt2Small::vocabulary, Gpt2Small::d}, 0.05F},
                                    {"wpe.weight", {Gpt2Small::positions, Gpt2Small::d}, 0.02F}};
  const auto add_norm = [&](const std::string& name) {
    tensors.push_back({name + ".weight", {Gpt2Small::d}, 0.1F, 1});
    tensors.push_back({name + ".bias", {Gpt2Small::d}, 0.1F});
  };
  const auto add_dense = [&](const std::string& name, std::int64_t in, std::int64_t out) {
    tensors.push_back({name + ".weight", {in, out}, 0.05F});
    tensors.push_back({name + ".bias", {out}, 0.05F});
  };
  for (std::int64_t layer = 0; layer < Gpt2Small::layers; ++layer) {
    const std::string name = "h." + std::to_string(layer) + ".";
    add_norm(name + "ln_1");
    add_dense(name + "attn.c_attn", Gpt2Small::d, 3 * Gpt2Small::d);
    add_dense(name + "attn.c_proj", Gpt2Small::d, Gpt2Small::d);
    add_norm(name + "ln_2");
    add_dense(name + "mlp.c_fc", Gpt2Small::d, 4 * Gpt2Small::d);
    add_dense(name + "mlp.c_proj", 4 * Gpt2Small::d, Gpt2Small::d);
  }
  add_norm("ln_f");
  return tensors;
}

// Draws uniformly from offset ± scale, by xorshift64*.
void draw(const RandomTensor& tensor, std::uint64_t& state, std::vector<float>& numbers) {
  numbers.resize(static_cast<std::size_t>(tensor.size()));
  for (float& number : numbers) {
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    const auto drawn = static_cast<float>((state * 0x2545F4914F6CDD1DU) >> 40);
    number = tensor.offset + tensor.scale * (drawn * 0x1p-23F - 1);
  }
}

}  // namespace

void write_random_model(const std::string& folder) {
  const std::vector<RandomTensor> tensors = gpt2_small();
  nlohmann::json header = nlohmann::json::object();
  std::int64_t end = 0;
  for (const RandomTensor& tensor : tensors) {
    const std::int64_t begin = end;
    end += tensor.size() * static_cast<std::int64_t>(sizeof(float));
    header[tensor.name] = {{"dtype", "F32"}, {"shape", tensor.shape}, {"data_offsets", {begin, end}}};
  }
  std::string text = header.dump();
  text.resize((text.size() + 7) / 8 * 8, ' ');
  const std::uint64_t length = text.size();

  const std::filesystem::path path(folder);
  std::ofstream(path / "config.json")
      << R"({"model_type": "gpt2", "architectures": ["GPT2LMHeadModel"]})" << '\n';
  std::ofstream file(path / "model.safetensors", std::ios::binary);
  for (int byte = 0; byte < 8; ++byte) file.put(static_cast<char>(length >> (8 * byte)));
  file << text;
  std::uint64_t state = 42;
  std::vector<float> numbers;
  for (const RandomTensor& tensor : tensors) {
    draw(tensor, state, numbers);
    file.write(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(float));
  }
  file.close();
  if (!file) throw unable_error("{}: could not be written", (path / "model.safetensors").string());
}

}  // namespace headscope
