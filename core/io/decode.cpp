#include "core/io/decode.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <limits>
#include <new>
#include <span>

#include "core/base/error.h"
#include "core/base/utf8.h"

namespace headscope {
namespace {

constexpr const char* readable_types = "float16, bfloat16, float32, float64, bool, int8–int64, uint8–uint64";

template <typename T>
T load(const char* bytes, bool big_endian) {
  char item[sizeof(T)];
  std::memcpy(item, bytes, sizeof(T));
  if (big_endian) std::reverse(item, item + sizeof(T));
  T value;
  std::memcpy(&value, item, sizeof(T));
  return value;
}

template <typename T, typename Convert>
void convert(const char* bytes, bool big_endian, std::span<float> values, Convert to_float) {
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = to_float(load<T>(bytes + i * sizeof(T), big_endian));
}

template <typename T>
void convert(const char* bytes, bool big_endian, std::span<float> values) {
  convert<T>(bytes, big_endian, values, [](T value) { return static_cast<float>(value); });
}

/// From Fortran order to C order.
template <typename T>
void to_c_order(std::vector<T>& values, const std::vector<Index>& shape) {
  const std::vector<T> source = values;
  std::vector<Index> index(shape.size(), 0);
  for (T& value : values) {
    Index offset = 0;
    for (std::size_t axis = shape.size(); axis-- > 0;) offset = offset * shape[axis] + index[axis];
    value = source[offset];
    for (std::size_t axis = shape.size(); axis-- > 0;) {
      if (++index[axis] < shape[axis]) break;
      index[axis] = 0;
    }
  }
}

}  // namespace

std::optional<std::size_t> item_bytes(std::string_view dtype) {
  if (dtype == "float32" || dtype == "int32" || dtype == "uint32") return 4;
  if (dtype == "float64" || dtype == "int64" || dtype == "uint64") return 8;
  if (dtype == "float16" || dtype == "bfloat16" || dtype == "int16" || dtype == "uint16") return 2;
  if (dtype == "bool" || dtype == "int8" || dtype == "uint8") return 1;
  return std::nullopt;
}

std::optional<std::size_t> text_item_bytes(std::string_view dtype) {
  const bool text = dtype.size() > 2 && std::string_view("<>|=").find(dtype[0]) != std::string_view::npos &&
                    (dtype[1] == 'U' || dtype[1] == 'S');
  constexpr std::uint32_t longest = 1 << 24;
  std::uint32_t length = 0;
  if (!text) return std::nullopt;
  const auto parsed = std::from_chars(dtype.data() + 2, dtype.data() + dtype.size(), length);
  if (parsed.ec != std::errc{} || parsed.ptr != dtype.data() + dtype.size() || length == 0 ||
      length > longest)
    return std::nullopt;
  return dtype[1] == 'U' ? 4 * std::size_t{length} : length;
}

std::size_t data_bytes(const ArrayHeader& header, const std::string& where) {
  const auto text = text_item_bytes(header.dtype), item = text ? text : item_bytes(header.dtype);
  if (header.dtype == "|O")
    throw input_error(
        "{}: Python objects, which only a pickle can hold; expected {}, or strings as "
        "numpy.array([\"the\", \"cat\"]) has them",
        where, readable_types);
  if (!item) throw input_error("{}: numbers of type {}; expected {}", where, header.dtype, readable_types);
  const bool nothing = std::find(header.shape.begin(), header.shape.end(), 0) != header.shape.end();
  // Limited so that the size of a float32 copy still fits an Index.
  const std::size_t largest = std::numeric_limits<Index>::max() / std::max<std::size_t>(*item, sizeof(float));
  std::size_t items = 1;
  for (const Index n : header.shape) {
    const std::size_t size = n;
    if (size != 0 && items > largest / size)
      throw input_error("{}: shape {} is too large for any memory", where, shape_text(header.shape));
    if (size != 0) items *= size;
  }
  return nothing ? 0 : items * *item;
}

void check_size(const ArrayHeader& header, std::size_t bytes, const std::string& where) {
  const std::size_t expected = data_bytes(header, where);
  if (bytes != expected)
    throw input_error(counted("{}: {} byte of numbers; expected {} for {} of shape {}",
                              "{}: {} bytes of numbers; expected {} for {} of shape {}", bytes),
                      where, bytes, expected, header.dtype, shape_text(header.shape));
}

NamedArray decode_array(const ArrayHeader& header, std::string_view bytes, const std::string& where) {
  if (text_item_bytes(header.dtype))
    throw input_error("{}: numbers of type {}; expected {}", where, header.dtype, readable_types);
  check_size(header, bytes.size(), where);
  NamedArray array{header.dtype, header.shape, {}, {}};
  try {
    array.values.resize(bytes.size() / *item_bytes(header.dtype));
    decode_numbers(header, bytes.data(), array.values);
    if (header.dtype == "float64") {
      array.values_f64.resize(array.values.size());
      for (std::size_t i = 0; i < array.values.size(); ++i)
        array.values_f64[i] = load<double>(bytes.data() + i * 8, header.big_endian);
    }
    if (header.fortran_order && header.shape.size() > 1) {
      to_c_order(array.values, header.shape);
      if (!array.values_f64.empty()) to_c_order(array.values_f64, header.shape);
    }
  } catch (const std::bad_alloc&) {
    throw unable_error("{}: does not fit into memory", where);
  }
  return array;
}

void decode_numbers(const ArrayHeader& header, const char* bytes, std::span<float> values) {
  const std::string& type = header.dtype;
  const bool big = header.big_endian;
  if (type == "float32") return convert<float>(bytes, big, values);
  if (type == "float16") return convert<std::uint16_t>(bytes, big, values, from_half);
  if (type == "bfloat16") return convert<std::uint16_t>(bytes, big, values, from_bfloat);
  if (type == "bool")
    return convert<std::uint8_t>(bytes, big, values, [](std::uint8_t b) { return b != 0 ? 1.0F : 0.0F; });
  if (type == "int8") return convert<std::int8_t>(bytes, big, values);
  if (type == "uint8") return convert<std::uint8_t>(bytes, big, values);
  if (type == "int16") return convert<std::int16_t>(bytes, big, values);
  if (type == "uint16") return convert<std::uint16_t>(bytes, big, values);
  if (type == "int32") return convert<std::int32_t>(bytes, big, values);
  if (type == "uint32") return convert<std::uint32_t>(bytes, big, values);
  if (type == "int64") return convert<std::int64_t>(bytes, big, values);
  if (type == "uint64") return convert<std::uint64_t>(bytes, big, values);
  convert<double>(bytes, big, values);
}

std::vector<std::string> decode_texts(const ArrayHeader& header, std::string_view bytes,
                                      const std::string& where) {
  const std::size_t item = text_item_bytes(header.dtype).value_or(0);
  const bool wide = header.dtype[1] == 'U';
  std::size_t count = 1;
  for (const Index n : header.shape) count *= n;
  std::vector<std::string> texts(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::string_view of_item = bytes.substr(i * item, item);
    std::string& text = texts[i];
    if (!wide) text = of_item.substr(0, of_item.find_last_not_of('\0') + 1);
    for (std::size_t at = 0; wide && at < item; at += 4) {
      const auto point = load<std::uint32_t>(of_item.data() + at, header.big_endian);
      constexpr std::uint32_t end = 0x110000, surrogates = 0xD800, after_them = 0xE000;
      if (point >= end || (point >= surrogates && point < after_them))
        throw input_error("{}: string {} is not Unicode; expected text", where, i);
      append_utf8(text, point);
    }
    while (text.ends_with('\0')) text.pop_back();
    if (find_invalid_utf8(text) != std::string::npos)
      throw input_error("{}: string {} is not Unicode; expected text", where, i);
  }
  return texts;
}

std::string shape_text(const std::vector<Index>& shape) {
  std::string text = "[";
  for (std::size_t axis = 0; axis < shape.size(); ++axis)
    text += (axis == 0 ? "" : ", ") + std::to_string(shape[axis]);
  return text + "]";
}

}  // namespace headscope
