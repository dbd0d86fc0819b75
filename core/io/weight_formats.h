#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/base/error.h"

namespace headscope {

/// Why weights in another format than .safetensors are not opened, and what to do; none if the name is not
/// that of a weight file.
std::optional<Error> why_not_opened(const std::string& path);

/// The names of the files in a folder, sorted; none if it cannot be read.
std::vector<std::string> files_in(const std::string& folder);

/// The Error for weights in other formats in the folder, a pickle first; none if there are none.
std::optional<Error> other_weights_in(const std::string& folder);

}  // namespace headscope
