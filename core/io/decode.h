#pragma once
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/tensor.h"

namespace headscope {

/// An array's header, before its numbers are read.
struct ArrayHeader {
  std::string dtype;  ///< numpy's name (float32), or the file's own name for an unsupported type
  std::vector<Index> shape;
  bool fortran_order = false;  ///< the first axis varies fastest
  bool big_endian = false;
};

/// A named array as read from a file; float32 and float64 and bool and integers become the float32 of
/// `values` or, if the file has float64, `values_f64` as well.
struct NamedArray {
  std::string dtype;  ///< numpy's name: float32, float64, bool, uint8, int64 …
  std::vector<Index> shape;
  std::vector<float> values;
  std::vector<double> values_f64;
};

/// Describes an array in a file, without its numbers.
struct ArrayInfo {
  std::string name;
  std::string dtype;  ///< as in NamedArray; the file's own name for an unsupported type
  std::vector<Index> shape;
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

/// IEEE 754 binary16: 1 sign, 5 exponent, 10 mantissa bits. Exact, even if denormals are flushed:
/// half-precision denormals are normal float32 numbers.
inline float from_half(std::uint16_t bits) {
  const std::uint32_t sign = (bits & 0x8000U) << 16, exponent = bits >> 10 & 0x1FU, mantissa = bits & 0x3FFU;
  const auto denormal = std::bit_cast<std::uint32_t>(static_cast<float>(mantissa) * 0x1p-24F);
  const std::uint32_t normal = (exponent + 112) << 23 | mantissa << 13;
  const std::uint32_t not_finite = 0x7F800000U | mantissa << 13;
  return std::bit_cast<float>(sign | (exponent == 0 ? denormal : exponent == 31 ? not_finite : normal));
}

/// bfloat16 is the upper half of a float32.
inline float from_bfloat(std::uint16_t bits) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
}

/// "[2, 3]", for messages.
std::string shape_text(const std::vector<Index>& shape);

}  // namespace headscope
