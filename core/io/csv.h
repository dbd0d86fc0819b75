#pragma once
#include <string>
#include <string_view>

namespace headscope {

/// A text as a CSV field (RFC 4180): quoted if it contains a comma or a quote, and prefixed with an
/// apostrophe if a spreadsheet would take it for a formula; printable(), so that it stays on its line.
std::string csv_field(const std::string& text);

/// The table with an additional last column, the same in each line; in the first line only if it would make
/// the table a hundred times larger.
std::string with_column(std::string_view table, const std::string& name, const std::string& text);

}  // namespace headscope
