#pragma once
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/budget.h"

namespace headscope {

/// `text` as JSON. Throws Error (input) that names `source`, the field where it stopped and what was found:
/// text that is not UTF-8, not JSON (NaN is not) or cut short, a duplicate field, a number beyond double,
/// nesting deeper than 32 levels (no file of ours has more than 5), more values than the budget has room for.
nlohmann::json parse_json(std::string_view text, const std::string& source, Budget& budget);
/// The same with the budget of a file that contains only `text`.
nlohmann::json parse_json(std::string_view text, const std::string& source);

/// The value as an integer in the given range, both ends included; none for anything else, such as 2.5 or
/// 1e308. Every reader converts numbers with it: an out-of-range conversion is undefined behaviour.
std::optional<std::int64_t> integer_in(const nlohmann::json& value, std::int64_t minimum,
                                       std::int64_t maximum);

/// A value for a message: as JSON, shortened if long.
std::string shown(const nlohmann::json& value);

}  // namespace headscope
