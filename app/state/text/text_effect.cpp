#include "app/state/text/text_effect.h"

#include <algorithm>

#include "core/base/error.h"

namespace headscope {
namespace {

Inputs with_text(const Text& text) {
  Inputs inputs;
  static_cast<Text&>(inputs) = text;
  return inputs;
}

bool other_words(const std::vector<Token>& before, const std::vector<Token>& after) {
  return !std::ranges::equal(before, after, {}, &Token::text, &Token::text);
}

/// Whether the number of tokens is the same, in the same sentences, which the mask `segments` depends on.
bool same_places(const std::vector<Token>& before, const std::vector<Token>& after) {
  return std::ranges::equal(before, after, {}, &Token::sentence, &Token::sentence);
}

/// No value if the text has no tokens: the run reports what is wrong with the sentence.
std::optional<InputTokens> tokens_in(const Text& text) {
  try {
    return tokens_of(with_text(text));
  } catch (const Error&) {
    return {};
  }
}

bool other_words_in_the_same_places(const InputTokens& a, const InputTokens& b) {
  return same_places(a.queries, b.queries) && same_places(a.keys, b.keys) &&
         (other_words(a.queries, b.queries) || other_words(a.keys, b.keys));
}

}  // namespace

bool other_words_in_the_same_places(const BlockTrace& a, const BlockTrace& b) {
  return same_places(a.tokens, b.tokens) && same_places(a.key_tokens, b.key_tokens) &&
         (other_words(a.tokens, b.tokens) || other_words(a.key_tokens, b.key_tokens));
}

void TextEffect::note(const Inputs& inputs, std::uint64_t gesture) {
  if (!inputs.about().from_seed || inputs.vectors == VectorKind::embedding) {
    *this = {};
    return;
  }
  const Text& text = inputs;
  if (!last_ || last_->cross() != text.cross()) {
    *this = {};
    last_ = text;
    return;
  }
  if (*last_ == text) return;
  if (!before_ || (!none_ && gesture != gesture_)) {
    before_ = last_;
    before_tokens_ = tokens_in(*before_);
  }
  gesture_ = gesture;
  last_ = text;
  const std::optional<InputTokens> now = before_tokens_ ? tokens_in(text) : std::nullopt;
  none_ = now && other_words_in_the_same_places(*before_tokens_, *now);
}

}  // namespace headscope
