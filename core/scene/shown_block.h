#pragma once
#include <memory>

#include "core/base/translate.h"
#include "core/scene/view.h"
#include "core/source/maps/cell_maps.h"

namespace headscope {

/// What the view's cells are to show in a trace. Without a token of its own, or with one that the vocabulary
/// does not have, it is about the likeliest one at the view's position.
CellQuestion cell_question(const View& view, const Trace& trace);

/// The same view where it does not show cells or a rollout that it has: only maps do, and lines no signs.
View with_shown_cells(View view);

/// The block of that kind as a view shows it: with its cells or its rollout, with no token as a key where
/// heads have a sink, and with whole words if the view has them.
std::shared_ptr<const BlockTrace> shown_block(const std::shared_ptr<const Trace>& trace, BlockKind kind,
                                              const View& view, const Translator& tr = Translator());

}  // namespace headscope
