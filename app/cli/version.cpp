#include "app/cli/version.h"

#include <fmt/format.h>

#include <CLI/Version.hpp>
#include <algorithm>
#include <cctype>

namespace headscope {

/// What git calls the sources, with "+" if they differ from it; empty: they are not from git.
std::string_view commit();  // written by scripts/cmake/commit.cmake

std::string version_text(std::span<const Library> of_window) {
  std::vector<Library> all = core_libraries();
  all.insert(all.end(), of_window.begin(), of_window.end());
  all.push_back({"CLI11", CLI11_VERSION});
  const auto lower = [](std::string text) {
    for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return text;
  };
  std::ranges::sort(all, {}, [&](const Library& one) { return lower(one.name); });
  std::string text = "headscope " HEADSCOPE_VERSION;
  if (!commit().empty()) text += fmt::format(" ({})", commit());
  for (const Library& one : all) text += fmt::format("\n  {} {}", one.name, one.version);
  return text;
}

}  // namespace headscope
