#include "core/io/csv.h"

#include <algorithm>
#include <string_view>

#include "core/base/utf8.h"

namespace headscope {
namespace {

/// Spreadsheets evaluate text that begins like this, even in quotes; a leading apostrophe marks it as text.
bool looks_like_formula(std::string_view text) {
  static constexpr std::string_view signs[] = {"=", "+", "-", "−", "@", "＝", "＋", "－", "＠"};
  return std::ranges::any_of(signs, [text](std::string_view sign) { return text.starts_with(sign); });
}

}  // namespace

std::string csv_field(const std::string& text) {
  const std::string line = printable(text);
  const bool formula = looks_like_formula(line);
  if (!formula && line.find_first_of(",\"") == std::string::npos) return line;
  std::string quoted = formula ? "\"'" : "\"";
  for (const char c : line) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + '"';
}

std::string with_column(std::string_view table, const std::string& name, const std::string& text) {
  const std::size_t lines = std::ranges::count(table, '\n');
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
