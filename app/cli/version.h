#pragma once
#include <span>
#include <string>

#include "core/base/libraries.h"

namespace headscope {

/// Of `--version`: the program's version and commit, then the libraries that it runs with.
std::string version_text(std::span<const Library> of_window);

}  // namespace headscope
