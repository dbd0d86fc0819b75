#pragma once
#include "core/io/array_file.h"
#include "core/io/npy.h"

namespace headscope::tests {

using Arrays = std::map<std::string, NamedArray>;

/// All arrays of an .npz or .safetensors file.
inline Arrays read_arrays(const std::string& path) {
  ArrayFile file = ArrayFile::open(path);
  Arrays arrays;
  for (const std::string& name : file.names()) {
    const FiledArray& array = *file.find(name);
    std::string bytes(data_bytes(array.header, array.where), '\0');
    array.read_bytes(0, bytes);
    arrays[name] = decode_array(array.header, bytes, array.where);
  }
  return arrays;
}

}  // namespace headscope::tests
