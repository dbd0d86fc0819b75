#pragma once
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "core/inputs/inputs.h"
#include "core/model/run/model_run.h"
#include "core/source/model/placeholders.h"
#include "core/text/tokenizer/tokenizer.h"

namespace headscope {

struct Patches;

/// The tokens of a text as read by a model.
struct ModelText {
  std::vector<Token> tokens;  ///< each with its id; including special ones
  std::vector<Index> types;   ///< of the tokens, 0 or 1; empty: all 0
  bool whole_target = false;  ///< whether `target` is given rather than generated
  std::vector<Token> target;  ///< of an encoder–decoder: its start token, and the given text
  /// What the decoder writes first, whatever its logits: the language to translate to.
  std::optional<Index> first_written;
  Placeholders placeholders;  ///< placeholders of the source
  /// Of a picture in place of a text.
  std::shared_ptr<const Tensor> pixels = nullptr;
  std::shared_ptr<const Patches> patches = nullptr;
  std::shared_ptr<const Tensor> sound = nullptr;  ///< of a spectrogram in place of the source
};

std::vector<Index> ids_of(const std::vector<Token>& tokens);

/// Tokenizes the text for the model; `key_sentence` is the second of a pair. Throws Error (input) as
/// Tokenizer::encode(), for an unsupported second sentence or target, for more tokens than Limits::max_tokens
/// or the model's positions, with both numbers, and if the tokenizer does not match the model. Nothing if
/// stopped.
std::optional<ModelText> split_text(const Text& text, const ModelConfig& config, const Tokenizer& tokenizer,
                                    const std::stop_token& stop);

/// Whether a model's tokens are words, separated by blanks in a text.
bool has_word_tokens(const Tokenizer& tokenizer);
/// `text` followed by the tokens, such that the model reads them back: a blank before each but the first;
/// special ones are skipped.
std::string joined_words(std::string text, std::span<const Token> tokens);

/// A token of the model that is not part of any text.
Token model_token(const Tokenizer& tokenizer, Index id);

}  // namespace headscope
