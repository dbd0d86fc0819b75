#pragma once
#include "app/cli/request.h"
#include "core/base/translate.h"
#include "core/source/trace.h"

namespace headscope {

/// What each part of the model adds to the logit of the token that the request names. Throws Error (input)
/// for a model that has no such sum, for another token than one of its vocabulary and a position that there
/// is none of.
void print_contributions(const Trace& trace, const CommandRequest& request, const Translator& tr);

}  // namespace headscope
