#include "core/base/utf8.h"

#include <unicode/utf8.h>

namespace headscope {

std::size_t find_invalid_utf8(std::string_view text) {
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(text.data());
  const auto size = static_cast<std::ptrdiff_t>(text.size());
  for (std::ptrdiff_t i = 0; i < size;) {
    const std::ptrdiff_t start = i;
    UChar32 c = 0;
    U8_NEXT(bytes, i, size, c);
    if (c < 0) return static_cast<std::size_t>(start);
  }
  return std::string_view::npos;
}

}  // namespace headscope
