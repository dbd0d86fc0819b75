#pragma once
#include <span>
#include <string>
#include <vector>

#include "app/cli/request.h"
#include "core/attention/mask.h"
#include "core/base/translate.h"
#include "core/inputs/inputs.h"

namespace headscope {

/// What looks like a fault unless one is told why it is there, as one line without its end, "" for nothing:
/// patterns larger than the sentence, and queries whose keys are all blocked.
std::string mask_notes(const WhatIf& what_if, int heads, std::span<const Token> queries, const Mask& mask,
                       const Translator& tr);

/// Options on the line that change nothing, and what each needs; "" for none. What is set to its default is
/// not told.
std::string unused_options(const CommandRequest& request, const Translator& tr);

/// What the masks of a seeded layer block, for counting: one, or one for each layer where they differ. Throws
/// Error (input) as count_mask() and check_mask_places().
std::vector<Mask> count_masks(const Inputs& inputs, const InputTokens& tokens);
/// Throws Error (input) as build_mask() does, at the session file, for masks that come from it and do not fit
/// the tokens; masks given on the line are left to who runs them.
void check_session_masks(const CommandRequest& request, const Inputs& inputs);

/// Notes one after the other.
std::string joined(const std::string& one, const std::string& other, const Translator& tr);

/// Prints them on stderr, if there are any. For when the work is done: what fails is told in one line.
void print_notes(const std::string& notes);

}  // namespace headscope
