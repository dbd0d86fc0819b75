#pragma once
#include "core/model/config/parse_config.h"
#include "tests/support/testing.h"

namespace headscope::tests {

/// A .safetensors file: the length, the header, the numbers.
inline std::string safetensors_bytes(const std::string& header, const std::string& data) {
  std::string length(8, '\0');
  for (std::size_t i = 0; i < 8; ++i) length[i] = static_cast<char>(header.size() >> (8 * i) & 0xFF);
  return length + header + data;
}

/// The same from consecutive tensors: name, type, shape as JSON, numbers.
struct StoredTensor {
  std::string name, dtype, shape, data;
};
inline std::string safetensors_bytes(const std::vector<StoredTensor>& tensors) {
  std::string header = "{", data;
  for (const StoredTensor& tensor : tensors) {
    header += fmt::format("{}\"{}\":{{\"dtype\":\"{}\",\"shape\":{},\"data_offsets\":[{},{}]}}",
                          header.size() > 1 ? "," : "", tensor.name, tensor.dtype, tensor.shape, data.size(),
                          data.size() + tensor.data.size());
    data += tensor.data;
  }
  return safetensors_bytes(header + "}", data);
}

/// Numbers as stored in a file.
template <typename Number>
std::string bytes_of(std::initializer_list<Number> numbers) {
  std::string bytes(numbers.size() * sizeof(Number), '\0');
  std::memcpy(bytes.data(), numbers.begin(), bytes.size());
  return bytes;
}

inline void write_bytes(const std::string& path, const std::string& bytes) {
  fs::create_directories(fs::path(path).parent_path());
  std::ofstream(path, std::ios::binary) << bytes;
}

inline ModelConfig config_of(const std::string& json) {
  return parse_config(json, "c.json");
}
/// The fields of a model of one type, with commas between.
inline ModelConfig config_with(const std::string& type, const std::string& fields = "") {
  return config_of(R"({"model_type":")" + type + "\"" + (fields.empty() ? "" : ",") + fields + "}");
}

}  // namespace headscope::tests
