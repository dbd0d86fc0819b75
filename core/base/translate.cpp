#include "core/base/translate.h"

#include <algorithm>
#include <map>

#include "core/base/enum_table.h"
#include "core/base/po_file.h"
#include "core/base/utf8.h"
#include "core/system/process.h"

namespace headscope {
namespace translations {
std::string_view find(std::string_view file_name);
}

namespace {

// Languages with their locales; plural forms from gettext's manual, "Plural forms".
constexpr LanguageRow language_rows[] = {
    {Language::en, "en", "en_GB", "en", false, "English", TR("English"), "nplurals=2; plural=(n != 1);",
     [](std::uint64_t n) { return std::size_t{n == 1 ? 0U : 1U}; }},
    {Language::zh, "zh", "zh_CN", "zh-CN", true, "中文", TR("Chinese (中文)"), "nplurals=1; plural=0;",
     [](std::uint64_t) { return std::size_t{0}; }},
};

static_assert(std::size(language_rows) == language_count);

/// The plural forms of each text, one if it has no plural.
using Entries = std::map<std::string, std::vector<std::string>, std::less<>>;

// As gettext's compiled files have it: the context, EOT, the text.
std::string key_of(std::string_view context, std::string_view english) {
  return context.empty() ? std::string(english) : fmt::format("{}\4{}", context, english);
}

std::string_view file_of(Language language) {
  return translations::find(std::string(language_row(language).locale) + ".po");
}

Entries read_table(Language language) {
  Entries table;
  for (PoEntry& entry : read_po(file_of(language), language_row(language).locale).entries)
    table.emplace(key_of(entry.context, entry.id), std::move(entry.texts));
  return table;
}

// Read once and never changed: constants stored as files.
const Entries& table_of(Language language) {
  static const std::vector<Entries> tables = [] {
    std::vector<Entries> all;
    for (const LanguageRow& row : languages()) all.push_back(read_table(row.language));
    return all;
  }();
  return of_kind(tables, language);
}

}  // namespace

std::span<const LanguageRow> languages() {
  return language_rows;
}

const LanguageRow& language_row(Language language) {
  return of_kind(language_rows, language);
}

const char* between_sentences(Language language) {
  return language_row(language).han ? "" : " ";
}

Language next_language(Language language) {
  return language_rows[(static_cast<std::size_t>(language) + 1) % std::size(language_rows)].language;
}

std::optional<Language> find_language(std::string_view locale) {
  const std::string_view code = locale.substr(0, locale.find_first_of("_-.@"));
  for (const LanguageRow& row : language_rows)
    if (code == row.code) return row.language;
  return {};
}

Translator::Translator(Language language) : language_(language) {}

const char* Translator::operator()(const char* english) const {
  if (language_ == Language::en) return english;
  const Entries& table = table_of(language_);
  const auto found = table.find(std::string_view(english));
  return found == table.end() ? english : found->second.front().c_str();
}

const char* Translator::in_context(const char* context, const char* english) const {
  if (language_ == Language::en) return english;
  const Entries& table = table_of(language_);
  const auto found = table.find(key_of(context, english));
  return found == table.end() ? english : found->second.front().c_str();
}

std::string Translator::form_of(const Counted& text) const {
  if (language_ == Language::en) return text.english();
  const Entries& table = table_of(language_);
  const auto found = table.find(text.one);
  if (found == table.end()) return text.english();
  const std::size_t form = language_row(language_).form(text.count);
  return found->second[std::min(form, found->second.size() - 1)];
}

std::string_view Translator::all_texts() const {
  return file_of(language_);
}

std::string Translator::operator()(const Error& error) const {
  std::string text = error.text();
  if (language_ == Language::en) return fill(text, error.arguments());
  const auto& counted = error.counted_text();
  const auto is_entry = [&] {
    return counted ? text == counted->english() : table_of(language_).contains(text);
  };
  std::vector<std::string> arguments = error.arguments();
  std::string place;
  // A place may be in another: "model.safetensors: wte.weight".
  const std::string inside = ": ";
  const auto translate_place = [&] {
    if (!text.starts_with(at_place) || arguments.empty()) return;
    for (std::size_t at = 0; (at = arguments.front().find(inside, at)) != std::string::npos;)
      arguments.front().replace(at, inside.size(), (*this)(TR(": ")));
  };
  const auto take = [&](const char* front, const char* translated, std::ptrdiff_t count) {
    if (!text.starts_with(front)) return false;
    translate_place();
    const auto end = arguments.begin() + count;
    place += fill(translated, {arguments.begin(), end});
    arguments.erase(arguments.begin(), end);
    text.erase(0, std::string_view(front).size());
    return true;
  };
  // What failed, before the reason (handled_error).
  const auto take_failed = [&] {
    for (std::size_t end = text.rfind(": "); end != std::string::npos && end > 0;
         end = text.rfind(": ", end - 1)) {
      const std::string front = text.substr(0, end + 2);
      if (table_of(language_).contains(front))
        return take(front.c_str(), (*this)(front.c_str()), std::ranges::count(front, '{'));
    }
    return false;
  };
  while (!is_entry()) {
    if (take(at_line_of_file, (*this)(TR("{}: line {}: ")), 2)) continue;
    if (take_failed()) continue;
    if (!take(at_place, (std::string("{}") + (*this)(TR(": "))).c_str(), 1)) break;
  }
  translate_place();
  return place + fill(counted ? form_of(*counted) : (*this)(text.c_str()), arguments);
}

std::string Translator::fill(const std::string& text, const std::vector<std::string>& arguments) {
  std::string result;
  std::size_t next = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::size_t close = text[i] == '{' ? text.find('}', i) : std::string::npos;
    if (close == std::string::npos || close - i > 2) {
      result += text[i];
      continue;
    }
    const std::size_t index = close == i + 1 ? next++ : static_cast<std::size_t>(text[i + 1] - '0');
    if (index < arguments.size()) result += printable(arguments[index]);  // may contain untrusted names
    i = close;
  }
  return result;
}

Language system_language() {
  for (const char* name : {"LC_ALL", "LC_MESSAGES", "LANG"}) {
    const std::string value = environment(name);
    if (!value.empty()) return find_language(value).value_or(Language::en);
  }
  return Language::en;
}

}  // namespace headscope
