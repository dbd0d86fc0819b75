#include "core/inputs/token_edit.h"

#include <algorithm>

#include "core/inputs/mask_kinds.h"
#include "core/text/boundaries.h"

namespace headscope {
namespace {

/// One sentence of a text with its boundaries.
struct SplitText {
  const std::string& sentence;
  std::set<int>&splits, &joins;
};

SplitText split_text(Text& text, bool keys) {
  if (keys && text.cross()) return {*text.key_sentence, text.key_splits, text.key_joins};
  return {text.sentence, text.splits, text.joins};
}

const std::vector<Token>& tokens_of_side(const InputTokens& tokens, bool keys) {
  return keys ? tokens.keys : tokens.queries;
}

/// The tokens that overlap the old ones with these numbers.
std::vector<int> followed(const std::vector<int>& numbers, const std::vector<Token>& before,
                          const std::vector<Token>& after) {
  std::vector<int> result;
  for (int i = 0; i < std::ssize(after); ++i) {
    const Token& token = after[i];
    const auto covers = [&](int number) {
      const std::size_t at = number;
      return at < before.size() && before[at].begin < token.end && token.begin < before[at].end;
    };
    if (std::ranges::any_of(numbers, covers)) result.push_back(i);
  }
  return result;
}

/// Changes the boundaries of one sentence and updates the masks' lists of tokens accordingly.
template <typename Change>
void change_boundaries(Inputs& inputs, bool keys, const Change& change) {
  const bool cross = inputs.cross();
  const InputTokens before = tokens_of(inputs);
  change(split_text(inputs, keys), tokens_of_side(before, keys));
  const InputTokens after = tokens_of(inputs);
  for (MaskPart& part : inputs.mask) {
    const MaskParameter* list = mask_kind(part.kind).token_list();
    // In cross-attention a list of both queries and keys belongs to neither sentence alone.
    if (list == nullptr || (cross && list->of_keys != keys) || (cross && !list->of_keys)) continue;
    part.tokens = followed(part.tokens, tokens_of_side(before, keys), tokens_of_side(after, keys));
  }
}

int character_at(const std::string& sentence, std::size_t byte) {
  return count_characters(std::string_view(sentence).substr(0, byte));
}

}  // namespace

void carry_boundaries(const Text& before, Text& text) {
  if (text.sentence != before.sentence) {
    text.splits = moved_boundaries(text.splits, before.sentence, text.sentence);
    text.joins = moved_boundaries(text.joins, before.sentence, text.sentence);
  }
  if (text.key_sentence == before.key_sentence) return;
  const std::string key_before = before.key_sentence.value_or(""), key = text.key_sentence.value_or("");
  text.key_splits = moved_boundaries(text.key_splits, key_before, key);
  text.key_joins = moved_boundaries(text.key_joins, key_before, key);
}

void split_token(Inputs& inputs, bool keys, std::size_t at) {
  change_boundaries(inputs, keys, [at](const SplitText& side, const std::vector<Token>&) {
    const int place = character_at(side.sentence, at);
    if (side.joins.erase(place) == 0) side.splits.insert(place);
  });
}

void join_tokens(Inputs& inputs, bool keys, int first) {
  change_boundaries(inputs, keys, [first](const SplitText& side, const std::vector<Token>& tokens) {
    const std::size_t at = first;
    if (first < 0 || at + 1 >= tokens.size()) return;
    const int end = character_at(side.sentence, tokens[at].end);
    const int begin = character_at(side.sentence, tokens[at + 1].begin);
    // They are separated by a manual split, the end of a word, or both.
    side.splits.erase(side.splits.lower_bound(end), side.splits.upper_bound(begin));
    const std::vector<Token> left = apply({side.splits, side.joins}, words(side.sentence), side.sentence);
    if (std::ranges::find(left, tokens[at + 1].begin, &Token::begin) != left.end()) side.joins.insert(begin);
  });
}

void reset_tokens(Inputs& inputs, bool keys) {
  change_boundaries(inputs, keys, [](const SplitText& side, const std::vector<Token>&) {
    side.splits.clear();
    side.joins.clear();
  });
}

bool has_edited_tokens(const Text& text, bool keys) {
  return keys && text.cross() ? !text.key_splits.empty() || !text.key_joins.empty()
                              : !text.splits.empty() || !text.joins.empty();
}

}  // namespace headscope
