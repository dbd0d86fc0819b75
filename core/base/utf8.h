#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace headscope {

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

/// Whether a character is Chinese or of its punctuation, which may each begin a line: from U+2E80 on.
bool is_chinese(std::string_view character);

/// Without leading and trailing spaces and tabs.
std::string_view trimmed(std::string_view text);

/// The maximum number of bytes of a token's text that any label shows: measuring more would be wasted.
inline constexpr std::size_t longest_label = 400;

}  // namespace headscope
