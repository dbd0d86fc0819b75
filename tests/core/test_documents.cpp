#include <algorithm>
#include <cctype>
#include <regex>
#include <set>
#include <sstream>

#include "core/teach/documents.h"
#include "core/teach/lesson_text.h"
#include "tests/support/testing.h"

namespace headscope::tests {
namespace {

/// What every language of a document has alike.
struct Skeleton {
  /// Headings and items by their signs, paragraphs, rows by their bars, lines of code.
  std::vector<std::string> parts;
  std::set<std::string> code, numbers;  ///< in the text
  std::vector<std::string> links;       ///< where they lead
};

/// The first groups of all matches.
std::vector<std::string> all_of(const std::string& text, const std::regex& wanted) {
  std::vector<std::string> found;
  for (std::sregex_iterator at(text.begin(), text.end(), wanted), end; at != end; ++at)
    found.push_back((*at)[1]);
  return found;
}
std::set<std::string> set_of(const std::vector<std::string>& all) {
  return {all.begin(), all.end()};
}

/// A script writes this part of models.md (tests/referee/table.py), in English alone.
std::string without_referee(std::string markdown) {
  const std::size_t begin = markdown.find("Held against the real ones by"),
                    end = markdown.find("What is apart there");
  return end == std::string::npos ? markdown : markdown.erase(begin, end - begin);
}

/// What explains a line of code is not part of it.
Skeleton skeleton(const std::string& markdown) {
  static const std::regex fence("(`{3,})[a-z]*"), sign("(#+|-) .*"), row(R"(\|.*\|)"), explanation("  +#.*"),
      span("`([^`]+)`"), link(R"(\]\(([^)]+)\))"), number("([0-9]+([.,][0-9]+)*)");
  Skeleton skeleton;
  std::string closes, text, before;
  std::istringstream lines(without_referee(markdown));
  for (std::string line; std::getline(lines, line);) {
    std::smatch found;
    const bool fenced = std::regex_match(line, found, fence);
    if (!closes.empty() || fenced) skeleton.parts.push_back(std::regex_replace(line, explanation, ""));
    if (!closes.empty()) {
      if (line == closes) closes.clear();
    } else if (fenced) {
      closes = found[1];
    } else {
      if (std::regex_match(line, found, sign))
        skeleton.parts.push_back(found[1]);
      else if (std::regex_match(line, row))
        skeleton.parts.emplace_back(std::ranges::count(line, '|'), '|');
      else if (before.empty() && !line.empty())
        skeleton.parts.emplace_back("a paragraph");
      text += line + " ";
    }
    before = line;
  }
  skeleton.code = set_of(all_of(text, span));
  text = std::regex_replace(text, span, "");
  skeleton.links = all_of(text, link);
  skeleton.numbers = set_of(all_of(std::regex_replace(text, link, ""), number));
  return skeleton;
}

/// Those to other files, which may be translated, too; their headings have other addresses then.
std::vector<std::string> links_to_others(std::vector<std::string> links) {
  std::erase_if(links, [](const std::string& to) { return to.starts_with('#'); });
  static const std::regex place(R"((\.[a-z]+)?\.md(#.*)?$)");
  for (std::string& to : links)
    if (!to.starts_with("https:")) to = std::regex_replace(to, place, ".md");
  return links;
}

/// The addresses of its headings, as GitHub has them.
std::set<std::string> addresses(const std::string& markdown) {
  std::set<std::string> all;
  std::istringstream lines(markdown);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with('#')) continue;
    std::string address;
    for (const char c : line.substr(std::min(line.find(' ') + 1, line.size()))) {
      const auto byte = static_cast<unsigned char>(c);
      if (byte >= 0x80 || std::isalnum(byte) != 0 || c == '-' || c == '_')
        address += static_cast<char>(std::tolower(byte));
      else if (c == ' ')
        address += '-';
    }
    all.insert(address);
  }
  return all;
}

