#pragma once
#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "core/io/file.h"

// Tables of file formats have one row per format with its `ending`, in lower case with the dot.

namespace headscope {

/// The row of the format with the path's extension, or nullptr.
template <typename Row>
const Row* find_format(std::span<const Row> formats, const std::string& path) {
  const auto found =
      std::ranges::find(formats, ending(path), [](const Row& row) { return std::string(row.ending); });
  return found == formats.end() ? nullptr : &*found;
}

/// The Error for a path with none of these extensions.
Error unknown_format(const std::string& path, const std::vector<std::string>& known);

/// ".png", ".svg" …, each after `before`.
template <typename Row>
std::vector<std::string> endings(std::span<const Row> formats, const std::string& before = "") {
  std::vector<std::string> list;
  for (const Row& row : formats) list.push_back(before + row.ending);
  return list;
}

/// As find_format; throws Error (input) if there is none.
template <typename Row>
const Row& expect_format(std::span<const Row> formats, const std::string& path) {
  if (const Row* format = find_format(formats, path)) return *format;
  throw unknown_format(path, endings(formats));
}

}  // namespace headscope
