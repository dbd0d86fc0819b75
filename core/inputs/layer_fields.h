#pragma once
#include "core/inputs/fields.h"

namespace headscope {

/// Whether a field is of SeededLayer, or says how a sentence is split for it: no other source follows it.
bool is_of_seeded_layer(const InputField& field);

}  // namespace headscope