/// The Markdown files but lessons, whose links are names.
std::vector<fs::path> pages() {
  const fs::path top(SOURCE_DIR);
  std::vector<fs::path> all;
  const auto add = [&](const fs::directory_entry& entry) {
    if (entry.path().extension() == ".md" && entry.path().parent_path() != top / "assets/lessons")
      all.push_back(entry.path());
  };
  for (const auto& entry : fs::directory_iterator(top)) add(entry);
  for (const char* folder : {"assets", "core", "docs"})
    for (const auto& entry : fs::recursive_directory_iterator(top / folder)) add(entry);
  return all;
}

}  // namespace

TEST(Documents, are_in_the_program_and_read_without_a_mistake) {
  for (const DocumentRow& row : documents())
    for (const LanguageRow& language : languages()) {
      const std::string_view text = document_text(row.name, language.language);
      EXPECT_TRUE(text.starts_with("# ")) << row.name;
      Budget budget(row.name, text.size());
      std::vector<LessonMistake> mistakes;
      EXPECT_FALSE(lesson_text(text, 1, budget, mistakes).empty()) << row.name;
      for (const LessonMistake& mistake : mistakes)
        ADD_FAILURE() << row.name << " line " << mistake.line << ": " << mistake.error.what();
    }
}

TEST(Documents, are_in_all_languages) {
  for (const DocumentRow& row : documents())
    for (const LanguageRow& language : languages().subspan(1))
      EXPECT_TRUE(document_text(row.name, language.language) != document_text(row.name, Language::en))
          << "there is no " << row.name << "." << language.code << ".md";
}

// A page that is changed in one language is changed in all.
TEST(Documents, have_the_same_parts_in_all_languages) {
  for (const fs::path& page : pages())
    for (const LanguageRow& language : languages().subspan(1)) {
      const fs::path translated = fs::path(page).replace_extension(fmt::format(".{}.md", language.code));
      if (!fs::exists(translated)) continue;
      const Skeleton english = skeleton(read_file(page.string())),
                     own = skeleton(read_file(translated.string()));
      const auto [here, there] = std::ranges::mismatch(own.parts, english.parts);
      if (here != own.parts.end() || there != english.parts.end())
        ADD_FAILURE() << translated << ": part " << here - own.parts.begin() << " is \""
                      << (here == own.parts.end() ? "the end" : *here) << "\"; expected \""
                      << (there == english.parts.end() ? "the end" : *there) << "\", as in English";
      EXPECT_THAT(own.code, testing::ContainerEq(english.code)) << translated;
      EXPECT_THAT(own.numbers, testing::ContainerEq(english.numbers)) << translated;
      EXPECT_EQ(links_to_others(own.links), links_to_others(english.links)) << translated;
    }
}

TEST(Documents, lead_to_each_other) {
  EXPECT_STREQ(document_at("causes.md#circuits")->name, "causes");
  EXPECT_STREQ(document_at("../core/inputs/MASKS.md")->name, "MASKS");
  EXPECT_STREQ(document_at("../core/inputs/MASKS.zh.md#模式")->name, "MASKS");
  EXPECT_EQ(document_at("https://example.org"), nullptr);
  EXPECT_EQ(document_at("nothing.md"), nullptr);
}

TEST(Documents, link_to_what_there_is) {
  for (const fs::path& page : pages())
    for (const std::string& link : skeleton(read_file(page.string())).links) {
      if (link.find("://") != std::string::npos) continue;
      const std::size_t sign = std::min(link.find('#'), link.size());
      const fs::path to = sign == 0 ? page : page.parent_path() / link.substr(0, sign);
      ASSERT_TRUE(fs::exists(to)) << page << ": " << link;
      EXPECT_TRUE(sign == link.size() || addresses(read_file(to.string())).contains(link.substr(sign + 1)))
          << page << ": " << link;
    }
}

}  // namespace headscope::tests
