#pragma once
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/text/tokenizer/field.h"

namespace headscope::tokenizers {

/// From tokens to text: each decoder changes the list of texts, which are then joined. Throws Error (input)
/// where what they write is more than the budget has.
class Decoder {
 public:
  virtual ~Decoder() = default;
  virtual std::vector<std::string> decode(std::vector<std::string> tokens, WorkBudget& budget) const = 0;
};

/// Of `decoder` in a tokenizer.json. Throws Error (input).
std::unique_ptr<const Decoder> read_decoder(const Field& field);

/// Bytes that are no characters as U+FFFD: one for each longest start of a character (Unicode 3.9, best
/// practice).
std::string with_replacement_characters(const std::string& bytes);
/// The text with what `spelled` makes of each part that is no whole character.
std::string with_broken_parts(std::string_view bytes,
                              const std::function<std::string(std::string_view part)>& spelled);

}  // namespace headscope::tokenizers
