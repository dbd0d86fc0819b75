#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace headscope {

/// Whether a byte of UTF-8 is a character by itself, and all of a text; whether it belongs to one that began
/// before.
constexpr bool is_ascii(char byte) {
  return static_cast<unsigned char>(byte) < 0x80;
}
constexpr bool is_ascii(std::string_view text) {
  return std::ranges::all_of(text, [](char byte) { return is_ascii(byte); });
}
constexpr bool continues_character(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80;
}

/// The position of the first byte that is not valid UTF-8, or npos.
std::size_t find_invalid_utf8(std::string_view text);

/// `text` on one line, for messages: control characters, bidirectional controls and bytes that are not UTF-8
/// as \n, \x1b or \u202e, so that no name can move a terminal's cursor or forge a line.
std::string printable(std::string_view text);

/// The start of `text`, at most `max_bytes`, cut between two characters; with "…" if anything was cut.
std::string cut_off(std::string_view text, std::size_t max_bytes);

/// Replaces each of Unicode's 66 noncharacters, which fonts and PDF do not support, by U+FFFD. Expects valid
/// UTF-8.
std::string without_noncharacters(std::string_view text);

/// The end of the code point that begins at `at` in valid UTF-8.
std::size_t code_point_end(std::string_view text, std::size_t at);

/// Where the last code point of a text begins; 0 in an empty one.
std::size_t last_character(std::string_view text);

/// Whether a character is Chinese or of its punctuation, which may each begin a line: from U+2E80 on.
bool is_chinese(std::string_view character);

/// Without leading and trailing spaces, tabs and line ends.
std::string_view trimmed(std::string_view text);

/// The maximum number of bytes of a token's text that any label shows: measuring more would be wasted.
inline constexpr std::size_t longest_label = 400;

/// printable() for text of several lines; keeps line ends and tabs.
std::string printable_lines(std::string_view text);

/// Decodes the code point at byte i of valid UTF-8 (words.h rejects anything else) and advances i past it.
/// Never reads beyond the text, whatever it contains.
inline std::int32_t next_code_point(std::string_view text, std::size_t& i) {
  const auto byte = [&] { return i < text.size() ? static_cast<unsigned char>(text[i++]) : 0U; };
  const unsigned lead = byte();
  const int more = lead < 0xC0 ? 0 : lead < 0xE0 ? 1 : lead < 0xF0 ? 2 : 3;
  unsigned c = more == 0 ? lead : lead & (0x3FU >> more);
  for (int k = 0; k < more; ++k) c = c << 6 | (byte() & 0x3FU);
  return c;
}

/// Appends the character as UTF-8; U+FFFD if it is not a valid code point.
void append_utf8(std::string& text, char32_t character);

}  // namespace headscope
