#include "core/figure/text/chinese_text.h"

#include <unicode/uscript.h>

#include "core/base/utf8.h"

namespace headscope {

bool is_wide_punctuation(std::int32_t c) {
  return (c >= 0x3001 && c <= 0x3003) || (c >= 0x3008 && c <= 0x3011) || (c >= 0x3014 && c <= 0x301F) ||
         (c >= 0xFF01 && c <= 0xFF0F) || (c >= 0xFF1A && c <= 0xFF20) || (c >= 0xFF3B && c <= 0xFF40) ||
         (c >= 0xFF5B && c <= 0xFF5E);
}

bool wants_simplified(std::string_view text) {
  bool found = false;
  for (std::size_t i = 0; i < text.size();) {
    const std::int32_t c = next_code_point(text, i);
    UErrorCode status = U_ZERO_ERROR;
    const UScriptCode script = uscript_getScript(c, &status);
    if (script == USCRIPT_HIRAGANA || script == USCRIPT_KATAKANA || script == USCRIPT_HANGUL) return false;
    found = found || script == USCRIPT_HAN || is_wide_punctuation(c);
  }
  return found;
}

bool mostly_han(std::string_view text) {
  int han = 0, latin = 0;
  for (std::size_t i = 0; i < text.size();) {
    UErrorCode status = U_ZERO_ERROR;
    const UScriptCode script = uscript_getScript(next_code_point(text, i), &status);
    han += script == USCRIPT_HAN;
    latin += script == USCRIPT_LATIN;
  }
  return 3 * han > latin;
}

}  // namespace headscope
