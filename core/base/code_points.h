#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace headscope {

/// Decodes the code point at byte i of valid UTF-8 (words.h rejects anything else) and advances i past it.
/// Never reads beyond the text, whatever it contains.
inline std::int32_t next_code_point(std::string_view text, std::size_t& i) {
  const auto byte = [&] { return i < text.size() ? static_cast<unsigned char>(text[i++]) : 0U; };
  const unsigned lead = byte();
  const int more = lead < 0xC0 ? 0 : lead < 0xE0 ? 1 : lead < 0xF0 ? 2 : 3;
  unsigned c = more == 0 ? lead : lead & (0x3FU >> more);
  for (int k = 0; k < more; ++k) c = c << 6 | (byte() & 0x3FU);
  return static_cast<std::int32_t>(c);
}

/// Appends the character as UTF-8; U+FFFD if it is not a valid code point.
void append_utf8(std::string& text, char32_t character);

}  // namespace headscope
