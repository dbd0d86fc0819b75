#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "core/text/tokenizer/parts.h"

namespace headscope::tokenizers {

// The reference's classes for some tokenizers change what tokenizer.json says where tokenizer_config.json
// says otherwise: a folder whose owner wrote "do_lower_case": false there alone is read with its capitals.
// Only what the file states is taken, never a class's own default, on which versions of the reference differ.
// `kind` is the class in lower case, without "TokenizerFast".

/// Case, accents and Chinese characters of BERT's, the space before a sentence of GPT-2's and RoBERTa's.
void override_steps(nlohmann::json& tokenizer, const std::string& kind, const Field& config);

/// The tokens around a sentence of LLaMA's: its template is made anew of add_bos_token and add_eos_token.
/// `begin` and `end` are the tokens with their ids, null where there is none.
void override_template(TokenizerParts& parts, const std::string& kind, const Field& config,
                       const std::string& begin, const std::string& end);

}  // namespace headscope::tokenizers
