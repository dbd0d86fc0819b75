#pragma once
#include "core/analysis/expectations.h"
#include "core/figure/boards/cell_board.h"
#include "core/figure/boards/draw_panel.h"
#include "core/scene/scene.h"

namespace headscope {

// A trained model's predictions, laid out for screen and figure.

/// The logit lens: a row per layer, a column per query of `shown`, in each cell the likeliest token on a
/// colour for its probability. Regions are named "lens LAYER QUERY", from 0.
Board lens_board(const Scene& scene, const Expectations& shown, const BoardStyle& style, BoardRoom room,
                 const Translator& tr);
/// Width of the part left of the columns.
double lens_margin(const BoardStyle& style);
/// The colours of its cells with the probabilities they represent, this wide.
Board lens_colors(const Scene& scene, const BoardStyle& style, double width, const Translator& tr);

/// Logit contributions: a row per layer, a column per head of each kind of attention, then the feed-forward
/// network and the biases, on colours from negative to positive, with a colour bar. Regions are named
/// "contribution BLOCK LAYER HEAD", from 0, or "note ...".
Board contributions_board(const Scene& scene, const TokenContributions& shown, const BoardStyle& style,
                          BoardRoom room, const Translator& tr);

// The same as views of a figure.
void draw_lens(const FigurePen& pen, const Scene& scene, const Rect& area);
void draw_contributions(const FigurePen& pen, const Scene& scene, const Rect& area);

}  // namespace headscope
