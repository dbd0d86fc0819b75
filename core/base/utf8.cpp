#include "core/base/utf8.h"

#include <fmt/format.h>
#include <unicode/utf8.h>

#include <algorithm>

namespace headscope {
namespace {

bool turns_direction(UChar32 c) {
  return c == 0x61C || c == 0x200E || c == 0x200F || (c >= 0x202A && c <= 0x202E) ||
         (c >= 0x2066 && c <= 0x2069);
}

bool is_control(UChar32 c) {
  return c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0x2028 || c == 0x2029;
}

std::string escape(UChar32 c) {
  if (c == '\n') return "\\n";
  if (c == '\t') return "\\t";
  if (c == '\r') return "\\r";
  return c < 0x80 ? fmt::format("\\x{:02x}", static_cast<unsigned>(c))
                  : fmt::format("\\u{:04x}", static_cast<unsigned>(c));
}

}  // namespace

std::size_t find_invalid_utf8(std::string_view text) {
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(text.data());
  const std::ptrdiff_t size = text.size();
  for (std::ptrdiff_t i = 0; i < size;) {
    const std::ptrdiff_t start = i;
    UChar32 c = 0;
    U8_NEXT(bytes, i, size, c);
    if (c < 0) return start;
  }
  return std::string_view::npos;
}

std::string printable(std::string_view text) {
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(text.data());
  const std::ptrdiff_t size = text.size();
  std::string result;
  result.reserve(text.size());
  for (std::ptrdiff_t i = 0; i < size;) {
    const std::ptrdiff_t start = i;
    UChar32 c = 0;
    U8_NEXT(bytes, i, size, c);
    if (c < 0)
      for (std::ptrdiff_t k = start; k < i; ++k) result += fmt::format("\\x{:02x}", unsigned{bytes[k]});
    else if (is_control(c) || turns_direction(c))
      result += escape(c);
    else
      result.append(text, start, i - start);
  }
  return result;
}

std::string without_noncharacters(std::string_view text) {
  std::string clean;
  clean.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at;
    const std::uint32_t c = next_code_point(text, at);
    const bool none = (c & 0xFFFEU) == 0xFFFEU || (c >= 0xFDD0 && c <= 0xFDEF);
    clean += none ? std::string_view("\ufffd") : text.substr(begin, at - begin);
  }
  return clean;
}

std::string cut_off(std::string_view text, std::size_t max_bytes) {
  constexpr std::string_view mark = "…";
  if (text.size() <= max_bytes) return std::string(text);
  std::size_t end = max_bytes - std::min(max_bytes, mark.size());
  while (end > 0 && continues_character(text[end])) --end;
  return std::string(text.substr(0, end)) + std::string(mark);
}

std::size_t code_point_end(std::string_view text, std::size_t at) {
  for (++at; at < text.size() && continues_character(text[at]);) ++at;
  return at;
}

std::size_t last_character(std::string_view text) {
  std::size_t at = text.size();
  while (at > 0 && continues_character(text[--at])) {
  }
  return at;
}

bool is_chinese(std::string_view character) {
  return character.size() >= 3 && (static_cast<unsigned char>(character[0]) > 0xE2U || character >= "\u2E80");
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blank = " \t\r\n";
  text.remove_prefix(std::min(text.find_first_not_of(blank), text.size()));
  return text.substr(0, text.find_last_not_of(blank) + 1);
}

void append_utf8(std::string& text, char32_t character) {
  char bytes[U8_MAX_LENGTH];
  std::int32_t size = 0;
  constexpr char32_t replacement = 0xFFFD;
  if (character > 0x10FFFF || U_IS_SURROGATE(character)) character = replacement;
  U8_APPEND_UNSAFE(bytes, size, character);
  text.append(bytes, size);
}

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
