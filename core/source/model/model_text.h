#pragma once
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "core/inputs/inputs.h"
#include "core/model/model_run.h"
#include "core/source/model/carried_words.h"
#include "core/text/tokenizer/tokenizer.h"

namespace headscope {

/// What a model reads of a text.
struct ModelText {
  std::vector<Token> tokens;  ///< each with its id; special ones, too
  std::vector<Index> types;   ///< of the tokens, 0 or 1; empty: all 0
  bool whole_target = false;  ///< whether `target` is given, and not to be generated
  std::vector<Token> target;  ///< of an encoder–decoder: its start token, and what is given
  CarriedWords carried;       ///< of its source
};

std::vector<Index> ids_of(const std::vector<Token>& tokens);

/// Splits the text as the model was trained to read it; `key_sentence` is the second of a pair. Throws Error
/// (input) as Tokenizer::encode(), for what the model does not read (a second sentence, a target), for more
/// tokens than Limits::max_tokens or than the model has positions for, with both numbers, and where the
/// tokenizer does not fit the model. Nothing if stopped.
std::optional<ModelText> split_text(const Text& text, const ModelConfig& config, const Tokenizer& tokenizer,
                                    const std::stop_token& stop);

/// Whether a model's tokens are words, which a text has blanks between.
bool has_word_tokens(const Tokenizer& tokenizer);
/// A text that such a model reads as the tokens behind `text`, with a blank before each but the first;
/// special ones are left out.
std::string joined_words(std::string text, std::span<const Token> tokens);

/// A token of a model that stands in no text.
Token model_token(const Tokenizer& tokenizer, Index id);

}  // namespace headscope
