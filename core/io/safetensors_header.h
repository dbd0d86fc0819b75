#pragma once
#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/io/decode.h"

namespace headscope {

/// The header of a .safetensors file: an 8-byte length, that much JSON, then the numbers.
/// https://github.com/huggingface/safetensors#format
struct SafetensorsHeader {
  struct Entry {
    std::string name;
    ArrayHeader array;               ///< its type and shape
    std::size_t begin = 0, end = 0;  ///< of the bytes after the header
  };
  std::vector<Entry> entries;  ///< sorted by offset
  std::map<std::string, std::string> metadata;
  std::size_t data = 0;  ///< offset of the first byte after the header
};

/// How many bytes parse_safetensors_header needs from the start of a file of `size` bytes; `start` holds its
/// first 64 bytes, or all. Throws Error (input).
std::size_t safetensors_header_end(std::string_view start, std::size_t size, const std::string& source);

/// `start` is the whole file, or at least as much as safetensors_header_end returns; `size` is the file's.
/// Every number is checked: throws Error (input) that names `source`, the tensor, what was found and what was
/// expected.
SafetensorsHeader parse_safetensors_header(std::string_view start, std::size_t size,
                                           const std::string& source);

}  // namespace headscope
