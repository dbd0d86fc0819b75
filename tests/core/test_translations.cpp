// Every text in the sources has its entry in every language, with the same values and all its forms.

#include "core/base/po_file.h"
#include "core/base/translate.h"
#include "tests/support/source_files.h"

namespace headscope::tests {

// The texts that xgettext finds in these files.
std::vector<PoEntry> extracted(const std::vector<fs::path>& files) {
  const TempFolder folder;
  std::ofstream list(folder.at("files"));
  for (const fs::path& file : files) list << file.string() << '\n';
  list.close();
  // msgen: entries without a text would be taken for untranslated ones.
  const std::string command =
      "xgettext --language=C++ --from-code=UTF-8 --no-location --files-from=" + folder.at("files") +
      " --keyword --keyword=tr --keyword=tr_ --keyword=TR --keyword=input_error --keyword=unable_error"
      " --keyword=wrong --keyword=in_context:1c,2 --keyword=plural:1,2 --keyword=counted:1,2 --output=- | "
      "msgen - --output-file=" +
      folder.at("texts.po");
  EXPECT_EQ(std::system(command.c_str()), 0) << command;
  return read_po(read_file(folder.at("texts.po"), 1 << 22), "texts.po").entries;
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

// What is one text: the form for one (after its context, if it has one), and that for others or "".
std::pair<std::string, std::string> text_of(const PoEntry& entry) {
  return {entry.context.empty() ? entry.id : entry.context + ": " + entry.id, entry.plural};
}

const std::set<std::pair<std::string, std::string>>& all_texts() {
  static const auto found = [] {
    std::vector<fs::path> files;
    for (const char* folder : {"app", "core"})
      for (const SourceFile& file : source_files(folder)) files.push_back(fs::path(SOURCE_DIR) / file.name);
    std::set<std::pair<std::string, std::string>> texts;
    for (const PoEntry& entry : extracted(files)) texts.insert(text_of(entry));
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

TEST(TextsInSources, are_found_where_they_are_marked) {
  using testing::Pair;
  const TempFolder folder;
  std::ofstream(folder.at("a.cpp"))
      << R"(tr("a") TR("b" "c") ui.tr("d\n\"e\"") x.tr("f {}", 1) throw input_error("g {}, " "h", x);
            tr(on ? TR("yes") : TR("no")) tr(name) str("never") tr("1'000", tr("y")); // tr("comment")
            tr.plural("{} a", "{} " "as", n) counted("i", "is", f(1, 2)) tr.in_context("of x", "y"))";
  std::vector<std::pair<std::string, std::string>> texts;
  for (const PoEntry& entry : extracted({folder.at("a.cpp")})) texts.push_back(text_of(entry));
  EXPECT_THAT(texts, testing::UnorderedElementsAre(
                         Pair("a", ""), Pair("bc", ""), Pair("d\n\"e\"", ""), Pair("f {}", ""),
                         Pair("g {}, h", ""), Pair("yes", ""), Pair("no", ""), Pair("1'000", ""),
                         Pair("y", ""), Pair("{} a", "{} as"), Pair("i", "is"), Pair("of x: y", "")));
}

TEST(Translations, every_text_has_an_entry_with_all_its_forms) {
  for (const Translation& translation : translations()) {
    std::map<std::string, std::string> entries;
    for (const PoEntry& entry : translation.file.entries) entries.insert(text_of(entry));
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
      EXPECT_TRUE(all_texts().contains(text_of(entry))) << translation.row.locale << ": " << entry.id;
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
                                              "1 of {} tokens has",
                                              "without {} heads",
                                              "{} of {} keys",
                                              "{} of {} queries",
                                              "{} of {} tokens",
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
            "第 3 层：1 个头的注意力模式");
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
