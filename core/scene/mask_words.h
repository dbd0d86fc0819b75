#pragma once
#include <string>

#include "core/base/translate.h"
#include "core/inputs/mask_part.h"

namespace headscope {

/// "Window (w = 3)"; what cannot be described in a few words, as painted cells, is left out.
std::string mask_words(const Translator& tr, const MaskPart& part);

}  // namespace headscope
