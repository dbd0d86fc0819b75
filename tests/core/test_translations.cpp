// Every text in the sources has its entry in every language, with the same values and all its forms.

#include "core/base/po_file.h"
#include "core/base/translate.h"
#include "tests/support/source_files.h"

namespace headscope::tests {

// The end of the string or character literal that begins at `i`.
std::size_t literal_end(std::string_view text, std::size_t i) {
  const char quote = text[i];
  for (++i; i < text.size() && text[i] != quote; ++i)
    if (text[i] == '\\') ++i;
  return std::min(i + 1, text.size());
}

bool is_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

// A ' between digits separates thousands.
bool opens_literal(std::string_view text, std::size_t i) {
  return text[i] == '"' || (text[i] == '\'' && (i == 0 || !is_name(text[i - 1])));
}

std::string without_comments(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i + 1;
    if (opens_literal(text, i)) {
      end = literal_end(text, i);
    } else if (text.substr(i, 2) == "//") {
      i = std::min(text.find('\n', i), text.size());
      continue;
    } else if (text.substr(i, 2) == "/*") {
      i = std::min(text.find("*/", i), text.size() - 2) + 2;
      continue;
    }
    result += text.substr(i, end - i);
    i = end;
  }
  return result;
}

// The first argument of a call whose "(" ends at `begin`.
std::string_view first_argument(std::string_view text, std::size_t begin) {
  int depth = 0;
  for (std::size_t i = begin; i < text.size();) {
    if (opens_literal(text, i)) {
      i = literal_end(text, i);
      continue;
    }
    if (std::string_view("([{").find(text[i]) != std::string_view::npos) ++depth;
    if (std::string_view(")]}").find(text[i]) != std::string_view::npos && --depth < 0)
      return text.substr(begin, i - begin);
    if (text[i] == ',' && depth == 0) return text.substr(begin, i - begin);
    ++i;
  }
  return {};
}

std::string value_of(std::string_view literal) {
  std::string result;
  for (std::size_t i = 1; i + 1 < literal.size(); ++i) {
    if (literal[i] != '\\') {
      result += literal[i];
      continue;
    }
    const char c = literal[++i];
    result += c == 'n' ? '\n' : c == 't' ? '\t' : c;
  }
  return result;
}

// The possible texts of an argument: adjacent literals are one text; a condition picks one of several.
std::vector<std::string> texts_of(std::string_view argument) {
  std::vector<std::string> texts;
  const std::size_t start = argument.find_first_not_of(" \n");
  if (start == std::string_view::npos) return texts;
  const bool chooses = argument.find('?') != std::string_view::npos;
  if (argument[start] != '"' && !chooses) return texts;
  bool joined = false;
  for (std::size_t i = start; i < argument.size();) {
    if (argument[i] == '"') {
      const std::size_t end = literal_end(argument, i);
      if (!joined) texts.emplace_back();
      texts.back() += value_of(argument.substr(i, end - i));
      joined = true;
      i = end;
      continue;
    }
    joined = joined && (argument[i] == ' ' || argument[i] == '\n');
    ++i;
  }
  return texts;
}

std::vector<std::string> texts_in(const std::string& source) {
  const std::string text = without_comments(source);
  std::vector<std::string> result;
  for (const std::string_view call :
       {"tr(", "TR(", "tr.format(", "tr_(", "tr_.format(", "input_error(", "unable_error(", "wrong("}) {
    for (std::size_t i = text.find(call); i != std::string::npos; i = text.find(call, i + 1)) {
      if (i > 0 && is_name(text[i - 1])) continue;
      for (std::string& found : texts_of(first_argument(text, i + call.size())))
        result.push_back(std::move(found));
    }
  }
  return result;
}

// Texts with a singular and a plural form.
std::vector<std::pair<std::string, std::string>> plurals_in(const std::string& source) {
  const std::string text = without_comments(source);
  std::vector<std::pair<std::string, std::string>> result;
  for (const std::string_view call : {"tr.plural(", "tr_.plural(", "counted("})
    for (std::size_t i = text.find(call); i != std::string::npos; i = text.find(call, i + 1)) {
      if (i > 0 && is_name(text[i - 1])) continue;
      const std::string_view first = first_argument(text, i + call.size());
      const std::string_view second = first_argument(text, i + call.size() + first.size() + 1);
      const auto one = texts_of(first), many = texts_of(second);
      if (one.size() == 1 && many.size() == 1) result.emplace_back(one[0], many[0]);
    }
  return result;
}

