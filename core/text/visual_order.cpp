#include "core/text/visual_order.h"

#include <unicode/ubidi.h>
#include <unicode/unistr.h>
#include <unicode/ushape.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "core/base/utf8.h"
#include "core/text/words.h"

namespace headscope {
namespace {

/// Hebrew begins the right-to-left blocks of the BMP at U+0590, which is CB or D6 in UTF-8's first byte;
/// nothing before it is written that way.
bool may_run_right_to_left(std::string_view utf8) {
  return std::ranges::any_of(utf8, [](char c) { return static_cast<unsigned char>(c) >= 0xD6; });
}

icu::UnicodeString shaped(const icu::UnicodeString& text) {
  UErrorCode status = U_ZERO_ERROR;
  std::vector<char16_t> buffer(static_cast<std::size_t>(text.length()) * 2 + 16);
  const int32_t length = u_shapeArabic(
      text.getBuffer(), text.length(), buffer.data(), static_cast<int32_t>(buffer.size()),
      U_SHAPE_LETTERS_SHAPE | U_SHAPE_LENGTH_GROW_SHRINK | U_SHAPE_TEXT_DIRECTION_LOGICAL, &status);
  return U_FAILURE(status) != 0 ? text : icu::UnicodeString(buffer.data(), length);
}

}  // namespace

std::string visual_order(std::string_view utf8) {
  if (!may_run_right_to_left(utf8) || find_invalid_utf8(utf8) != std::string_view::npos)
    return std::string(utf8);
  icu::UnicodeString text =
      icu::UnicodeString::fromUTF8(icu::StringPiece(utf8.data(), static_cast<int32_t>(utf8.size())));
  UErrorCode status = U_ZERO_ERROR;
  const std::unique_ptr<UBiDi, decltype(&ubidi_close)> bidi(ubidi_open(), &ubidi_close);
  ubidi_setPara(bidi.get(), text.getBuffer(), text.length(), UBIDI_DEFAULT_LTR, nullptr, &status);
  if (U_FAILURE(status) != 0 || ubidi_getDirection(bidi.get()) == UBIDI_LTR) return std::string(utf8);
  text = shaped(text);
  ubidi_setPara(bidi.get(), text.getBuffer(), text.length(), UBIDI_DEFAULT_LTR, nullptr, &status);
  std::vector<char16_t> line(static_cast<std::size_t>(text.length()) + 1);
  const int32_t length = ubidi_writeReordered(bidi.get(), line.data(), static_cast<int32_t>(line.size()),
                                              UBIDI_DO_MIRRORING | UBIDI_KEEP_BASE_COMBINING, &status);
  if (U_FAILURE(status) != 0) return std::string(utf8);
  std::string result;
  icu::UnicodeString(line.data(), length).toUTF8String(result);
  return result;
}

}  // namespace headscope
