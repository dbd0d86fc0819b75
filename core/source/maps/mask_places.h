#pragma once
#include <span>

#include "core/inputs/mask_part.h"
#include "core/source/trace.h"

namespace headscope {

/// Throws Error (input) for a part that is put into a block or a layer that there is not.
void check_mask_places(std::span<const MaskPart> parts, std::span<const BlockShape> shapes);

}  // namespace headscope