// The values a text takes, by number: "{}" in turn, "{1}" by name.
std::multiset<int> values_in(const std::string& text) {
  std::multiset<int> values;
  int next = 0;
  for (std::size_t i = text.find('{'); i != std::string::npos; i = text.find('{', i + 1)) {
    if (text.substr(i, 2) == "{}")
      values.insert(next++);
    else if (i + 2 < text.size() && text[i + 2] == '}')
      values.insert(text[i + 1] - '0');
  }
  return values;
}

// "{}: {}" is the same in every language.
bool has_words(const std::string& text) {
  return std::any_of(text.begin(), text.end(),
                     [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; });
}

// All of them: the form for one, and that for others or "".
const std::set<std::pair<std::string, std::string>>& all_texts() {
  static const auto found = [] {
    std::set<std::pair<std::string, std::string>> texts;
    for (const char* folder : {"app", "core"})
      for (const SourceFile& file : source_files(folder)) {
        for (const std::string& text : texts_in(file.text)) texts.emplace(text, "");
        for (const auto& plural : plurals_in(file.text)) texts.insert(plural);
      }
    return texts;
  }();
  return found;
}

struct Translation {
  const LanguageRow& row;
  PoFile file;
};
std::vector<Translation> translations() {
  std::vector<Translation> all;
  for (const LanguageRow& row : languages().subspan(1)) {
    const std::string name = std::string(row.locale) + ".po";
    all.push_back({row, read_po(read_file(SOURCE_DIR "/assets/translations/" + name), name)});
  }
  return all;
}

TEST(TextsInSources, are_found_as_the_compiler_reads_them) {
  EXPECT_THAT(texts_in(R"(tr("a") TR("b" "c") ui.tr("d\n\"e\"") x.tr.format("f {}", 1))"),
              testing::UnorderedElementsAre("a", "bc", "d\n\"e\"", "f {}"));
  EXPECT_THAT(texts_in("throw input_error(\"a {}, \"\n   \"b\", x); // tr(\"no\")\n/* tr(\"no\") */"),
              ElementsAre("a {}, b"));
  EXPECT_THAT(texts_in(R"(tr(on ? "yes" : "no") tr(name) str("x") "tr(" + f(tr) int tr("q"))"),
              ElementsAre("yes", "no", "q"));
  EXPECT_THAT(texts_in(R"(tr.format('"' + "x", 1'000, tr("y")))"), ElementsAre("y"));
  EXPECT_THAT(
      plurals_in(R"(tr.plural("{} a", "{} " "as", n) counted("b", "bs", f(1, 2)) counted(std::string one))"),
      ElementsAre(std::pair("{} a", "{} as"), std::pair("b", "bs")));
}

TEST(Translations, every_text_has_an_entry_with_all_its_forms) {
  for (const Translation& translation : translations()) {
    std::map<std::string, std::string> entries;
    for (const PoEntry& entry : translation.file.entries) entries[entry.id] = entry.plural;
    std::vector<std::string> missing;
    for (const auto& [one, many] : all_texts()) {
      const auto found = entries.find(one);
      if (has_words(one) && (found == entries.end() || found->second != many))
        missing.push_back("msgid \"" + one + (many.empty() ? "\"" : "\"\nmsgid_plural \"" + many + "\""));
    }
    EXPECT_THAT(missing, IsEmpty()) << translation.row.locale;
  }
}

TEST(Translations, every_entry_is_a_text_of_the_sources) {
  for (const Translation& translation : translations())
    for (const PoEntry& entry : translation.file.entries)
      EXPECT_TRUE(all_texts().contains({entry.id, entry.plural}))
          << translation.row.locale << ": " << entry.id;
}

