#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "core/text/tokenizer/parts.h"

namespace headscope::tokenizers {

// Some tokenizer classes of the reference let tokenizer_config.json override tokenizer.json: "do_lower_case":
// false in the former alone keeps capitals. Only explicit settings are applied, never a class's default,
// which differs between versions of the reference. `kind` is the class in lower case, without
// "TokenizerFast".

/// Case, accents and Chinese characters of BERT's tokenizer, the space before a sentence of GPT-2's and
/// RoBERTa's.
void override_steps(nlohmann::json& tokenizer, const std::string& kind, const Field& config);

/// The tokens around a sentence of LLaMA's tokenizer: rebuilds its template from add_bos_token and
/// add_eos_token. `begin` and `end` are the tokens with their ids, null if there is none.
void override_template(TokenizerParts& parts, const std::string& kind, const Field& config,
                       const std::string& begin, const std::string& end);

}  // namespace headscope::tokenizers
