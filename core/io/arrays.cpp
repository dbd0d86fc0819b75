#include "core/io/arrays.h"

namespace headscope {

std::vector<ArrayInfo> list_npy(const std::string& path) {
  const NamedArray array = read_npy(path);
  return {{"npy", array.dtype, array.shape}};
}

std::span<const ArrayReader> array_readers() {
  static constexpr ArrayReader rows[] = {
      {".npz", list_npz}, {".safetensors", list_safetensors}, {".npy", list_npy}};
  return rows;
}

}  // namespace headscope
