#include "core/text/boundaries.h"

#include <algorithm>
#include <span>

#include "core/base/utf8.h"

namespace headscope {
namespace {

bool begins_character(char byte) {
  return !continues_character(byte);
}

/// In bytes, ascending; text.size() for a character beyond the last.
std::vector<std::size_t> byte_places(const std::set<int>& boundaries, std::string_view text) {
  std::vector<std::size_t> bytes;
  std::size_t byte = 0;
  int character = 0;
  for (const int boundary : boundaries) {
    for (; character < boundary && byte < text.size(); ++character) byte = code_point_end(text, byte);
    bytes.push_back(byte);
  }
  return bytes;
}

std::vector<Token> joined(std::vector<Token> words, const std::vector<std::size_t>& joins,
                          std::string_view text) {
  std::vector<Token> tokens;
  for (Token& word : words) {
    if (!tokens.empty() && std::ranges::binary_search(joins, word.begin)) {
      tokens.back().end = word.end;
    } else {
      tokens.push_back(std::move(word));
    }
  }
  for (Token& token : tokens)
    if (token.text.size() != token.end - token.begin)
      token.text = text.substr(token.begin, token.end - token.begin);
  return tokens;
}

/// Adds the pieces that contain something visible, as words() defines it.
void add_pieces(const Token& token, std::span<const std::size_t> cuts, std::string_view text,
                std::vector<Token>& tokens) {
  std::size_t begin = token.begin;
  for (std::size_t i = 0; i <= cuts.size(); ++i) {
    const std::size_t end = i < cuts.size() ? cuts[i] : token.end;
    if (const std::string_view part = token_part(text.substr(begin, end - begin)); !part.empty()) {
      const std::size_t from = part.data() - text.data();
      tokens.push_back({std::string(part), from, from + part.size(), token.sentence});
    }
    begin = end;
  }
}

/// Renumbers from 0 without gaps: a sentence may have lost its only token.
void renumber_sentences(std::vector<Token>& tokens) {
  int sentence = 0, last = tokens.empty() ? 0 : tokens.front().sentence;
  for (Token& token : tokens) {
    if (token.sentence != last) ++sentence;
    last = token.sentence;
    token.sentence = sentence;
  }
}

}  // namespace

int count_characters(std::string_view text) {
  return static_cast<int>(std::ranges::count_if(text, begins_character));
}

std::vector<Token> apply(const Boundaries& boundaries, std::vector<Token> words, std::string_view text) {
  if (boundaries.splits.empty() && boundaries.joins.empty()) return words;
  const std::vector<Token> whole = joined(std::move(words), byte_places(boundaries.joins, text), text);
  const std::vector<std::size_t> splits = byte_places(boundaries.splits, text);
  std::vector<Token> tokens;
  for (const Token& token : whole) {
    const auto first = std::ranges::upper_bound(splits, token.begin);
    const auto last = std::ranges::lower_bound(splits, token.end);
    if (first < last)
      add_pieces(token, {first, last}, text, tokens);
    else
      tokens.push_back(token);
  }
  renumber_sentences(tokens);
  return tokens;
}

std::set<int> moved_boundaries(const std::set<int>& boundaries, std::string_view before,
                               std::string_view after) {
  if (boundaries.empty()) return {};
  const std::size_t shorter = std::min(before.size(), after.size());
  std::size_t prefix = 0, suffix = 0;
  while (prefix < shorter && before[prefix] == after[prefix]) ++prefix;
  while (prefix > 0 && prefix < before.size() && !begins_character(before[prefix])) --prefix;
  while (suffix < shorter - prefix && before[before.size() - 1 - suffix] == after[after.size() - 1 - suffix])
    ++suffix;
  while (suffix > 0 && !begins_character(before[before.size() - suffix])) --suffix;
  const int same = count_characters(before.substr(0, prefix));
  const int count = count_characters(before), moved = count_characters(after) - count;
  const int changed_end = count - count_characters(before.substr(before.size() - suffix));
  std::set<int> kept;
  for (const int boundary : boundaries) {
    if (boundary < same)
      kept.insert(boundary);
    else if (boundary > changed_end && boundary < count)
      kept.insert(boundary + moved);
  }
  return kept;
}

}  // namespace headscope
