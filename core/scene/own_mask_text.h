#pragma once
#include <string>

#include "core/base/translate.h"
#include "core/source/trace.h"

namespace headscope {

/// What is blocked in a layer of a trace's block without a mask of the user's.
std::string own_mask_text(const Translator& tr, const Trace& trace, const BlockTrace& block, int layer);

}  // namespace headscope
