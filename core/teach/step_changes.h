#pragma once
#include <string>
#include <vector>

#include "core/base/translate.h"
#include "core/session/session.h"

namespace headscope {

/// What a step changes about the inputs, in the words of the window and counted from 1: "Temperature 1 → 4"
/// for each field, its name alone where its value is long; fields of B as "B: Temperature 1 → 4", or of a B
/// that was not there before "B: Temperature 4".
std::vector<std::string> step_changes(const Translator& tr, const Session& before, const Session& after);

}  // namespace headscope
