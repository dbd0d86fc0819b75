#pragma once
#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"

namespace headscope {

enum class Language { en, zh };

/// The translation table, gettext's way: the English text is the key, and what has no entry stays English.
/// The Chinese entries are assets/translations/zh.json; a test checks that every text in the sources has one.
/// Sources mark texts as `tr("…")` (with `const Translator& tr` passed in), `TR("…")` in tables, or as the
/// first argument of input_error, unable_error and `tr.format`.
class Translator {
 public:
  explicit Translator(Language language = Language::en);

  Language language() const { return language_; }
  /// The text in this language; `english` itself if it has no entry. NUL-terminated, valid as long as
  /// `english` and the program.
  const char* operator()(const char* english) const;
  /// The text with its `{}` filled in.
  template <typename... Args>
  std::string format(const char* english, const Args&... args) const {
    return fill((*this)(english), {fmt::format("{}", args)...});
  }
  /// The complaint; places put in front by Error::at are no part of the table's text.
  std::string operator()(const Error& error) const;

  /// Every text of the table in this language, one after the other: the characters that a window's fonts
  /// need. Empty in English.
  std::string_view all_texts() const;

  /// `text` with each `{}` replaced by the next argument ("{0}", "{1}" … pick one, for other word orders).
  static std::string fill(const std::string& text, const std::vector<std::string>& arguments);

 private:
  Language language_;
};

/// Marks a text for the translation table where it is not translated on the spot.
#define TR(text) text

/// "zh" or "en" from LC_ALL, LC_MESSAGES, LANG, in that order; Chinese of any region gives zh.
Language system_language();

}  // namespace headscope
