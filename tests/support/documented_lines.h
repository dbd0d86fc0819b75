#pragma once
#include "tests/support/testing.h"

namespace headscope::tests {

/// A command line that README.md, CONTRIBUTING.md or a page of docs/ shows.
struct DocumentedLine {
  std::string page;
  Index number = 0;  ///< of the line in it
  std::string command;
};

/// Splits a line into words as a shell does, without redirections; empty if a quote is not closed.
inline std::optional<std::vector<std::string>> shell_words(const std::string& line) {
  std::vector<std::string> words;
  char quote = 0;
  bool inside = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (quote == 0 && c == '>') break;
    if (quote == 0 && c == ' ') {
      inside = false;
    } else if (c == quote) {
      quote = 0;
    } else {
      if (!std::exchange(inside, true)) words.emplace_back();
      if (quote == 0 && (c == '"' || c == '\''))
        quote = c;
      else
        words.back() += c;
    }
  }
  if (quote != 0) return {};
  return words;
}

/// The command of a line: after three spaces outside quotes a page explains it.
inline std::string without_explanation(const std::string& line) {
  char quote = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (quote == 0 && line.compare(i, 3, "   ") == 0) return line.substr(0, i);
    if (c == quote)
      quote = 0;
    else if (quote == 0 && (c == '"' || c == '\''))
      quote = c;
  }
  return line;
}

/// `headscope …` within a code span, as in `source <(headscope --completion bash)`; other commands whole.
inline std::string command_of_span(std::string span) {
  if (span.starts_with("scripts/") || span.starts_with("sudo ")) return span;
  if (span.starts_with("import ") || span.starts_with("from ")) return "";  // Python's
  std::size_t at = span.find("headscope ");
  if (at == std::string::npos || (at > 0 && span[at - 1] != ' ' && span[at - 1] != '(')) return "";
  if (at > 0 && span[at - 1] == '(') span.erase(span.find(')', at));
  return span.substr(at);
}

/// Those of one page: lines of code blocks without a language, and spans of code that call the program or a
/// script.
inline std::vector<DocumentedLine> documented_lines(const std::string& page, const std::string& text) {
  std::vector<DocumentedLine> lines;
  std::string span, block;
  bool in_block = false, in_span = false, continued = false;
  Index number = 0;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    ++number;
    if (line.starts_with("```")) {
      block = in_block ? "" : line.substr(3);
      in_block = !in_block;
    } else if (in_block) {
      if (!block.empty() || line.empty() || (line.front() == ' ' && !continued)) continue;
      const std::string shown = without_explanation(line.substr(line.find_first_not_of(' ')));
      if (continued)
        lines.back().command += shown;
      else
        lines.push_back({page, number, shown});
      continued = shown.ends_with('\\');
      if (continued) lines.back().command.pop_back();
    } else {
      for (const char c : line + " ") {
        if (c != '`') {
          if (in_span && (c != ' ' || !span.ends_with(' '))) span += c;
        } else if (in_span = !in_span; in_span) {
          span.clear();
        } else if (const std::string command = command_of_span(span); !command.empty()) {
          lines.push_back({page, number, command});
        }
      }
    }
  }
  return lines;
}

/// README.md, CONTRIBUTING.md and all pages in docs/, but for translations: those have the same code
/// (core_test_documents).
inline std::vector<fs::path> documented_pages() {
  std::vector<fs::path> pages{fs::path(SOURCE_DIR) / "README.md", fs::path(SOURCE_DIR) / "CONTRIBUTING.md"};
  for (const auto& entry : fs::directory_iterator(fs::path(SOURCE_DIR) / "docs"))
    if (entry.path().extension() == ".md" && !entry.path().stem().has_extension())
      pages.push_back(entry.path());
  std::ranges::sort(pages);
  return pages;
}
/// Their command lines.
inline std::vector<DocumentedLine> documented_lines() {
  std::vector<DocumentedLine> all;
  for (const fs::path& page : documented_pages())
    for (DocumentedLine& line : documented_lines(page.filename().string(), read_file(page.string())))
      all.push_back(std::move(line));
  return all;
}

}  // namespace headscope::tests
