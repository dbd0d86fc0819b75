#pragma once
#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/io/decode.h"

namespace headscope {

/// What a .safetensors file says about its tensors: a length of 8 bytes, so much JSON, then the numbers.
/// https://github.com/huggingface/safetensors#format
struct SafetensorsHeader {
  struct Entry {
    std::string name;
    ArrayHeader array;               ///< its type and shape
    std::size_t begin = 0, end = 0;  ///< of the bytes after the header
  };
  std::vector<Entry> entries;  ///< by where their numbers lie
  std::map<std::string, std::string> metadata;
  std::size_t data = 0;  ///< where the bytes after the header begin in the file
};

/// How many bytes from its start parse_safetensors_header needs of a file of `size` bytes; `start` are its
/// first ones, 64 or all. Throws Error (input).
std::size_t safetensors_header_end(std::string_view start, std::size_t size, const std::string& source);

/// `start` is the whole file, or at least as much of it as safetensors_header_end says; `size` is that of the
/// file. Every number is a claim: throws Error (input) that names `source`, the tensor, what was found and
/// what was expected.
SafetensorsHeader parse_safetensors_header(std::string_view start, std::size_t size,
                                           const std::string& source);

}  // namespace headscope
