#pragma once
#include <vector>

#include "core/base/libraries.h"

namespace headscope {

/// The libraries of the window alone.
std::vector<Library> window_libraries();

}  // namespace headscope
