#include "core/base/version.h"

#include <fmt/format.h>

#include <string_view>

namespace headscope {

/// What git calls the sources, with "+" if they differ from it; empty: they are not from git.
std::string_view commit();  // written by scripts/cmake/commit.cmake

std::string program_version() {
  return commit().empty() ? HEADSCOPE_VERSION : fmt::format("{} ({})", HEADSCOPE_VERSION, commit());
}

}  // namespace headscope