TEST(Translations, entries_take_the_same_values) {
  for (const auto& [one, many] : all_texts())
    EXPECT_TRUE(many.empty() || std::ranges::includes(values_in(many), values_in(one))) << one;
  for (const Translation& translation : translations())
    for (const PoEntry& entry : translation.file.entries) {
      const std::multiset<int> values = values_in(entry.plural.empty() ? entry.id : entry.plural);
      for (const std::string& text : entry.texts)
        EXPECT_TRUE(std::ranges::includes(values, values_in(text))) << entry.id;
      EXPECT_EQ(values, values_in(entry.texts.back())) << entry.id;
    }
}

TEST(Translations, files_say_whose_they_are_and_have_the_forms_of_the_table) {
  for (const auto& [row, file] : translations()) {
    EXPECT_THAT(file.header, HasSubstr(std::string("Language: ") + row.locale + "\n"));
    EXPECT_THAT(file.header, HasSubstr(std::string("Plural-Forms: ") + row.plural_forms + "\n"));
    const auto forms =
        static_cast<std::size_t>(std::string(row.plural_forms)[std::string("nplurals=").size()] - '0');
    for (std::uint64_t n = 0; n < 200; ++n) EXPECT_LT(row.form(n), forms);
    for (const PoEntry& entry : file.entries)
      EXPECT_EQ(entry.texts.size(), entry.plural.empty() ? 1 : forms) << entry.id;
  }
}

// "1 tokens": a number before a plural noun needs tr.plural() or counted().
TEST(Translations, counts_have_plural_forms) {
  const std::set<std::string> nouns = {
      "tokens", "heads",      "layers",     "rows",  "columns", "keys",    "queries", "cells",     "parts",
      "bytes",  "numbers",    "values",     "lines", "steps",   "lessons", "times",   "questions", "mistakes",
      "files",  "characters", "parameters", "maps",  "threads", "frames",  "pages",   "blocks",    "claims"};
  // Never one: limits and what exceeds them, sizes such as 2 × 3, what is only shown for more than one.
  const std::vector<std::string> never_one = {"expected at most {}",
                                              "× {} tokens",
                                              "× {} cells",
                                              "more than {}",
                                              "allowed {} bytes",
                                              "strongest of {}",
                                              "{0} layers ×",
                                              "{} queries have",
                                              "Grouped-query, {}",
                                              "each for {} heads",
                                              "of {} layers, kept",
                                              "{} heads, d_k = {}",
                                              "from n = 2 d = {}",
                                              "Each token's {} numbers",
                                              "{} parameters",
                                              "bytes {} to {}",
                                              "d_model / h = {} columns"};
  for (const auto& [text, many] : all_texts()) {
    if (!many.empty() || text == "{} heads" ||
        std::ranges::any_of(never_one, [&whole = text](const std::string& part) {
          return whole.find(part) != std::string::npos;
        }))
      continue;
    for (std::size_t i = text.find('}'); i != std::string::npos; i = text.find('}', i + 1)) {
      const std::vector<std::string> after = split(text.substr(i + 1, 40));
      for (std::size_t word = 0; text[i + 1] == ' ' && word < std::min<std::size_t>(2, after.size()); ++word)
        EXPECT_FALSE(nouns.contains(after[word].substr(0, after[word].find_first_of(",.;:")))) << text;
    }
  }
}

TEST(Translator, takes_the_form_of_the_number) {
  const Translator en(Language::en), zh(Language::zh);
  EXPECT_EQ(en.plural("{} token", "{} tokens", 1), "1 token");
  EXPECT_EQ(en.plural("{} token", "{} tokens", 0), "0 tokens");
  EXPECT_EQ(zh.plural("{} token", "{} tokens", 1), "1 个词元");
  EXPECT_EQ(en.plural("Layer {}: attention of one head", "Layer {}: attention of {} heads", 1, 3, 1),
            "Layer 3: attention of one head");
  EXPECT_EQ(zh.plural("Layer {}: attention of one head", "Layer {}: attention of {} heads", 1, 3, 1),
            "第 3 层：1 个注意力头的关注模式");
  EXPECT_EQ(zh.plural("{} thing", "{} things", 2), "2 things") << "without an entry it stays English";
  const auto error = [](int numbers) {
    return input_error(
               counted("{} has {} number; expected {} × {}", "{} has {} numbers; expected {} × {}", numbers),
               "typed.x", numbers, 2, 2)
        .at("a.json");
  };
  EXPECT_STREQ(error(1).what(), "a.json: typed.x has 1 number; expected 2 × 2");
  EXPECT_EQ(en(error(3)), "a.json: typed.x has 3 numbers; expected 2 × 2");
  EXPECT_EQ(zh(error(1)), "a.json：typed.x 有 1 个数；应为 2 × 2");
  const Error of_line = error(1).at_line("b.md", 33).at("c");
  EXPECT_STREQ(of_line.what(), "c: b.md: line 33: a.json: typed.x has 1 number; expected 2 × 2");
  EXPECT_EQ(en(of_line), of_line.what());
  EXPECT_EQ(zh(of_line), "c：b.md：第 33 行：a.json：typed.x 有 1 个数；应为 2 × 2");
}

