#pragma once
#include <span>
#include <string>

#include "app/cli/request.h"
#include "core/attention/mask.h"
#include "core/session/inputs.h"
#include "core/text/translate.h"

namespace headscope {

/// What looks like a fault unless one is told why it is there, as one line without its end, "" for nothing:
/// patterns larger than the sentence, and queries whose keys are all blocked.
std::string mask_notes(const Inputs& inputs, std::span<const Token> queries, const Mask& mask,
                       const Translator& tr);

/// The inputs of a session file as they can be run. It may name tokens that its sentence, or that of the
/// line, does not have: the window keeps such parts of a mask while a sentence is edited and leaves them out
/// of the run; `left_out` then says so. Masks given on the line stay as they are.
Inputs runnable(const CommandRequest& request, const Inputs& inputs, const Translator& tr,
                std::string& left_out);

/// Notes one after the other.
std::string joined(const std::string& one, const std::string& other);

/// Prints them on stderr, if there are any. For when the work is done: what fails is told in one line.
void print_notes(const std::string& notes);

}  // namespace headscope
