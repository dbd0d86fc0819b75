#include "core/io/safetensors_header.h"

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/utf8.h"
#include "core/io/json_field.h"
#include "core/io/strict_json.h"

namespace headscope {
namespace {

using Json = nlohmann::json;
using Entry = SafetensorsHeader::Entry;

constexpr std::size_t length_bytes = 8;                // of the header's length, before it
constexpr std::size_t max_header_bytes = 100'000'000;  // as the reference implementation

constexpr std::ptrdiff_t max_tensors = 100'000;  // the largest models have as many in all their files

struct TypeRow {
  const char *code, *name;  // in the file, in numpy
};
constexpr TypeRow tensor_types[] = {
    {"F64", "float64"}, {"F32", "float32"}, {"F16", "float16"}, {"BF16", "bfloat16"}, {"I64", "int64"},
    {"I32", "int32"},   {"I16", "int16"},   {"I8", "int8"},     {"U64", "uint64"},    {"U32", "uint32"},
    {"U16", "uint16"},  {"U8", "uint8"},    {"BOOL", "bool"}};

std::string numpy_name(const std::string& dtype) {
  const auto* row =
      std::ranges::find(tensor_types, dtype, [](const TypeRow& type) { return std::string(type.code); });
  return row == std::end(tensor_types) ? dtype : row->name;
}

/// As item_bytes, also for types in use that we do not read; 0 for types smaller than a byte
/// and unknown ones.
std::size_t bytes_in_file(const std::string& dtype) {
  if (dtype == "F8_E4M3" || dtype == "F8_E5M2" || dtype == "F8_E8M0") return 1;
  return item_bytes(dtype).value_or(dtype == "C64" ? 8 : 0);
}

Error damaged_entry(const std::string& where) {
  return input_error("{}: its header entry is damaged; expected dtype, shape and data_offsets", where);
}

Index size_of(const Json& value, const std::string& where) {
  const auto number = integer_in(value, 0, PTRDIFF_MAX);
  if (!number) throw damaged_entry(where);
  return static_cast<Index>(*number);
}

/// For unsupported types: their shapes must be checked as well.
void check_unread_size(const Entry& entry, const std::string& where) {
  const std::size_t item = bytes_in_file(entry.array.dtype);
  ArrayHeader bytes = entry.array;
  bytes.dtype = "uint8";
  const std::size_t count = data_bytes(bytes, where);
  if (item != 0 && entry.end - entry.begin != count * item)
    throw input_error(
        counted("{}: {} byte of numbers; expected {} for {} of shape {}",
                "{}: {} bytes of numbers; expected {} for {} of shape {}", entry.end - entry.begin),
        where, entry.end - entry.begin, count * item, entry.array.dtype, shape_text(entry.array.shape));
}

Entry parse_entry(const std::string& name, const Json& value, std::size_t data_size,
                  const std::string& where) {
  if (!value.is_object()) throw damaged_entry(where);
  const Json none;
  const auto field = [&](const char* key) -> const Json& {
    const auto found = value.find(key);
    return found == value.end() ? none : *found;
  };
  constexpr std::size_t max_axes = 32;
  const Json &dtype = field("dtype"), &shape = field("shape"), &offsets = field("data_offsets");
  if (!dtype.is_string() || !shape.is_array() || shape.size() > max_axes || !offsets.is_array() ||
      offsets.size() != 2)
    throw damaged_entry(where);
  Entry entry{name, {numpy_name(dtype.get<std::string>()), {}}, 0, 0};
  for (const Json& n : shape) entry.array.shape.push_back(size_of(n, where));
  entry.begin = size_of(offsets[0], where);
  entry.end = size_of(offsets[1], where);
  if (entry.begin > entry.end)
    throw input_error("{}: its data_offsets are {}, {}; expected the beginning before the end", where,
                      entry.begin, entry.end);
  if (entry.end > data_size)
    throw input_error("{}: bytes {} to {} are outside of its data, {} in all; the file may be cut short",
                      where, entry.begin, entry.end, data_size);
  if (item_bytes(entry.array.dtype))
    check_size(entry.array, entry.end - entry.begin, where);
  else
    check_unread_size(entry, where);
  return entry;
}

/// Sorts by offset. Overlapping tensors are a mistake or an attack, and unclaimed bytes can hide data; the
/// reference implementation allows neither.
void sort_and_check(std::vector<Entry>& entries, std::size_t data_size, const std::string& source) {
  std::ranges::stable_sort(entries, {}, [](const Entry& entry) { return std::pair(entry.begin, entry.end); });
  std::size_t end = 0;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (entries[i].begin < end)
      throw input_error("{}: {} and {} share bytes {} to {}", source, cut_off(entries[i - 1].name, 60),
                        cut_off(entries[i].name, 60), entries[i].begin, std::min(end, entries[i].end));
    if (entries[i].begin > end)
      throw input_error("{}: bytes {} to {} belong to no tensor", source, end, entries[i].begin);
    end = entries[i].end;
  }
  if (end != data_size) throw input_error("{}: bytes {} to {} belong to no tensor", source, end, data_size);
}

std::map<std::string, std::string> parse_metadata(const Json& json, const std::string& source) {
  std::map<std::string, std::string> metadata;
  if (json.is_null()) return metadata;
  JsonField(json, source, "__metadata__").expect_object();
  for (const auto& [name, value] : json.items())
    metadata[name] = JsonField(value, source, "__metadata__." + cut_off(name, 60)).text();
  return metadata;
}

}  // namespace

std::size_t safetensors_header_end(std::string_view start, std::size_t size, const std::string& source) {
  // What git leaves in place of a large file without Git LFS.
  if (start.starts_with("version https://git-lfs"))
    throw input_error("{}: a Git LFS pointer, not the file itself; fetch it with git lfs pull", source);
  std::size_t length = 0;
  for (std::size_t i = length_bytes; i-- > 0 && start.size() >= length_bytes;)
    length = length << 8 | static_cast<std::uint8_t>(start[i]);
  // An empty header is that of no file: even one without tensors has {}.
  if (start.size() < length_bytes || size < length_bytes || length == 0 || length > size - length_bytes)
    throw input_error("{}: not a .safetensors file, or cut short", source);
  if (length > max_header_bytes)
    throw input_error("{}: its header has {} bytes; expected at most {}", source, length, max_header_bytes);
  return length_bytes + length;
}

SafetensorsHeader parse_safetensors_header(std::string_view start, std::size_t size,
                                           const std::string& source) {
  SafetensorsHeader header;
  header.data = safetensors_header_end(start, size, source);
  if (start.size() < header.data) throw input_error("{}: not a .safetensors file, or cut short", source);
  const std::string_view text = start.substr(length_bytes, header.data - length_bytes);
  // Each is a JSON object, which takes many times the size of its text in memory.
  const std::ptrdiff_t around = text.find("\"__metadata__\"") == std::string_view::npos ? 1 : 2;
  if (std::ranges::count(text, '{') > max_tensors + around)
    throw input_error("{}: its header names more than {} tensors", source, max_tensors);
  const Json json = parse_json(text, source);
  if (!json.is_object()) throw input_error("{}: not a .safetensors file, or cut short", source);
  for (const auto& [name, value] : json.items()) {
    if (name == "__metadata__")
      header.metadata = parse_metadata(value, source);
    else
      header.entries.push_back(
          parse_entry(name, value, size - header.data, source + ": " + cut_off(name, 200)));
  }
  sort_and_check(header.entries, size - header.data, source);
  return header;
}

}  // namespace headscope
