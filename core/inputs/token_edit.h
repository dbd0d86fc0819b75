#pragma once
#include "core/inputs/inputs.h"

namespace headscope {

// Manual splitting and joining of tokens. Token numbers in masks are updated accordingly.

/// Maps the boundaries of a text that was `before` to its current sentences.
void carry_boundaries(const Text& before, Text& text);

/// Splits the token at byte `at` of the sentence (of the second one with `keys`).
void split_token(Inputs& inputs, bool keys, std::size_t at);
/// Joins token `first` with the next.
void join_tokens(Inputs& inputs, bool keys, int first);
/// Restores the words of the sentence.
void reset_tokens(Inputs& inputs, bool keys);
bool has_edited_tokens(const Text& text, bool keys);

}  // namespace headscope
