#pragma once
#include <functional>
#include <memory>
#include <stop_token>

#include "core/source/trace.h"

namespace headscope {

/// The most rows and columns of a map that pictures take cell by cell.
inline constexpr Index most_single_tokens = Limits::max_window_tokens;

/// Whether pictures of the block's maps need with_groups().
bool needs_groups(const BlockTrace& block);

/// What the maps of groups are made of: every query, or of each group the first.
enum class GroupsOf { all, sample };

/// The block with groups of neighbouring tokens in place of tokens, each cell of a map the largest of its
/// group of cells, so that no more than a thousand or so rows and columns remain: maps of any size, for
/// pictures. A map is computed when it is asked for first. The block itself where it needs no groups.
std::shared_ptr<const BlockTrace> with_groups(std::shared_ptr<const BlockTrace> block,
                                              GroupsOf of = GroupsOf::all);

/// Computes the map of a block of groups before it is asked for; false, and nothing is kept, if stopped.
/// `progress` as in MapSource::GroupedPass.
bool prepare_groups(const BlockTrace& grouped, int layer, int head, const std::stop_token& stop,
                    const std::function<void(Index done, Index all)>& progress = {});
/// Nobody looks at this block any more: what waits for a map of it gets zeros at once.
void abandon_groups(const BlockTrace& grouped);

}  // namespace headscope
