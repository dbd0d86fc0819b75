#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/io/arrays.h"
#include "core/io/decode.h"
#include "core/io/file.h"
#include "core/io/strict_json.h"

namespace headscope {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t max_header = 100'000'000;  // as the reference implementation

struct Entry {
  std::string name;
  ArrayHeader header;
  std::size_t begin = 0, end = 0;  // of the bytes after the JSON header
};

std::string numpy_name(const std::string& dtype) {
  static constexpr std::pair<const char*, const char*> types[] = {
      {"F64", "float64"}, {"F32", "float32"}, {"F16", "float16"}, {"BF16", "bfloat16"}, {"I64", "int64"},
      {"I32", "int32"},   {"I16", "int16"},   {"I8", "int8"},     {"U64", "uint64"},    {"U32", "uint32"},
      {"U16", "uint16"},  {"U8", "uint8"},    {"BOOL", "bool"}};
  for (const auto& [code, name] : types)
    if (dtype == code) return name;
  return dtype;
}

Error damaged(const std::string& where) {
  return input_error("{}: its header entry is damaged; expected dtype, shape and data_offsets", where);
}

Index whole_number(const Json& value, const std::string& where) {
  if (!value.is_number_unsigned() || value.get<std::uint64_t>() > static_cast<std::uint64_t>(PTRDIFF_MAX))
    throw damaged(where);
  return value.get<Index>();
}

Entry parse_entry(const std::string& name, const Json& value, std::size_t data_size,
                  const std::string& where) {
  if (!value.is_object()) throw damaged(where);
  const Json dtype = value.value("dtype", Json()), shape = value.value("shape", Json()),
             offsets = value.value("data_offsets", Json());
  if (!dtype.is_string() || !shape.is_array() || shape.size() > 32 || !offsets.is_array() ||
      offsets.size() != 2)
    throw damaged(where);
  Entry entry{name, {numpy_name(dtype.get<std::string>()), {}}, 0, 0};
  for (const Json& n : shape) entry.header.shape.push_back(whole_number(n, where));
  entry.begin = static_cast<std::size_t>(whole_number(offsets[0], where));
  entry.end = static_cast<std::size_t>(whole_number(offsets[1], where));
  if (entry.begin > entry.end || entry.end > data_size)
    throw input_error("{}: bytes {} to {} lie outside of its {} bytes; the file may be cut short", where,
                      entry.begin, entry.end, data_size);
  return entry;
}

std::vector<Entry> parse_header(std::string_view bytes, const std::string& path, std::size_t& data_begin) {
  std::size_t length = 0;
  for (std::size_t i = 8; i-- > 0 && bytes.size() >= 8;)
    length = length << 8 | static_cast<std::uint8_t>(bytes[i]);
  if (bytes.size() < 8 || length > max_header || length > bytes.size() - 8)
    throw input_error("{}: not a .safetensors file, or cut short", path);
  data_begin = 8 + length;
  const Json header = parse_json(bytes.substr(8, length), path);
  if (!header.is_object()) throw input_error("{}: not a .safetensors file, or cut short", path);
  std::vector<Entry> entries;
  for (const auto& [name, value] : header.items())
    if (name != "__metadata__")
      entries.push_back(parse_entry(name, value, bytes.size() - data_begin, path + ": " + name));
  return entries;
}

}  // namespace

std::map<std::string, NamedArray> read_safetensors(const std::string& path) {
  const std::string bytes = read_file(path);
  std::size_t data_begin = 0;
  std::map<std::string, NamedArray> arrays;
  for (const Entry& entry : parse_header(bytes, path, data_begin))
    arrays[entry.name] = decode_array(
        entry.header, std::string_view(bytes).substr(data_begin + entry.begin, entry.end - entry.begin),
        path + ": " + entry.name);
  return arrays;
}

std::vector<ArrayInfo> list_safetensors(const std::string& path) {
  const std::string bytes = read_file(path);
  std::size_t data_begin = 0;
  std::vector<ArrayInfo> result;
  for (const Entry& entry : parse_header(bytes, path, data_begin))
    result.push_back({entry.name, entry.header.dtype, entry.header.shape});
  return result;
}

}  // namespace headscope
