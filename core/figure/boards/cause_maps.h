#pragma once
#include "core/analysis/shown_causes.h"
#include "core/figure/boards/cell_board.h"
#include "core/scene/scene.h"

namespace headscope {

/// What is shown of a change: with noise what is lost of the answer, which is none with no effect.
double shown_value(const CauseRequest& request, double value);

/// The maps of a search for causes, next to or below each other; the colours end at ± `largest`. Regions are
/// named "cause BLOCK INDEX", from 0, those not found yet "pending BLOCK INDEX".
Board cause_maps(const Scene& scene, const ShownCauses& shown, double largest, const BoardStyle& style,
                 BoardRoom room, const Translator& tr);

}  // namespace headscope
