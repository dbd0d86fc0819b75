#pragma once
#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/utf8.h"

namespace headscope {

// Editing of a text, independent of drawing. Positions are bytes of the UTF-8 text, always between
// characters: what a reader perceives as one (a letter with its marks, a family of emoji) is stepped over as
// one.

/// The code point that starts at `at`, which must be inside the text; `next` is where the following one
/// starts. Bytes that are not UTF-8 give U+FFFD one by one.
char32_t decode_utf8(std::string_view text, std::size_t at, std::size_t& next);
inline char32_t peek_utf8(std::string_view text, std::size_t at) {
  std::size_t next = at;
  return decode_utf8(text, at, next);
}

std::size_t next_character(std::string_view text, std::size_t at);
std::size_t previous_character(std::string_view text, std::size_t at);
std::size_t next_word(std::string_view text, std::size_t at);
std::size_t previous_word(std::string_view text, std::size_t at);

/// `text` with everything that is not UTF-8 replaced by U+FFFD and line ends by "\n"; control characters
/// except tabs and line ends are removed.
std::string clean_text(std::string_view text);

/// Caret and selection in a text stored elsewhere.
struct TextCursor {
  std::size_t caret = 0;
  std::size_t anchor = 0;  ///< the other end of the selection; equal to caret if nothing is selected

  std::size_t begin() const { return caret < anchor ? caret : anchor; }
  std::size_t end() const { return caret < anchor ? anchor : caret; }
  bool selects() const { return caret != anchor; }
  void move(std::size_t to, bool keep_anchor);
  void select_word(std::string_view text, std::size_t at);
  /// Moves the positions into `text` and between characters, after the text was changed elsewhere.
  void clamp(std::string_view text);
};

/// Replaces the selection by `insert` and puts the caret behind it.
void replace_selection(std::string& text, TextCursor& cursor, std::string_view insert);
/// Deletes the selection, or otherwise from the caret to `to`.
void erase_to(std::string& text, TextCursor& cursor, std::size_t to);

/// One line on the screen: bytes [begin, end) of the text; the line end or space at which it was broken comes
/// after it.
struct TextLine {
  std::size_t begin = 0, end = 0;
};

/// Breaks a text into lines no wider than `width`, at spaces and next to characters of scripts written
/// without them; a word that is wider behind one of . _ / - in it, or anywhere but before a closing sign.
/// `advance` gives a code point's width. There is always at least one line.
class WrappedText {
 public:
  template <typename Advance>
  void wrap(std::string_view text, float width, const Advance& advance);
  const std::vector<TextLine>& lines() const { return lines_; }
  std::size_t line_of(std::size_t at) const;

 private:
  std::vector<TextLine> lines_;
};

/// Whether a line may be broken right before this character without a space: Chinese, Japanese, Thai and the
/// like.
bool breaks_anywhere(char32_t character);
/// Closing punctuation of those scripts, which must not begin a line.
bool stays_behind(char32_t character);
/// Opening punctuation of those scripts, which must not end one.
bool goes_ahead(char32_t character);
/// Closing punctuation of other scripts, which matters inside a word.
bool closes(char32_t character);
/// Whether what follows it can begin a line where the word is too wide for one.
bool joins_parts(char32_t character);

template <typename Advance>
void WrappedText::wrap(std::string_view text, float width, const Advance& advance) {
  lines_.clear();
  struct Place {
    std::size_t at = 0;
    float x = 0;
  };
  Place usual, part, any;  // where to break: between words; between parts of one; before no closing sign
  std::size_t begin = 0, at = 0;
  float x = 0;
  bool opened = false;  // by the character before
  while (at < text.size()) {
    std::size_t next = at;
    const char32_t c = decode_utf8(text, at, next);
    if (c == U'\n') {
      lines_.push_back({begin, at});
      begin = at = next;
      usual = part = any = {begin, 0};
      x = 0;
      continue;
    }
    const float w = advance(c);
    const bool may_begin_line = !std::exchange(opened, goes_ahead(c)) && !stays_behind(c);
    if (at > begin && breaks_anywhere(c) && may_begin_line) usual = {at, x};
    if (!closes(c)) any = {at, x};
    if (x + w > width && at > begin && c != U' ') {
      const Place chosen = usual.at > begin  ? usual
                           : part.at > begin ? part
                           : any.at > begin  ? any
                                             : Place{at, x};
      lines_.push_back({begin, chosen.at});
      begin = chosen.at;
      x -= chosen.x;
      for (Place* place : {&usual, &part, &any})
        *place = {std::max(place->at, begin), std::max(place->x - chosen.x, 0.0F)};
    }
    x += w;
    at = next;
    const char32_t following = at < text.size() ? peek_utf8(text, at) : U' ';
    const bool ends = (breaks_anywhere(c) || stays_behind(c)) && !goes_ahead(c) && !stays_behind(following);
    if (c == U' ' || c == U'\t' || ends)
      usual = {at, x};
    else if (joins_parts(c) && following != U' ' && !closes(following))
      part = {at, x};
  }
  lines_.push_back({begin, text.size()});
}

}  // namespace headscope
