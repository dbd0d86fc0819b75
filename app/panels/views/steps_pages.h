#pragma once
#include <optional>
#include <string>

#include "app/panels/shell/ui.h"
#include "core/figure/boards/board.h"

namespace headscope {

/// Why there are no steps to show.
std::string steps_are_unknown(const Ui& ui);
/// The same for a capture.
inline constexpr const char* capture_has_no_steps =
    TR("A capture holds attention, not the layer that made it.");
/// What a layer costs, and the softmax block by block: the pages of the arithmetic view that are not about
/// one cell. Takes the remaining space and scrolls in it.
void draw_steps_page(Ui& ui);
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

}  // namespace headscope
