#pragma once
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/enum_table.h"
#include "core/base/error.h"

namespace headscope {

enum class Language { en, zh };
inline constexpr std::size_t language_count = 2;

/// A language of the user interface. To add one: an enumerator, a row, its file
/// (assets/translations/TRANSLATING.md).
struct LanguageRow {
  Language language;
  const char* code;          ///< ISO 639, in settings and on the command line
  const char* locale;        ///< its code and country; the file is assets/translations/LOCALE.po
  const char* tag;           ///< as web pages and Pango name it (BCP 47)
  bool han;                  ///< in Chinese characters: no space between sentences, emphasis is bold
  const char* name;          ///< in the language itself
  const char* english_name;  ///< to be translated
  const char* plural_forms;  ///< gettext's, as in the file's header
  std::size_t (*form)(std::uint64_t count);  ///< the same rule
};
/// In the order of Language; English, the language of the sources, is first and has no file.
std::span<const LanguageRow> languages();
const LanguageRow& language_row(Language language);
/// What separates sentences.
const char* between_sentences(Language language);
/// The next language, cyclically.
Language next_language(Language language);
/// Of "zh", "zh_CN", "zh_TW.UTF-8", "zh-Hans"; nothing for an unknown language.
std::optional<Language> find_language(std::string_view locale);

/// What a file has in several languages; empty in those where it has nothing.
template <typename Text>
struct InLanguages {
  std::array<Text, language_count> each;
  Text& operator[](Language language) { return of_kind(each, language); }
  const Text& operator[](Language language) const { return of_kind(each, language); }
  bool has(Language language) const { return !(*this)[language].empty(); }
  bool empty() const {
    return std::ranges::all_of(each, [](const Text& text) { return text.empty(); });
  }
  /// In that language, otherwise in the first that it has.
  const Text& in(Language language) const {
    if (has(language) || empty()) return (*this)[language];
    return *std::ranges::find_if(each, [](const Text& text) { return !text.empty(); });
  }
};

/// The translation table, gettext's way: the English text is the key, and a text without an entry stays
/// English. Entries are in assets/translations; a test checks that every text in the sources has one. Sources
/// mark texts as `tr("…")` or, with values, `tr("{} of {}", i, n)` (with `const Translator& tr` passed in),
/// `TR("…")` in tables and for either text of a condition, or as the first argument of input_error and
/// unable_error; `tr.in_context("of what", "…")` where one English text means two things; texts with a plural
/// as `tr.plural("{} cell", "{} cells", n)`, or counted(…) in errors and tables.
class Translator {
 public:
  explicit Translator(Language language = Language::en);

  Language language() const { return language_; }
  /// The text in this language; `english` itself if it has no entry. NUL-terminated, valid as long as
  /// `english` and the program.
  const char* operator()(const char* english) const;
  /// The same where other languages have another word for the same English text elsewhere (gettext's
  /// pgettext).
  const char* in_context(const char* context, const char* english) const;
  /// The text with its `{}` filled in.
  template <typename... Args>
  requires(sizeof...(Args) > 0) std::string operator()(const char* english, const Args&... args) const {
    return fill((*this)(english), {fmt::format("{}", args)...});
  }
  template <typename... Args>
  std::string operator()(const Counted& text, const Args&... args) const {
    return fill(form_of(text), {fmt::format("{}", args)...});
  }
  /// The plural form for `count`, with the count filled in, or with `args` instead if given.
  template <std::integral Number, typename... Args>
  std::string plural(const char* one, const char* many, Number count, const Args&... args) const {
    if constexpr (sizeof...(args) == 0)
      return (*this)(counted(one, many, count), count);
    else
      return (*this)(counted(one, many, count), args...);
  }
  /// The error's text; places added by Error::at are not part of the table's text.
  std::string operator()(const Error& error) const;

  /// All texts of the table in this language, concatenated: the characters that the window's fonts need.
  /// Empty in English.
  std::string_view all_texts() const;

  /// `text` with each `{}` replaced by the next argument ("{0}", "{1}" … pick one, for other word orders).
  static std::string fill(const std::string& text, const std::vector<std::string>& arguments);

 private:
  std::string form_of(const Counted& text) const;

  Language language_;
};

/// Marks a text for the translation table that is translated elsewhere.
#define TR(text) text

/// From LC_ALL, LC_MESSAGES, LANG, in that order; English if none names a known language. Any region of
/// Chinese is Chinese.
Language system_language();

}  // namespace headscope
