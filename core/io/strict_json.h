#pragma once
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/budget.h"

namespace headscope {

/// `text` as JSON. Throws Error (input) that names `source`, the field where it stopped and what was found:
/// text that is not UTF-8, not JSON (NaN is not) or cut short, a field given twice, a number beyond double,
/// nesting deeper than 32 levels (no file of ours has more than 5), more values than the budget has room for.
nlohmann::json parse_json(std::string_view text, const std::string& source, Budget& budget);
/// The same with the budget of a file that holds `text` and nothing else.
nlohmann::json parse_json(std::string_view text, const std::string& source);

/// The value as a whole number of [least, most]; none where it is anything else, as 2.5 and 1e308 are. No
/// reader converts a number without it: beyond its type a conversion has no defined result.
std::optional<std::int64_t> whole_number(const nlohmann::json& value, std::int64_t least, std::int64_t most);

/// A value for a message: as JSON, cut off where it is long.
std::string shown(const nlohmann::json& value);

}  // namespace headscope
