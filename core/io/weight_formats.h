#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/base/error.h"

namespace headscope {

/// Why weights in another format than .safetensors are not opened, and what to do; none for a file that holds
/// no weights by its name.
std::optional<Error> why_not_opened(const std::string& path);

/// The names of the files in a folder, sorted; none where it cannot be read.
std::vector<std::string> files_in(const std::string& folder);

/// The complaint about the folder's weights in other formats, a pickle first; none where it has none.
std::optional<Error> other_weights_in(const std::string& folder);

}  // namespace headscope
