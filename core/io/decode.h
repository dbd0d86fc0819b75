#pragma once
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/io/arrays.h"

namespace headscope {

/// An array's header, before its numbers are read.
struct ArrayHeader {
  std::string dtype;  ///< numpy's name (float32), or the file's own name for an unsupported type
  std::vector<Index> shape;
  bool fortran_order = false;  ///< the first axis varies fastest
  bool big_endian = false;
};

/// Bytes per number of a supported type (float16, bfloat16, float32, float64, bool, int8 … uint64); none for
/// others.
std::optional<std::size_t> item_bytes(std::string_view dtype);

/// Bytes per string of numpy's fixed-length types, "<U12" (UCS-4) and "|S12" (bytes).
std::optional<std::size_t> text_item_bytes(std::string_view dtype);

/// Bytes of the whole array, of numbers or strings. Throws Error (input) naming `where` for an unsupported
/// type, or a size beyond memory.
std::size_t data_bytes(const ArrayHeader& header, const std::string& where);

/// Throws Error (input) unless the array's size is `bytes`.
void check_size(const ArrayHeader& header, std::size_t bytes, const std::string& where);

/// The numbers as C order float32 (and float64). `bytes` holds data_bytes(header).
NamedArray decode_array(const ArrayHeader& header, std::string_view bytes, const std::string& where);

/// Fills `to` with numbers of a supported type, in the order of the file.
void decode_numbers(const ArrayHeader& header, const char* bytes, std::span<float> values);

/// The strings of such an array in C order, as UTF-8, without padding zeros. `bytes` holds
/// data_bytes(header). Throws Error (input) naming `where` for invalid text.
std::vector<std::string> decode_texts(const ArrayHeader& header, std::string_view bytes,
                                      const std::string& where);

/// "[2, 3]", for messages.
std::string shape_text(const std::vector<Index>& shape);

}  // namespace headscope
