#pragma once
#include "core/inputs/inputs.h"

namespace headscope {

// Tokens that are split and joined by hand. What masks say of tokens by their numbers follows them.

/// Brings the boundaries of a text that was `before` to what its sentences are now.
void carry_boundaries(const Text& before, Text& text);

/// Splits the token around byte `at` of the sentence (with `keys` of the second one) there.
void split_token(Inputs& inputs, bool keys, std::size_t at);
/// Joins token `first` with the next.
void join_tokens(Inputs& inputs, bool keys, int first);
/// Back to the words of the sentence.
void reset_tokens(Inputs& inputs, bool keys);
bool has_edited_tokens(const Text& text, bool keys);

}  // namespace headscope
