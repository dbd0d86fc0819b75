#include "core/io/csv.h"

#include <algorithm>

namespace headscope {

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + '"';
}

std::string with_column(std::string_view table, const std::string& name, const std::string& text) {
  const auto lines = static_cast<std::size_t>(std::ranges::count(table, '\n'));
  const bool in_each = lines * text.size() <= 100 * std::max(table.size(), std::size_t{1} << 16);
  const std::string field = csv_field(text);
  std::string result;
  bool quoted = false;
  std::size_t line = 0;
  for (const char c : table) {
    if (c == '"') quoted = !quoted;
    if (c == '\n' && !quoted) {
      result += "," + (line == 0 ? name : in_each || line == 1 ? field : "");
      ++line;
    }
    result += c;
  }
  return result;
}

}  // namespace headscope
