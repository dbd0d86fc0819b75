#include "app/state/text/text_edit.h"

#include <algorithm>

#include "core/base/utf8.h"

namespace headscope {
namespace {

constexpr char32_t replacement = 0xFFFD;

/// Whether a character combines with the one before it.
bool extends(char32_t c) {
  return (c >= 0x300 && c <= 0x36F) || (c >= 0x483 && c <= 0x489) || (c >= 0x591 && c <= 0x5BD) ||
         (c >= 0x610 && c <= 0x61A) || (c >= 0x64B && c <= 0x65F) ||
         (c >= 0x93A && c <= 0x94F && c != 0x93D) || (c >= 0xE31 && c <= 0xE3A && c != 0xE32 && c != 0xE33) ||
         (c >= 0xE47 && c <= 0xE4E) || (c >= 0x1AB0 && c <= 0x1AFF) || (c >= 0x1DC0 && c <= 0x1DFF) ||
         c == 0x200C || c == 0x200D || (c >= 0x20D0 && c <= 0x20FF) || (c >= 0xFE00 && c <= 0xFE0F) ||
         (c >= 0x1F3FB && c <= 0x1F3FF) || (c >= 0xE0020 && c <= 0xE007F);
}

bool is_space(char32_t c) {
  return c == U' ' || c == U'\t' || c == U'\n' || c == 0x3000;
}

std::size_t previous_code_point(std::string_view text, std::size_t at) {
  if (at == 0) return 0;
  std::size_t begin = at - 1;
  while (begin > 0 && at - begin < 4 && continues_character(text[begin])) --begin;
  return begin;
}

char32_t at_position(std::string_view text, std::size_t at) {
  return peek_utf8(text, at);
}

}  // namespace

char32_t decode_utf8(std::string_view text, std::size_t at, std::size_t& next) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  next = at + 1;
  const unsigned lead = byte(at);
  if (lead < 0x80) return lead;
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || at + length > text.size()) return replacement;
  char32_t c = lead & (0xFFU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(at + i) & 0xC0) != 0x80) return replacement;
    c = (c << 6) | (byte(at + i) & 0x3FU);
  }
  constexpr char32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
  if (c < smallest[length] || c > 0x10FFFF || (c >= 0xD800 && c <= 0xDFFF)) return replacement;
  next = at + length;
  return c;
}

std::size_t next_character(std::string_view text, std::size_t at) {
  if (at >= text.size()) return text.size();
  std::size_t next = at;
  char32_t c = decode_utf8(text, at, next);
  while (next < text.size()) {
    std::size_t after = next;
    const char32_t following = decode_utf8(text, next, after);
    if (!extends(following) && c != 0x200D) break;
    c = following;
    next = after;
  }
  return next;
}

std::size_t previous_character(std::string_view text, std::size_t at) {
  std::size_t begin = previous_code_point(text, at);
  while (begin > 0 &&
         (extends(at_position(text, begin)) || at_position(text, previous_code_point(text, begin)) == 0x200D))
    begin = previous_code_point(text, begin);
  return begin;
}

std::size_t next_word(std::string_view text, std::size_t at) {
  while (at < text.size() && !is_space(at_position(text, at))) at = next_character(text, at);
  while (at < text.size() && is_space(at_position(text, at))) at = next_character(text, at);
  return at;
}

std::size_t previous_word(std::string_view text, std::size_t at) {
  const auto before = [&] { return at_position(text, previous_code_point(text, at)); };
  while (at > 0 && is_space(before())) at = previous_character(text, at);
  while (at > 0 && !is_space(before())) at = previous_character(text, at);
  return at;
}

std::string clean_text(std::string_view text) {
  std::string clean;
  clean.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    std::size_t next = at;
    char32_t c = decode_utf8(text, at, next);
    if (c == U'\r') {
      c = U'\n';
      if (next < text.size() && text[next] == '\n') ++next;
    }
    if (c >= 0x20 ? c != 0x7F : c == U'\n' || c == U'\t') append_utf8(clean, c);
    at = next;
  }
  return clean;
}

void TextCursor::move(std::size_t to, bool keep_anchor) {
  caret = to;
  if (!keep_anchor) anchor = to;
}

void TextCursor::select_word(std::string_view text, std::size_t at) {
  std::size_t begin = at, end = at;
  while (begin > 0 && !is_space(at_position(text, previous_code_point(text, begin))))
    begin = previous_character(text, begin);
  while (end < text.size() && !is_space(at_position(text, end))) end = next_character(text, end);
  anchor = begin;
  caret = end;
}

void TextCursor::clamp(std::string_view text) {
  for (std::size_t* at : {&caret, &anchor}) {
    *at = std::min(*at, text.size());
    while (*at > 0 && *at < text.size() && continues_character(text[*at])) --*at;
  }
}

void replace_selection(std::string& text, TextCursor& cursor, std::string_view insert) {
  text.replace(cursor.begin(), cursor.end() - cursor.begin(), insert);
  cursor.move(cursor.begin() + insert.size(), false);
}

void erase_to(std::string& text, TextCursor& cursor, std::size_t to) {
  if (!cursor.selects()) cursor.anchor = to;
  replace_selection(text, cursor, {});
}

bool breaks_anywhere(char32_t c) {
  return (c >= 0x0E00 && c <= 0x0EFF && !extends(c)) || (c >= 0x1780 && c <= 0x17B3) ||
         (c >= 0x2E80 && c <= 0x2FDF) || (c >= 0x3040 && c <= 0x30FF) || (c >= 0x3100 && c <= 0x9FFF) ||
         (c >= 0xFF00 && c <= 0xFFEF && !stays_behind(c)) || (c >= 0xAC00 && c <= 0xD7AF) ||
         (c >= 0xF900 && c <= 0xFAFF) || (c >= 0x1F300 && c <= 0x1FAFF) || (c >= 0x20000 && c <= 0x3FFFF);
}

bool stays_behind(char32_t c) {
  constexpr std::u32string_view closing = U"，。、；：？！）》」』】〉…”’·％";
  return closing.find(c) != std::u32string_view::npos;
}

bool goes_ahead(char32_t c) {
  constexpr std::u32string_view opening = U"（《「『【〈“‘";
  return opening.find(c) != std::u32string_view::npos;
}

bool closes(char32_t c) {
  constexpr std::u32string_view closing = U")]}.,;:!?%";
  return stays_behind(c) || closing.find(c) != std::u32string_view::npos;
}

bool joins_parts(char32_t c) {
  constexpr std::u32string_view joining = U"._/-";
  return joining.find(c) != std::u32string_view::npos;
}

std::size_t WrappedText::line_of(std::size_t at) const {
  const auto after =
      std::upper_bound(lines_.begin(), lines_.end(), at,
                       [](std::size_t position, const TextLine& line) { return position < line.begin; });
  return after == lines_.begin() ? 0 : static_cast<std::size_t>(after - lines_.begin()) - 1;
}

}  // namespace headscope
