#pragma once
#include <span>

#include "core/inputs/mask_part.h"
#include "core/source/trace.h"

namespace headscope {

/// Throws Error (input) for a part in a block or layer that does not exist.
void check_mask_places(std::span<const MaskPart> parts, std::span<const BlockShape> shapes);

}  // namespace headscope
