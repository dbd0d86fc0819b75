#pragma once
#include <string>
#include <vector>

#include "core/base/translate.h"
#include "core/session/session.h"

namespace headscope {

/// What a step changes in the inputs, in the window's terms and counted from 1: "Temperature 1 → 4" for each
/// field, only its name if its value is long; fields of B as "B: Temperature 1 → 4", or for a new B "B:
/// Temperature 4".
std::vector<std::string> step_changes(const Translator& tr, const Session& before, const Session& after);

}  // namespace headscope
