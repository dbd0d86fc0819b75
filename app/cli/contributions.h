#pragma once
#include "app/cli/request.h"
#include "core/base/translate.h"
#include "core/source/trace.h"

namespace headscope {

/// Prints the logit contribution of each part of the model to the token that the request names. Throws Error
/// (input) for a model without such a decomposition, for a token outside its vocabulary, and for a position
/// that does not exist.
void print_contributions(const Trace& trace, const CommandRequest& request, const Translator& tr);

}  // namespace headscope
