#pragma once
#include <Eigen/Core>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/support/testing.h"

namespace headscope::tests {

using Json = nlohmann::json;

/// A tensor as a file has it.
struct WrittenTensor {
  std::string name, dtype;  // "F32", "F16", "BF16", "F64", or any other of safetensors
  std::vector<std::ptrdiff_t> shape;
  std::string bytes;
};

/// The numbers of tests/data/models/make_models.py: splitmix64 from the hash of a name.
inline std::vector<float> drawn_numbers(const std::string& name, std::size_t count, double scale,
                                        double offset) {
  std::uint64_t seed = 0xCBF29CE484222325U;
  for (const char c : name) seed = (seed ^ static_cast<std::uint8_t>(c)) * 0x100000001B3U;
  std::vector<float> numbers(count);
  for (std::size_t i = 0; i < count; ++i) {
    std::uint64_t z = seed + (i + 1) * 0x9E3779B97F4A7C15U;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9U;
    z = (z ^ z >> 27) * 0x94D049BB133111EBU;
    z ^= z >> 31;
    numbers[i] = static_cast<float>(offset + scale * (static_cast<double>(z >> 40) / 8388608.0 - 1));
  }
  return numbers;
}

template <typename Stored>
std::string bytes_as(const std::vector<float>& numbers) {
  std::string bytes;
  for (const float number : numbers) {
    const Stored stored(number);
    bytes.append(reinterpret_cast<const char*>(&stored), sizeof stored);
  }
  return bytes;
}

inline WrittenTensor drawn_tensor(const std::string& key, const std::string& name, const std::string& dtype,
                                  const std::vector<std::ptrdiff_t>& shape, double scale, double offset) {
  std::size_t count = 1;
  for (const std::ptrdiff_t n : shape) count *= static_cast<std::size_t>(n);
  const std::vector<float> numbers = drawn_numbers(key, count, scale, offset);
  return {name, dtype, shape,
          dtype == "F16"    ? bytes_as<Eigen::half>(numbers)
          : dtype == "BF16" ? bytes_as<Eigen::bfloat16>(numbers)
          : dtype == "F64"  ? bytes_as<double>(numbers)
                            : bytes_as<float>(numbers)};
}

inline void write_safetensors(const std::filesystem::path& path, const std::vector<WrittenTensor>& tensors) {
  Json header = Json::object();
  std::string data;
  for (const WrittenTensor& tensor : tensors) {
    const std::size_t begin = data.size();
    data += tensor.bytes;
    header[tensor.name] = {
        {"dtype", tensor.dtype}, {"shape", tensor.shape}, {"data_offsets", {begin, data.size()}}};
  }
  std::string text = header.dump();
  text.resize((text.size() + 7) / 8 * 8, ' ');
  const std::uint64_t length = text.size();
  std::ofstream(path, std::ios::binary)
      << std::string(reinterpret_cast<const char*>(&length), 8) << text << data;
}

/// The models of tests/data/models/models.json, each with `name`, `config`, `tensors`, `ids`.
inline Json model_cases() {
  return Json::parse(std::ifstream(std::string(TEST_DATA_DIR) + "/models/models.json"));
}
/// Those that transformers' own classes made (make_real_decoders.py).
inline Json real_decoders() {
  return Json::parse(std::ifstream(std::string(TEST_DATA_DIR) + "/models/real_decoders.json"));
}
inline Json real_decoder(const std::string& name) {
  for (const Json& entry : real_decoders())
    if (entry["name"] == name) return entry;
  throw std::runtime_error("no model " + name);
}
inline Json model_case(const std::string& name) {
  for (const Json& entry : model_cases())
    if (entry["name"] == name) return entry;
  throw std::runtime_error("no model " + name);
}

inline std::vector<WrittenTensor> tensors_of(const Json& entry) {
  std::vector<WrittenTensor> tensors;
  for (const Json& row : entry["tensors"])
    for (int layer = 0; layer < row[4].get<int>(); ++layer) {
      std::string name = row[0];
      if (const std::size_t at = name.find('#'); at != std::string::npos)
        name.replace(at, 1, std::to_string(layer));
      tensors.push_back(drawn_tensor(entry["name"].get<std::string>() + "/" + name, name, entry["dtype"],
                                     row[1], row[2], row[3]));
    }
  return tensors;
}

/// config.json and model.safetensors, as downloaded.
inline void write_model_folder(const std::filesystem::path& folder, const Json& config,
                               const std::vector<WrittenTensor>& tensors) {
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "config.json") << config.dump(2);
  write_safetensors(folder / "model.safetensors", tensors);
}

/// tokenizer.json whose tokens are w0, w1 …, one for each number, separated by spaces; the second of a pair
/// has type 1.
inline void write_word_tokenizer(const std::filesystem::path& folder, int words) {
  Json vocabulary = Json::object();
  for (int i = 0; i < words; ++i) vocabulary["w" + std::to_string(i)] = i;
  const auto sequence = [](const char* id, int type) {
    return Json{{"Sequence", {{"id", id}, {"type_id", type}}}};
  };
  const Json tokenizer{{"version", "1.0"},
                       {"added_tokens", Json::array()},
                       {"normalizer", nullptr},
                       {"pre_tokenizer", {{"type", "WhitespaceSplit"}}},
                       {"post_processor",
                        {{"type", "TemplateProcessing"},
                         {"single", {sequence("A", 0)}},
                         {"pair", {sequence("A", 0), sequence("B", 1)}},
                         {"special_tokens", Json::object()}}},
                       {"decoder", nullptr},
                       {"model", {{"type", "WordLevel"}, {"vocab", vocabulary}, {"unk_token", "w0"}}}};
  std::ofstream(folder / "tokenizer.json") << tokenizer.dump();
}

/// "w3 w17" for the ids [3, 17].
inline std::string words_of(const Json& ids) {
  std::string text;
  for (const int id : ids) text += (text.empty() ? "w" : " w") + std::to_string(id);
  return text;
}

/// A model of models.json with such a tokenizer.
inline void write_whole_model(const std::filesystem::path& folder, const Json& entry) {
  write_model_folder(folder, entry["config"], tensors_of(entry));
  write_word_tokenizer(folder, 50);
}

/// The spectrogram of a case that hears, [frames, bands].
inline std::vector<float> sound_of(const Json& entry) {
  return drawn_numbers(entry["name"].get<std::string>() + "/sound",
                       entry["sound"][0].get<std::size_t>() * entry["sound"][1].get<std::size_t>(), 1, 0);
}

}  // namespace headscope::tests
