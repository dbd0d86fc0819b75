#pragma once
#include <set>
#include <string>
#include <string_view>

#include "core/inputs/inputs.h"

namespace headscope {

/// "0.1,decoder:3.7": layer and head, counted from 0, after the block where there are several; the same on
/// the command line and in sessions. "" and "none" are no heads. Throws Error (input) that tells what was
/// found and what was expected.
std::set<HeadPlace> parse_head_places(std::string_view text);
std::string to_string(const std::set<HeadPlace>& places);

}  // namespace headscope
