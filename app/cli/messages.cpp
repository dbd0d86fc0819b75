#include "app/cli/messages.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

#include "core/base/printable_lines.h"
#include "core/base/utf8.h"

namespace headscope {

void print_message(const std::string& text) {
  constexpr std::size_t longest = 500;
  const std::string line = cut_off("headscope: " + printable(text), longest - 1) + '\n';
  std::fputs(line.c_str(), stderr);
}

void print_text(const std::string& text) {
  fmt::print("{}\n", isatty(STDOUT_FILENO) == 1 ? printable_lines(text) : text);
}

}  // namespace headscope
