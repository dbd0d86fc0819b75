// Every text in the sources has its Chinese entry, with the same values in it.

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

// The texts that an argument may be: adjacent literals are one text; a condition picks one of several.
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

std::set<std::string> as_set(const std::vector<std::string>& texts) {
  return {texts.begin(), texts.end()};
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

std::map<std::string, std::string> chinese() {
  std::ifstream file(SOURCE_DIR "/assets/translations/zh.json");
  return nlohmann::json::parse(file).get<std::map<std::string, std::string>>();
}

TEST(TextsInSources, are_found_as_the_compiler_reads_them) {
  EXPECT_THAT(texts_in(R"(tr("a") TR("b" "c") ui.tr("d\n\"e\"") x.tr.format("f {}", 1))"),
              testing::UnorderedElementsAre("a", "bc", "d\n\"e\"", "f {}"));
  EXPECT_THAT(texts_in("throw input_error(\"a {}, \"\n   \"b\", x); // tr(\"no\")\n/* tr(\"no\") */"),
              ElementsAre("a {}, b"));
  EXPECT_THAT(texts_in(R"(tr(on ? "yes" : "no") tr(name) str("x") "tr(" + f(tr) int tr("q"))"),
              ElementsAre("yes", "no", "q"));
  EXPECT_THAT(texts_in(R"(tr.format('"' + "x", 1'000, tr("y")))"), ElementsAre("y"));
}

TEST(Translations, every_text_has_a_chinese_entry) {
  const auto table = chinese();
  std::vector<std::string> missing;
  for (const char* folder : {"app", "core"})
    for (const SourceFile& file : source_files(folder))
      for (const std::string& text : texts_in(file.text))
        if (has_words(text) && !table.contains(text)) missing.push_back(file.name + ": " + text);
  EXPECT_THAT(missing, IsEmpty());
}

TEST(Translations, every_entry_is_a_text_of_the_sources) {
  std::set<std::string> texts;
  for (const char* folder : {"app", "core"})
    for (const SourceFile& file : source_files(folder)) texts.merge(as_set(texts_in(file.text)));
  std::vector<std::string> unused;
  for (const auto& entry : chinese())
    if (!texts.contains(entry.first)) unused.push_back(entry.first);
  EXPECT_THAT(unused, IsEmpty());
}

TEST(Translations, entries_take_the_same_values) {
  for (const auto& [english, chinese_text] : chinese()) {
    EXPECT_EQ(values_in(english), values_in(chinese_text)) << english;
    EXPECT_FALSE(chinese_text.empty()) << english;
  }
}

}  // namespace headscope::tests
