#pragma once
#include <ostream>
#include <string>

#include "core/source/write/trace_arrays.h"

namespace headscope {

/// The attention weights in long form: layer, head, query and key from 0 and the weight; layer and head as on
/// screen, from 1, the head's name and the two tokens; the sentence and the source in the first line only.
void write_csv(std::ostream& out, const BlockTrace& block, const ArraySelection& selection);

/// All arrays as nested lists in one object, with `metadata`, JSON, under its name if there is any.
void write_json(std::ostream& out, const TraceArrays& arrays, const std::string& name,
                const std::string& metadata);

}  // namespace headscope
