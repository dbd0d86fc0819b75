#pragma once
#include <span>
#include <string>
#include <vector>

#include "app/cli/request.h"
#include "core/attention/mask.h"
#include "core/base/translate.h"
#include "core/inputs/inputs.h"

namespace headscope {

/// Results that look like a bug without an explanation, as one line without a line end, "" if there are none:
/// patterns larger than the sentence, and queries with every key blocked.
std::string mask_notes(const Interventions& interventions, int heads, std::span<const Token> queries,
                       const Mask& mask, const Translator& tr);

/// Options on the line that have no effect, and what each needs; "" if there are none. Options set to their
/// default are not reported.
std::string unused_options(const CommandRequest& request, const Translator& tr);

/// The masks of a seeded layer, for counting blocked cells: one, or one per layer where they differ. Throws
/// Error (input) as count_mask() and check_mask_places().
std::vector<Mask> count_masks(const Inputs& inputs, const InputTokens& tokens);
/// Throws Error (input) as build_mask(), located at the session file, for masks that come from it and do not
/// fit the tokens; masks given on the line are left to the run.
void check_session_masks(const CommandRequest& request, const Inputs& inputs);

/// That a model's weights have changed since the session was saved.
std::string changed_weights_note(const std::string& model, const Translator& tr);

/// Concatenates two notes.
std::string joined(const std::string& one, const std::string& other, const Translator& tr);

/// Prints the notes on stderr, if there are any. To be called after the work: failures print a single line.
void print_notes(const std::string& notes);

}  // namespace headscope
