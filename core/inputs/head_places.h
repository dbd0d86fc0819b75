#pragma once
#include <set>
#include <string>
#include <string_view>

#include "core/inputs/inputs.h"

namespace headscope {

/// "0.1,decoder:3.7": layer and head, counted from 0, after the block if there are several; the same on the
/// command line and in sessions. "" and "none" mean no heads. Throws Error (input) with what was found and
/// expected.
std::set<HeadPlace> parse_head_places(std::string_view text);
std::string to_string(const std::set<HeadPlace>& places);

}  // namespace headscope
