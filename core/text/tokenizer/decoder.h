#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/io/json_field.h"

namespace headscope::tokenizers {

/// From tokens to text: each decoder changes the list of texts, which are then joined. Throws Error (input)
/// if the output exceeds the budget.
using Decoder = std::function<std::vector<std::string>(std::vector<std::string> tokens, WorkBudget& budget)>;

/// Reads `decoder` of a tokenizer.json. Throws Error (input).
Decoder read_decoder(const JsonField& field);

/// `decoder`, with spaces for the ends of words in its whole text (CLIP).
Decoder without_word_ends(Decoder decoder, std::string end);
/// `decoder`, without spaces before English punctuation and abbreviations in its whole text.
Decoder without_spaces_before_signs(Decoder decoder);

/// With spaces for `sign`, and none of any kind at its ends.
std::string stripped(std::string text, std::string_view sign);

/// Replaces invalid UTF-8 by U+FFFD: one for each maximal subpart (Unicode 3.9, best practice).
std::string with_replacement_characters(const std::string& bytes);
/// The text with each part that is not a whole character replaced by the result of `spelled`.
std::string with_broken_parts(std::string_view bytes,
                              const std::function<std::string(std::string_view part)>& spelled);

}  // namespace headscope::tokenizers
