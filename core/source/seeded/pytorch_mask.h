#pragma once
#include <string>

#include "core/attention/mask.h"

namespace headscope {

/// Lines of Python that set `blocked`, a bool tensor [n_q, n_k] or [heads, n_q, n_k], to the mask's blocked
/// cells: as a causal mask, blocked columns or a window if it is one, otherwise cell by cell. "" if nothing
/// is blocked. Throws Error (input) if there are too many cells.
std::string pytorch_mask(const Mask& mask, int heads);

}  // namespace headscope
