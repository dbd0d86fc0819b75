#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "core/model/config.h"
#include "core/text/tokenizer/tokenizer.h"
#include "core/text/words.h"

namespace headscope {

/// Words of a text that a model does not know. Of a model that was trained with slots, tokens that stand for
/// any word, each takes the next slot, the same word the same one, and what the model writes of a slot is the
/// word again. Of other models this does nothing.
class CarriedWords {
 public:
  CarriedWords() = default;
  /// Throws Error (input) for a slot that is not in the vocabulary.
  CarriedWords(const ModelConfig& config, const Tokenizer& tokenizer);

  /// Puts slots in the places of the unknown tokens of `text`, as long as there are any. With `known_alone`
  /// only words that have a slot already get it.
  void carry(std::string_view text, std::vector<Token>& tokens, bool known_alone = false);
  /// A token that the model has written, with the word that it stands for.
  Token written(Token token) const;
  /// The text of written tokens, with these words.
  std::string decode(std::span<const TokenId> ids, const Tokenizer& tokenizer) const;

  /// Words that the model does not know, each once, in their order; those that a slot carries come first.
  const std::vector<std::string>& words() const { return words_; }
  /// Whether every word that a slot carries stands in a text of these tokens.
  bool all_in(std::span<const Index> ids) const;
  /// More than there are slots for.
  bool too_many() const { return words_.size() > slots_.size(); }

 private:
  bool any_slots() const { return !slots_.empty(); }
  /// Which word a slot carries, -1: none.
  int word_of(Index id) const;

  std::vector<TokenId> slots_;
  std::optional<TokenId> unknown_;
  std::vector<std::string> words_;
};

}  // namespace headscope
