#pragma once
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "core/io/json_field.h"
#include "core/text/tokenizer/aligned_text.h"

namespace headscope::tokenizers {

/// Changes a text before it is split.
using Normalizer = std::function<void(AlignedText& text)>;

/// Reads `normalizer` of a tokenizer.json. Throws Error (input).
Normalizer read_normalizer(const JsonField& field);

enum class NormalForm { nfc, nfd, nfkc, nfkd };
/// UAX #15 with the newest characters that ICU knows, as Python has it.
void to_normal_form(AlignedText& text, NormalForm form);

/// Replaces each byte by the character that represents it in byte-level vocabularies, which avoid spaces and
/// control characters.
void to_byte_characters(AlignedText& text);
/// The bytes that the characters of a token represent; none if one represents no byte.
std::optional<std::string> bytes_of_characters(std::string_view token);

}  // namespace headscope::tokenizers
