#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/source/model/model_text.h"

namespace headscope {

// Languages that a translator of many names by tokens of their own: en_XX (mBART), eng_Latn (NLLB), __en__
// (M2M-100), >>eng<< (Marian).

/// Their names in alphabetical order: the tokens without __ and >><<. Empty for other models.
std::vector<std::string> languages_of(const Tokenizer& tokenizer);

/// Puts the tokens of the languages of `text` into the source, in place of the one that the tokenizer gives,
/// and says what the target begins with. Throws Error (input) for a language that the model does not have,
/// with those that it has.
void set_languages(const Text& text, const ModelConfig& config, const Tokenizer& tokenizer,
                   ModelText& result);

}  // namespace headscope
