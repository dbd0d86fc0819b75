#include "core/io/gguf_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <set>
#include <utility>

#include "core/base/error.h"
#include "core/base/utf8.h"

namespace headscope {
namespace {

/// "-00002-of-00003.gguf", from 1.
std::string ending_of_part(std::int64_t number, std::int64_t count) {
  return fmt::format("-{:05}-of-{:05}.gguf", number, count);
}

/// What a part says of itself.
struct Part {
  std::int64_t number = 1, count = 1;  ///< from 1
};
Part part_of(const GgufMetadata& metadata) {
  constexpr std::int64_t max_parts = 1000;
  Part part;
  part.count = metadata.whole("split.count", max_parts).value_or(1);
  if (part.count <= 1) return {};
  part.number = metadata.whole("split.no", part.count - 1).value_or(0) + 1;
  return part;
}

/// The first part, and of a model in several the others behind it.
std::vector<std::string> paths_of_parts(const std::string& path, const GgufMetadata& metadata) {
  const Part part = part_of(metadata);
  if (part.count == 1) return {path};
  const std::string ending = ending_of_part(part.number, part.count);
  if (!path.ends_with(ending))
    throw input_error("{}: part {} of {}; expected a name that ends in {}", path, part.number, part.count,
                      ending);
  const std::string stem = path.substr(0, path.size() - ending.size());
  std::vector<std::string> paths;
  for (std::int64_t number = 1; number <= part.count; ++number) {
    paths.push_back(stem + ending_of_part(number, part.count));
    std::error_code ignored;
    if (!std::filesystem::exists(paths.back(), ignored))
      throw input_error("{}: part {} of {} is missing; expected it in the same folder", paths.back(), number,
                        part.count);
  }
  return paths;
}

GgufHeader parsed(const MappedFile& file) {
  GgufHeader header = parse_gguf(file.bytes(), file.path());
  file.check_whole();
  return header;
}

/// Of all parts.
GgufHeader read_header(std::vector<MappedFile>& parts) {
  GgufHeader header = parsed(parts.front());
  const std::string first = parts.front().path();
  const std::vector<std::string> paths = paths_of_parts(first, {header, first});
  if (paths.front() != first) {
    parts.clear();
    parts.emplace_back(paths.front());
    return read_header(parts);
  }
  std::set<std::string, std::less<>> names;
  for (const GgufHeader::Entry& entry : header.tensors) names.insert(entry.name);
  for (std::size_t i = 1; i < paths.size(); ++i) {
    GgufHeader other = parsed(parts.emplace_back(paths[i]));
    const Part part = part_of({other, paths[i]});
    if (part.number != static_cast<std::int64_t>(i) + 1 || part.count != std::ssize(paths))
      throw input_error("{}: says that it is part {} of {}; expected part {} of {}", paths[i], part.number,
                        part.count, i + 1, paths.size());
    for (GgufHeader::Entry& entry : other.tensors) {
      entry.part = i;
      if (!names.insert(entry.name).second)
        throw input_error("{}: {} is in another part as well", paths[i], cut_off(entry.name, 200));
    }
    std::ranges::move(other.tensors, std::back_inserter(header.tensors));
  }
  constexpr std::int64_t max_tensors = INT32_MAX;
  const GgufMetadata metadata(header, first);
  const auto count = paths.size() > 1 ? metadata.whole("split.tensors.count", max_tensors) : std::nullopt;
  if (count && *count != std::ssize(header.tensors))
    throw input_error("{}: {} is {}; expected {}, as many as are in its parts", first, "split.tensors.count",
                      *count, header.tensors.size());
  return header;
}

std::vector<MappedFile> first_part(const std::string& path) {
  std::vector<MappedFile> parts;
  parts.emplace_back(path);
  return parts;
}

}  // namespace

GgufFile::GgufFile(const std::string& path)
    : parts(first_part(path)), header(read_header(parts)), metadata(header, parts.front().path()) {}

const GgufHeader::Entry* GgufFile::tensor(std::string_view name) const {
  const auto found = std::ranges::find(header.tensors, name, &GgufHeader::Entry::name);
  return found == header.tensors.end() ? nullptr : &*found;
}

std::span<const std::byte> GgufFile::bytes_of(const GgufHeader::Entry& entry) const {
  return parts[entry.part].bytes().subspan(entry.begin, entry.size);
}

}  // namespace headscope
