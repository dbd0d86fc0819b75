#pragma once
#include <string>

#include "core/base/translate.h"
#include "core/source/trace.h"

namespace headscope {

/// What blocks in a layer of a trace's block where the user blocks nothing.
std::string own_mask_text(const Translator& tr, const Trace& trace, const BlockTrace& block, int layer);

}  // namespace headscope
