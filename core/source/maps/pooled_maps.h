#pragma once
#include <functional>
#include <memory>
#include <span>
#include <stop_token>

#include "core/inputs/inputs.h"
#include "core/source/trace.h"

namespace headscope {

/// The maximum rows and columns of a map that is drawn cell by cell.
inline constexpr Index max_single_tokens = Limits::max_window_tokens;

/// Whether the text of the inputs or tokens has more tokens than that. False for a trained model or a
/// capture, where only the trace knows.
bool is_long(const InputTokens& tokens);
bool has_long_text(const Inputs& inputs);

/// Whether pictures of the block's maps need with_pooling().
bool needs_pooling(const BlockTrace& block);

/// What pooled maps are computed from: every query, or the first of each block.
enum class PooledQueries { all, sample };

/// The block with pooled maps over blocks of adjacent tokens: each pooled cell is the maximum of its cells or
/// their mean, so that at most about a thousand rows and columns remain, for drawing maps of any size. A map
/// is computed when its rows are first requested. The block itself if it needs no pooling.
std::shared_ptr<const BlockTrace> with_pooling(std::shared_ptr<const BlockTrace> block,
                                               PooledQueries of = PooledQueries::all, bool means = false);

/// Reads maps of a block of with_pooling() in advance; `progress` receives the finished share. Returns false
/// if stopped; the maps are then read on demand.
bool read_ahead(const BlockTrace& pooled, int layer, std::span<const int> heads,
                const std::function<void(double share)>& progress, const std::stop_token& stop = {});

}  // namespace headscope
