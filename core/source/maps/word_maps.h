#pragma once
#include <memory>

#include "core/source/trace.h"

namespace headscope {

/// The block with the pieces of each word as one token: weights to a word are the sum of those to its pieces,
/// those from a word the mean over its pieces, so that rows sum to 1 as before; the same for what else cells
/// show, but scores are means over both. A cell is blocked where all of its pieces are. The block itself if
/// no word has several pieces. It has no layers: Q, K and V belong to pieces.
std::shared_ptr<const BlockTrace> with_words(std::shared_ptr<const BlockTrace> block);

/// The block of that kind as a view shows it, with whole words if requested.
std::shared_ptr<const BlockTrace> block_in_view(std::shared_ptr<const Trace> trace, BlockKind kind,
                                                bool words);

}  // namespace headscope
