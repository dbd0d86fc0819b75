#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/io/dtype.h"

namespace headscope {

/// A value of a GGUF file's metadata. Arrays of numbers or bools are doubles; arrays of arrays are
/// empty.
using GgufValue = std::variant<bool, std::int64_t, std::uint64_t, double, std::string, std::vector<double>,
                               std::vector<std::string>>;

/// The header of a GGUF file, version 2 or 3, little endian (ggml's docs/gguf.md).
struct GgufHeader {
  struct Entry {
    std::string name;
    Dtype dtype = Dtype::other;
    std::string type_name;     ///< as in TensorView
    std::vector<Index> shape;  ///< outermost first, as numpy's
    std::size_t begin = 0;     ///< from the beginning of the file
    std::size_t size = 0;      ///< 0 for an unknown type
    std::size_t part = 0;      ///< of a model in several files, see GgufFile
  };
  std::map<std::string, GgufValue, std::less<>> metadata;
  std::vector<Entry> tensors;
};

/// Throws Error (input) that names `source` and what is damaged: a claim beyond the file, a type that does
/// not exist, a name given twice, a tensor that is misaligned, beyond the file or not in whole blocks.
GgufHeader parse_gguf(std::span<const std::byte> file, const std::string& source);

}  // namespace headscope
