#pragma once
#include <string>
#include <string_view>

namespace headscope {

/// A text as a field of a line: RFC 4180, quoted where a comma, a quote or a line break would end it.
std::string csv_field(const std::string& text);

/// The table with a column more at its end, which is the same in each line; in the first alone where it would
/// make a table of a hundred times the size.
std::string with_column(std::string_view table, const std::string& name, const std::string& text);

}  // namespace headscope
