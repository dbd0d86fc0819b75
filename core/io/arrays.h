#pragma once
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "core/base/tensor.h"

namespace headscope {

/// A named array as read from a file; float32 and float64 and bool and integers become the float32 of
/// `values` or, if the file has float64, `values_f64` as well.
struct NamedArray {
  std::string dtype;  ///< numpy's name: float32, float64, bool, uint8, int64 …
  std::vector<Index> shape;
  std::vector<float> values;
  std::vector<double> values_f64;
};

/// Throws Error (input) naming file, array, what was found and expected; sizes are checked against the file
/// before memory is allocated.
std::map<std::string, NamedArray> read_npz(const std::string& path);
std::map<std::string, NamedArray> read_safetensors(const std::string& path);
/// Rejects a file of more than `limit` bytes.
NamedArray read_npy(const std::string& path, std::size_t limit = SIZE_MAX);

/// Describes an array in a file, without its numbers.
struct ArrayInfo {
  std::string name;
  std::string dtype;  ///< as in NamedArray; the file's own name for an unsupported type
  std::vector<Index> shape;
};
/// In file order. Throws as the readers do; only headers are read.
std::vector<ArrayInfo> list_npz(const std::string& path);
std::vector<ArrayInfo> list_safetensors(const std::string& path);
std::vector<ArrayInfo> list_npy(const std::string& path);

/// A file format that arrays are read from.
struct ArrayReader {
  const char* ending;
  std::vector<ArrayInfo> (*list)(const std::string& path);
};
std::span<const ArrayReader> array_readers();

}  // namespace headscope
