#pragma once
#include "core/analysis/expectations.h"
#include "core/figure/boards/board.h"
#include "core/figure/boards/draw_panel.h"
#include "core/scene/scene.h"

namespace headscope {

// What a trained model says, laid out for screen and figure.

/// Room of a board, in its unit.
struct BoardRoom {
  double width = 0, height = 0;
  bool fill = false;  ///< cells, and type with them, grow until it is full; else a board may be higher
};

/// What each layer would say: a row a layer, a column a query of `shown`, in each cell the likeliest token on
/// a colour for its probability. Regions are named "lens LAYER QUERY", from 0.
Board lens_board(const Scene& scene, const Expectations& shown, const BoardStyle& style, BoardRoom room,
                 const Translator& tr);
/// Width of what stands left of the columns.
double lens_margin(const BoardStyle& style);
/// The colours of its cells with the probabilities they stand for, so wide.
Board lens_colors(const Scene& scene, const BoardStyle& style, double width);

/// What each head says: a row a layer, a column a head of each kind of attention, then the feed-forward
/// network and the biases, on colours from negative to positive, which a bar explains. Regions are named
/// "contribution BLOCK LAYER HEAD", from 0, or "note ...".
Board contributions_board(const Scene& scene, const TokenContributions& shown, const BoardStyle& style,
                          BoardRoom room, const Translator& tr);

/// Why there is nothing to be shown, English, to be translated; nullptr: there is.
const char* no_lens(const Trace* trace);
const char* no_contributions(const Trace* trace);

// The same as views of a figure.
void draw_lens(const FigurePen& pen, const Scene& scene, const Rect& area);
void draw_contributions(const FigurePen& pen, const Scene& scene, const Rect& area);

}  // namespace headscope
