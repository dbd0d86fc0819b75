#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>

#include "core/inputs/inputs.h"
#include "core/source/trace.h"

namespace headscope {

/// The most rows and columns of a map that pictures take cell by cell.
inline constexpr Index most_single_tokens = Limits::max_window_tokens;

/// Whether inputs or their tokens are of a text of more tokens than those. Of a trained model or a capture
/// its trace alone can tell: false.
bool is_long(const InputTokens& tokens);
bool has_long_text(const Inputs& inputs);

/// Whether pictures of the block's maps need with_groups().
bool needs_groups(const BlockTrace& block);

/// What the maps of groups are made of: every query, or of each group the first.
enum class GroupsOf { all, sample };

/// The block with groups of neighbouring tokens in place of tokens, each cell of a map the largest of its
/// group of cells or their mean, so that no more than a thousand or so rows and columns remain: maps of any
/// size, for pictures. A map is computed when its rows are asked for first. The block itself where it needs
/// no groups.
std::shared_ptr<const BlockTrace> with_groups(std::shared_ptr<const BlockTrace> block,
                                              GroupsOf of = GroupsOf::all, bool means = false);

/// What it took to read a head's map in groups.
struct ReadingCost {
  Index cells = 0;  ///< scores that were computed, of n_q n_k
  double seconds = 0;
};
/// Of a block of with_groups(); nothing as long as it has not been read.
std::optional<ReadingCost> reading_cost(const BlockTrace& grouped, int layer, int head);

/// Reads maps of a block of with_groups() that somebody is about to look at; `progress` is told the share
/// that is done. If stopped, false, and they are read when they are asked for.
bool read_ahead(const BlockTrace& grouped, int layer, std::span<const int> heads,
                const std::function<void(double share)>& progress, const std::stop_token& stop = {});
/// Nobody looks at this block any more: what waits for a map of it gets zeros at once.
void abandon_groups(const BlockTrace& grouped);

}  // namespace headscope
