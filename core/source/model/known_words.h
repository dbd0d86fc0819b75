#pragma once
#include <span>
#include <string>

#include "core/base/tensor.h"
#include "core/text/tokenizer/tokenizer.h"
#include "core/text/words.h"

namespace headscope {

/// The tokens whose words a model does not know, those that it reads as placeholders left out.
Index unknown_count(std::span<const Token> tokens);
/// Whether those are more than half of them.
bool mostly_unknown(std::span<const Token> tokens);

/// A short text of words in the vocabulary, each one token, of one script; from all parts of its first
/// thousands, which are the frequent ones where a vocabulary is ordered by frequency. Empty if it has no
/// words.
std::string text_of_known_words(const Tokenizer& tokenizer);

}  // namespace headscope
