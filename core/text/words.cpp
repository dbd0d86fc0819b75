#include "core/text/words.h"

#include <unicode/brkiter.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>
#include <unicode/utf16.h>
#include <unicode/utf8.h>

#include <memory>

#include "core/base/error.h"
#include "core/base/utf8.h"

namespace headscope {
namespace {

using Breaker = std::unique_ptr<icu::BreakIterator>;
using CreateBreaker = icu::BreakIterator* (*)(const icu::Locale&, UErrorCode&);

// The root locale: the same words whatever the system's language.
Breaker make_breaker(CreateBreaker create, const icu::UnicodeString& text) {
  UErrorCode status = U_ZERO_ERROR;
  Breaker breaker(create(icu::Locale::getRoot(), status));
  if (U_FAILURE(status) || breaker == nullptr)
    throw unable_error("ICU's word segmentation data cannot be used: {}", u_errorName(status));
  breaker->setText(text);
  return breaker;
}

// Nothing visible: white space, controls, format characters, fillers and lone variation selectors.
bool is_invisible(UChar32 c) {
  const auto category = u_charType(c);
  return u_isUWhiteSpace(c) || category == U_CONTROL_CHAR || category == U_FORMAT_CHAR ||
         u_hasBinaryProperty(c, UCHAR_DEFAULT_IGNORABLE_CODE_POINT);
}

// A segment of UAX #29 may start with a space that carries a mark, and may end with marks of writing
// direction, which would make equal words different tokens.
bool cut_at_front(UChar32 c) {
  return u_isUWhiteSpace(c);
}
bool cut_at_back(UChar32 c) {
  return u_isUWhiteSpace(c) || u_hasBinaryProperty(c, UCHAR_BIDI_CONTROL);
}

// Narrows [begin, end) of `text` to a token; false if nothing of it is visible.
bool trim(const icu::UnicodeString& text, int32_t& begin, int32_t& end) {
  bool visible = false;
  for (int32_t i = begin; i < end && !visible; i += U16_LENGTH(text.char32At(i)))
    visible = !is_invisible(text.char32At(i));
  if (!visible) return false;
  while (cut_at_front(text.char32At(begin))) begin += U16_LENGTH(text.char32At(begin));
  while (cut_at_back(text.char32At(end - 1))) end -= U16_LENGTH(text.char32At(end - 1));
  return true;
}

// UAX #29 does not end a sentence before a lower-case word, so that "etc. and" stays one. Sentences typed
// here are often lower case throughout: a single stop, exclamation or question mark with white space after it
// ends one, unless it ends an abbreviation with a stop inside ("e.g.") or an ellipsis.
bool ends_sentence(const std::vector<Token>& tokens, std::size_t next_begin) {
  if (tokens.empty() || tokens.back().end == next_begin) return false;
  const std::string& mark = tokens.back().text;
  if (mark != "." && mark != "!" && mark != "?") return false;
  if (mark != "." || tokens.size() == 1) return true;
  const Token& before = tokens[tokens.size() - 2];
  return before.end != tokens.back().begin || before.text.find('.') == std::string::npos;
}

// Maps ascending positions of the UTF-16 text to the UTF-8 text.
class ByteCounter {
 public:
  explicit ByteCounter(const icu::UnicodeString& text) : text_(text) {}
  std::size_t at(int32_t position) {
    while (position_ < position) {
      const UChar32 c = text_.char32At(position_);
      bytes_ += static_cast<std::size_t>(U8_LENGTH(c));
      position_ += U16_LENGTH(c);
    }
    return bytes_;
  }

 private:
  const icu::UnicodeString& text_;
  int32_t position_ = 0;
  std::size_t bytes_ = 0;
};

void check_text(std::string_view utf8) {
  constexpr std::size_t longest = std::size_t{1} << 30;  // ICU counts in 32 bits
  if (utf8.size() > longest)
    throw input_error("the sentence has {} bytes; expected at most {}", utf8.size(), longest);
  const std::size_t invalid = find_invalid_utf8(utf8);
  if (invalid != std::string_view::npos)
    throw input_error("the sentence is not valid UTF-8: byte {} (numbered from 0) is 0x{}", invalid,
                      fmt::format("{:02X}", static_cast<unsigned char>(utf8[invalid])));
}

}  // namespace

std::string_view token_part(std::string_view piece) {
  const auto text =
      icu::UnicodeString::fromUTF8(icu::StringPiece(piece.data(), static_cast<int32_t>(piece.size())));
  int32_t begin = 0, end = text.length();
  if (!trim(text, begin, end)) return {};
  ByteCounter bytes(text);
  const std::size_t from = bytes.at(begin), to = bytes.at(end);
  return piece.substr(from, to - from);
}

std::vector<Token> words(std::string_view utf8) {
  check_text(utf8);
  const auto text =
      icu::UnicodeString::fromUTF8(icu::StringPiece(utf8.data(), static_cast<int32_t>(utf8.size())));
  const Breaker word = make_breaker(icu::BreakIterator::createWordInstance, text);
  const Breaker sentence = make_breaker(icu::BreakIterator::createSentenceInstance, text);

  std::vector<Token> tokens;
  ByteCounter bytes(text);
  int sentences = 0;
  int32_t sentence_end = sentence->next();
  for (int32_t begin = word->first(), end = word->next(); end != icu::BreakIterator::DONE;
       begin = end, end = word->next()) {
    int32_t token_begin = begin, token_end = end;
    if (!trim(text, token_begin, token_end)) continue;
    const std::size_t from = bytes.at(token_begin);
    // Only sentences with a token in them count: ICU counts empty lines as sentences too.
    const bool begins = token_begin >= sentence_end || ends_sentence(tokens, from);
    if (begins && !tokens.empty()) ++sentences;
    while (token_begin >= sentence_end && sentence_end != icu::BreakIterator::DONE)
      sentence_end = sentence->next();
    const std::size_t to = bytes.at(token_end);
    tokens.push_back({std::string(utf8.substr(from, to - from)), from, to, sentences});
  }
  return tokens;
}

}  // namespace headscope
