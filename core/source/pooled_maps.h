#pragma once
#include <memory>

#include "core/source/trace.h"

namespace headscope {

/// The most rows and columns of a map that pictures take cell by cell.
inline constexpr Index most_single_tokens = Limits::max_window_tokens;

/// Whether pictures of the block's maps need with_groups().
bool needs_groups(const BlockTrace& block);

/// The block with groups of neighbouring tokens in place of tokens, each cell of a map the largest of its
/// group of cells, so that no more than a thousand or so rows and columns remain: maps of any size, for
/// pictures. A map is computed when it is asked for first. The block itself where it needs no groups.
std::shared_ptr<const BlockTrace> with_groups(std::shared_ptr<const BlockTrace> block);

}  // namespace headscope
