#pragma once
#include "core/analysis/shown_circuits.h"
#include "core/figure/boards/cell_board.h"
#include "core/scene/scene.h"

namespace headscope {

/// The head and what about it a view shows.
CircuitChoice circuit_choice(const View& view);

/// What a head copies and matches, its directions and what it composes with. Regions of heads are named
/// "circuit LAYER HEAD", from 0; of pairs "circuit pair HEAD HEAD".
Board circuits_board(const Scene& scene, const ShownCircuits& shown, const BoardStyle& style, double width,
                     const Translator& tr);

/// The same as a view of a figure. Throws Error for a model that has none.
void draw_circuits(const FigurePen& pen, const Scene& scene, const Rect& area);

}  // namespace headscope
