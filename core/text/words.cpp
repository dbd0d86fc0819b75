#include "core/text/words.h"

#include <unicode/brkiter.h>
#include <unicode/uchar.h>
#include <unicode/utext.h>

#include <memory>
#include <new>

#include "core/base/error.h"
#include "core/base/utf8.h"
#include "core/text/text_file.h"

namespace headscope {
namespace {

using Breaker = std::unique_ptr<icu::BreakIterator>;
using CreateBreaker = icu::BreakIterator* (*)(const icu::Locale&, UErrorCode&);

// The root locale: the same words whatever the system's language.
Breaker make_breaker(CreateBreaker create, UText* text) {
  UErrorCode status = U_ZERO_ERROR;
  Breaker breaker(create(icu::Locale::getRoot(), status));
  if (breaker != nullptr) breaker->setText(text, status);
  if (U_FAILURE(status) || breaker == nullptr)
    throw unable_error("ICU's word segmentation data cannot be used: {}", u_errorName(status));
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

}  // namespace

std::string_view token_part(std::string_view piece) {
  bool visible = false;
  for (std::size_t at = 0; at < piece.size() && !visible;)
    visible = !is_invisible(next_code_point(piece, at));
  if (!visible) return {};
  for (std::size_t at = 0; cut_at_front(next_code_point(piece, at)); at = 0) piece.remove_prefix(at);
  for (std::size_t begin = 0;; piece.remove_suffix(piece.size() - begin)) {
    begin = last_character(piece);
    std::size_t at = begin;
    if (!cut_at_back(next_code_point(piece, at))) return piece;
  }
}

std::vector<Token> words(std::string_view utf8) {
  check_sentence(utf8);
  UErrorCode status = U_ZERO_ERROR;
  const std::unique_ptr<UText, decltype(&utext_close)> text(
      utext_openUTF8(nullptr, utf8.data(), utf8.size(), &status), utext_close);
  if (text == nullptr) throw std::bad_alloc();
  const Breaker word = make_breaker(icu::BreakIterator::createWordInstance, text.get());
  const Breaker sentence = make_breaker(icu::BreakIterator::createSentenceInstance, text.get());

  std::vector<Token> tokens;
  int sentences = 0;
  int32_t sentence_end = sentence->next();
  for (int32_t begin = word->first(), end = word->next(); end != icu::BreakIterator::DONE;
       begin = end, end = word->next()) {
    const std::string_view part = token_part(utf8.substr(begin, end - begin));
    if (part.empty()) continue;
    const std::size_t from = part.data() - utf8.data();
    const auto token_begin = static_cast<int32_t>(from);
    // Only sentences with a token in them count: ICU counts empty lines as sentences too.
    const bool begins = token_begin >= sentence_end || ends_sentence(tokens, from);
    if (begins && !tokens.empty()) ++sentences;
    while (token_begin >= sentence_end && sentence_end != icu::BreakIterator::DONE)
      sentence_end = sentence->next();
    tokens.push_back({std::string(part), from, from + part.size(), sentences});
  }
  return tokens;
}

}  // namespace headscope
