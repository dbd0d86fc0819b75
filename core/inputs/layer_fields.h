#pragma once
#include "core/inputs/fields.h"

namespace headscope {

/// Whether a field belongs to SeededLayer, or says how a sentence is split for it: other sources ignore it.
bool is_of_seeded_layer(const InputField& field);

}  // namespace headscope
