#pragma once
#include "core/analysis/expectations.h"
#include "core/figure/boards/board.h"
#include "core/figure/boards/draw_panel.h"
#include "core/scene/scene.h"

namespace headscope {

// A trained model's predictions, laid out for screen and figure.

/// The area for a board, in its unit.
struct BoardRoom {
  double width = 0, height = 0;
  bool fill = false;  ///< cells and text grow until it is full; otherwise a board may be higher
};

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

/// Why there is nothing to show, English, to be translated; nullptr if there is something.
const char* no_lens(const Trace* trace);
const char* no_contributions(const Trace* trace);

// The same as views of a figure.
void draw_lens(const FigurePen& pen, const Scene& scene, const Rect& area);
void draw_contributions(const FigurePen& pen, const Scene& scene, const Rect& area);

/// `make(style, true)`, whose board has the height: in larger type if `make(style, false)`, the board without
/// stretched cells, leaves room.
Board filled_board(BoardStyle style, double height,
                   const std::function<Board(const BoardStyle& style, bool fill)>& make);

}  // namespace headscope
