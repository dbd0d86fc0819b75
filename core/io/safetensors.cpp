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

using Json = nlohmann::json;

constexpr std::size_t length_bytes = 8;          // of the header's length, before it
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
  const Json none;
  const auto field = [&](const char* key) -> const Json& {
    const auto found = value.find(key);
    return found == value.end() ? none : *found;
  };
  const Json &dtype = field("dtype"), &shape = field("shape"), &offsets = field("data_offsets");
  if (!dtype.is_string() || !shape.is_array() || shape.size() > 32 || !offsets.is_array() ||
      offsets.size() != 2)
    throw damaged(where);
  Entry entry{name, {numpy_name(dtype.get<std::string>()), {}}, 0, 0};
  for (const Json& n : shape) entry.header.shape.push_back(whole_number(n, where));
  entry.begin = static_cast<std::size_t>(whole_number(offsets[0], where));
  entry.end = static_cast<std::size_t>(whole_number(offsets[1], where));
  if (entry.begin > entry.end || entry.end > data_size)
    throw input_error("{}: bytes {} to {} lie outside of its data, {} in all; the file may be cut short",
                      where, entry.begin, entry.end, data_size);
  if (item_bytes(entry.header.dtype)) check_size(entry.header, entry.end - entry.begin, where);
  return entry;
}

// By where their numbers lie. Two that share bytes are a mistake, or a trap.
void sort_and_check(std::vector<Entry>& entries, const std::string& path) {
  std::ranges::stable_sort(entries, {}, [](const Entry& entry) { return std::pair(entry.begin, entry.end); });
  for (std::size_t i = 1; i < entries.size(); ++i)
    if (entries[i].begin < entries[i - 1].end)
      throw input_error("{}: {} and {} share bytes {} to {}", path, entries[i - 1].name, entries[i].name,
                        entries[i].begin, std::min(entries[i - 1].end, entries[i].end));
}

/// The length of the header, from the first 8 bytes of a file of `size` bytes.
std::size_t header_length(std::string_view start, std::size_t size, const std::string& path) {
  std::size_t length = 0;
  for (std::size_t i = length_bytes; i-- > 0 && start.size() >= length_bytes;)
    length = length << 8 | static_cast<std::uint8_t>(start[i]);
  if (start.size() < length_bytes || length > max_header || length > size - length_bytes)
    throw input_error("{}: not a .safetensors file, or cut short", path);
  return length;
}

/// The arrays that the header tells of, for a file with `data_size` bytes of numbers.
std::vector<Entry> parse_header(std::string_view text, std::size_t data_size, const std::string& path) {
  const Json header = parse_json(text, path);
  if (!header.is_object()) throw input_error("{}: not a .safetensors file, or cut short", path);
  std::vector<Entry> entries;
  for (const auto& [name, value] : header.items())
    if (name != "__metadata__") entries.push_back(parse_entry(name, value, data_size, path + ": " + name));
  sort_and_check(entries, path);
  return entries;
}

}  // namespace

std::map<std::string, NamedArray> read_safetensors(const std::string& path) {
  const std::string bytes = read_file(path);
  const std::size_t length = header_length(bytes, bytes.size(), path);
  const std::string_view data = std::string_view(bytes).substr(length_bytes + length);
  std::map<std::string, NamedArray> arrays;
  for (const Entry& entry : parse_header(bytes.substr(length_bytes, length), data.size(), path))
    arrays[entry.name] = decode_array(entry.header, data.substr(entry.begin, entry.end - entry.begin),
                                      path + ": " + entry.name);
  return arrays;
}

std::vector<ArrayInfo> list_safetensors(const std::string& path) {
  const std::size_t size = readable_size(path);
  const std::size_t length = header_length(read_start(path, length_bytes), size, path);
  const std::string start = read_start(path, length_bytes + length);
  if (start.size() < length_bytes + length)
    throw input_error("{}: not a .safetensors file, or cut short", path);
  std::vector<ArrayInfo> result;
  for (Entry& entry :
       parse_header(std::string_view(start).substr(length_bytes), size - length_bytes - length, path))
    result.push_back({std::move(entry.name), std::move(entry.header.dtype), std::move(entry.header.shape)});
  return result;
}

}  // namespace headscope
