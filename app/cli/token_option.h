#pragma once
#include <string>

#include "core/source/trace.h"

namespace headscope {

/// The id of a token that an option names by its text or as id:ID. Throws Error (input) that names the
/// option; for a text of several tokens with those, for one that is none without a space before it with that.
Index one_token(const char* option, const std::string& text, const Predictions& predictions);

}  // namespace headscope
