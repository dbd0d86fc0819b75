#pragma once
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "core/base/tensor.h"

namespace headscope {

/// A named array as read from a file; float32 and float64 and bool and integers become the float32 of
/// `values` or, where the file has float64, `values_f64` as well.
struct NamedArray {
  std::string dtype;  ///< numpy's name: float32, float64, bool, uint8, int64 …
  std::vector<Index> shape;
  std::vector<float> values;
  std::vector<double> values_f64;
};

/// Throws Error (input) naming file, array, what was found and expected; sizes are checked against the file
/// before memory is taken.
std::map<std::string, NamedArray> read_npz(const std::string& path);
std::map<std::string, NamedArray> read_safetensors(const std::string& path);
/// A file of more than `limit` bytes is refused.
NamedArray read_npy(const std::string& path, std::size_t limit = SIZE_MAX);

/// What a file of arrays holds, without its numbers.
struct ArrayInfo {
  std::string name;
  std::string dtype;  ///< as in NamedArray; the file's own word for a type that cannot be read
  std::vector<Index> shape;
};
/// In the order of the file's numbers. Throws as the readers, of which nothing but the claims is read.
std::vector<ArrayInfo> list_npz(const std::string& path);
std::vector<ArrayInfo> list_safetensors(const std::string& path);
std::vector<ArrayInfo> list_npy(const std::string& path);

/// A kind of file that arrays are read from.
struct ArrayReader {
  const char* ending;
  std::vector<ArrayInfo> (*list)(const std::string& path);
};
std::span<const ArrayReader> array_readers();

}  // namespace headscope
