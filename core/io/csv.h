#pragma once
#include <string>
#include <string_view>

namespace headscope {

/// A text as a field of a line: RFC 4180, quoted where a comma or a quote would end it, and behind an
/// apostrophe where a spreadsheet would take it for a formula; printable(), so that it stays on its line.
std::string csv_field(const std::string& text);

/// The table with a column more at its end, which is the same in each line; in the first alone where it would
/// make a table of a hundred times the size.
std::string with_column(std::string_view table, const std::string& name, const std::string& text);

}  // namespace headscope
