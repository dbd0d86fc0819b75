#include "core/base/printable_lines.h"

#include <algorithm>

#include "core/base/utf8.h"

namespace headscope {

std::string printable_lines(std::string_view text) {
  std::string result;
  for (;;) {
    const std::size_t end = std::min(text.find_first_of("\n\t"), text.size());
    result += printable(text.substr(0, end));
    if (end == text.size()) return result;
    result += text[end];
    text.remove_prefix(end + 1);
  }
}

}  // namespace headscope
