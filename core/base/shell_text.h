#pragma once
#include <string>
#include <string_view>

namespace headscope {

/// In single quotes, for a shell that reads '\'' as a quote between two of them.
inline std::string in_shell_quotes(std::string_view text) {
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? "'\\''" : std::string(1, c);
  return quoted + "'";
}

}  // namespace headscope
