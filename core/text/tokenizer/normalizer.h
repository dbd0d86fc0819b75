#pragma once
#include <memory>

#include "core/text/tokenizer/aligned_text.h"
#include "core/text/tokenizer/field.h"

namespace headscope::tokenizers {

class Normalizer {
 public:
  virtual ~Normalizer() = default;
  virtual void normalize(AlignedText& text) const = 0;
};

/// Reads `normalizer` of a tokenizer.json. Throws Error (input).
std::unique_ptr<const Normalizer> read_normalizer(const Field& field);

/// Replaces each byte by the character that represents it in byte-level vocabularies, which avoid spaces and
/// control characters.
void to_byte_characters(AlignedText& text);
char32_t byte_character(unsigned char byte);
/// The byte for such a character, or -1.
int byte_of(char32_t character);

}  // namespace headscope::tokenizers