TEST(Translator, finds_a_language_by_its_code_or_locale) {
  const std::map<std::string, std::optional<Language>> cases = {{"zh", Language::zh},
                                                                {"zh_CN", Language::zh},
                                                                {"zh_TW.UTF-8", Language::zh},
                                                                {"zh-Hans", Language::zh},
                                                                {"en_GB@euro", Language::en},
                                                                {"C", {}},
                                                                {"", {}},
                                                                {"zhx", {}}};
  for (const auto& [locale, language] : cases) EXPECT_EQ(find_language(locale), language) << locale;
  for (const LanguageRow& row : languages()) {
    EXPECT_EQ(language_row(row.language).code, row.code) << "in the order of Language";
    EXPECT_EQ(find_language(row.locale), row.language);
    EXPECT_NE(next_language(row.language), row.language);
  }
}

TEST(PoFile, is_read_as_gettext_has_it) {
  const PoFile file = read_po(
      "# A translator's note\nmsgid \"\"\nmsgstr \"\"\n\"Language: xx\\n\"\n\"Plural-Forms: p\\n\"\n\n"
      "#. of the program\n#: a.cpp:1\nmsgid \"one\"\nmsgstr \"eins\"\n"
      "msgctxt \"menu\"\nmsgid \"one\"\nmsgstr \"Eins\"\n\n"
      "#, fuzzy\nmsgid \"perhaps\"\nmsgstr \"vielleicht\"\n\n"
      "msgid \"\"\n  \"two \\\"lines\\\"\\n\"\r\n\"\\tand \\\\\"\nmsgstr \"zwei\"\n"
      "msgid \"{} cell\"\nmsgid_plural \"{} cells\"\nmsgstr[0] \"{} Zelle\"\nmsgstr[1] \"{} Zellen\"\n"
      "msgid \"later\"\nmsgstr \"\"\n#~ msgid \"gone\"\n#~ msgstr \"weg\"",
      "xx.po");
  EXPECT_EQ(file.header, "Language: xx\nPlural-Forms: p\n");
  ASSERT_EQ(file.entries.size(), 4U);
  EXPECT_EQ(file.entries[0].id, "one");
  EXPECT_THAT(file.entries[0].texts, ElementsAre("eins"));
  EXPECT_EQ(file.entries[1].context, "menu");
  EXPECT_EQ(file.entries[2].id, "two \"lines\"\n\tand \\");
  EXPECT_EQ(file.entries[3].plural, "{} cells");
  EXPECT_THAT(file.entries[3].texts, ElementsAre("{} Zelle", "{} Zellen"));
}

TEST(PoFile, reports_the_line_that_it_cannot_read) {
  for (const auto& [text, line] : std::map<std::string, int>{{"msgid \"a\"\nmsgstr b", 2},
                                                             {"msgid \"a\nmsgstr \"b\"", 1},
                                                             {"msgstr \"b\"", 1},
                                                             {"\"b\"", 1},
                                                             {"msgid \"a\"\nmsgtext \"b\"", 2},
                                                             {"msgid \"a\"\nmsgstr[1] \"b\"", 2},
                                                             {"msgid \"a\"\nmsgstr \"\\q\"", 2},
                                                             {"msgid \"a\"\n\nmsgid \"b\"", 3},
                                                             {"msgid \"a\"", 1}})
    EXPECT_THAT(complaint([&file = text] { read_po(file, "x.po"); }),
                StartsWith("x.po: line " + std::to_string(line) + ";"))
        << text;
}

}  // namespace headscope::tests
