#pragma once
#include <optional>
#include <string>
#include <vector>

#include "app/panels/ui/ui.h"
#include "core/figure/boards/board.h"

namespace headscope {

/// The arithmetic view: the computation of the locked cell, the cost of the layer, the streamed softmax.
void draw_steps_view(Ui& ui);

/// The page of one cell's computation: its stages as cards, next to a small map of its head in which another
/// cell can be chosen.
void draw_cell_steps(Ui& ui);
/// The stages of the cell as a chain of small matrices, on one line across the view; `chosen` becomes the one
/// that is clicked. Returns false and draws nothing if it does not fit.
bool draw_steps_chain(Ui& ui, const std::vector<std::string>& steps, int& chosen);

/// The style of the stages and the strip of shapes: what they shrink to fit still follows the text size.
BoardStyle steps_style(const Ui& ui);
/// Why there are no steps to show.
std::string steps_are_unknown(const Ui& ui);
/// The shapes of the layer's tensors, with their checks if those are shown nowhere else, as wide as the
/// window; empty if the source has no known layers.
std::optional<Board> shape_strip_below(Ui& ui, bool checks);
void draw_shape_strip(Ui& ui, const Board& strip);
/// While a lesson points to them, until the user moves on in the stages: the same below a stage that must
/// also be visible.
std::optional<Board> shape_strip_to_pin(Ui& ui, ImVec2 room);
/// As large as fits.
Board shape_strip_alone(Ui& ui, ImVec2 room);
/// Only its checks, at that width, if they fit.
bool draw_shape_checks(Ui& ui, float width);

/// The part of a page that belongs to the present step, from its upper edge. `result`: where its result ends.
struct PagePart {
  double top = 0, bottom = 0, result = 0;
};

/// Scrolls it fully into view in the present window if it is `anew`; if it is too high, its beginning when
/// the user moves through the steps, otherwise its result. Otherwise scrolls by keys. On a projector nothing
/// of the board is cut.
void follow_part(Ui& ui, const Board& board, const PagePart& part, bool anew);
/// The scrolled board in the present window; on a projector only what its edges do not cut.
void draw_scrolled_board(Ui& ui, const Board& board, ImVec2 at);

}  // namespace headscope
