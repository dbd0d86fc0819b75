#include "core/base/error.h"
#include "core/io/arrays.h"
#include "core/io/decode.h"
#include "core/io/file.h"
#include "core/io/safetensors_header.h"

namespace headscope {

std::map<std::string, NamedArray> read_safetensors(const std::string& path) {
  const std::string bytes = read_file(path);
  const SafetensorsHeader header = parse_safetensors_header(bytes, bytes.size(), path);
  std::map<std::string, NamedArray> arrays;
  for (const SafetensorsHeader::Entry& entry : header.entries)
    arrays[entry.name] = decode_array(
        entry.array, std::string_view(bytes).substr(header.data + entry.begin, entry.end - entry.begin),
        path + ": " + entry.name);
  return arrays;
}

std::vector<ArrayInfo> list_safetensors(const std::string& path) {
  constexpr std::size_t first = 64;
  const std::size_t size = readable_size(path);
  const std::size_t end = safetensors_header_end(read_start(path, first), size, path);
  SafetensorsHeader header = parse_safetensors_header(read_start(path, end), size, path);
  std::vector<ArrayInfo> result;
  for (SafetensorsHeader::Entry& entry : header.entries)
    result.push_back({std::move(entry.name), std::move(entry.array.dtype), std::move(entry.array.shape)});
  return result;
}

}  // namespace headscope
