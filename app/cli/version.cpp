#include "app/cli/version.h"

#include <fmt/format.h>

#include <CLI/Version.hpp>
#include <algorithm>
#include <cctype>

#include "core/base/version.h"

namespace headscope {

std::string version_text(std::span<const Library> of_window) {
  std::vector<Library> all = core_libraries();
  all.insert(all.end(), of_window.begin(), of_window.end());
  all.push_back({"CLI11", CLI11_VERSION});
  const auto lower = [](std::string text) {
    for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return text;
  };
  std::ranges::sort(all, {}, [&](const Library& one) { return lower(one.name); });
  std::string text = "headscope " + program_version();
  for (const Library& one : all) text += fmt::format("\n  {} {}", one.name, one.version);
  return text;
}

}  // namespace headscope
