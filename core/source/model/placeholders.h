#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "core/model/config/config.h"
#include "core/text/tokenizer/tokenizer.h"
#include "core/text/words.h"

namespace headscope {

/// Words of a text unknown to the model. If the model was trained with slots (placeholder tokens for
/// arbitrary words), each distinct word takes the next slot, and a slot in the output is replaced by its
/// word. For other models this does nothing.
class Placeholders {
 public:
  Placeholders() = default;
  /// Throws Error (input) for a slot that is not in the vocabulary.
  Placeholders(const ModelConfig& config, const Tokenizer& tokenizer);

  /// Replaces the unknown tokens of `text` by slots, as long as there are any. With `known_alone` only words
  /// that already have a slot are replaced.
  void replace_unknown(std::string_view text, std::vector<Token>& tokens, bool known_alone = false);
  /// A generated token, with the word it represents.
  Token written(Token token) const;
  /// The text of generated tokens, with these words.
  std::string decode(std::span<const TokenId> ids, const Tokenizer& tokenizer) const;

  /// Words unknown to the model, each once, in order; those with a slot come first.
  const std::vector<std::string>& words() const { return words_; }
  /// Whether every word with a slot occurs in a text of these tokens.
  bool all_in(std::span<const Index> ids) const;
  /// Whether there are more words than slots.
  bool too_many() const { return words_.size() > slots_.size(); }

 private:
  /// The word represented by a slot, -1: none.
  int word_of(Index id) const;

  std::vector<TokenId> slots_;
  std::optional<TokenId> unknown_;
  std::vector<std::string> words_;
};

}  // namespace headscope
