#pragma once
#include <span>
#include <string>

#include "core/attention/mask.h"
#include "core/session/inputs.h"
#include "core/text/translate.h"

namespace headscope {

/// What looks like a fault unless one is told why it is there, as one line without its end, "" for nothing:
/// patterns larger than the sentence, and queries whose keys are all blocked.
std::string mask_notes(const Inputs& inputs, std::span<const Token> queries, const Mask& mask,
                       const Translator& tr);

/// Prints them on stderr, if there are any. For when the work is done: what fails is told in one line.
void print_notes(const std::string& notes);

}  // namespace headscope
