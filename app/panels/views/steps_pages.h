#pragma once
#include <optional>
#include <string>

#include "app/panels/shell/ui.h"
#include "core/figure/boards/board.h"

namespace headscope {

/// Why there are no steps to show.
std::string steps_are_unknown(const Ui& ui);
/// The same of a capture.
inline constexpr const char* capture_has_no_steps =
    TR("A capture holds attention, not the layer that made it.");
/// What a layer costs, and the softmax block by block: the pages of the steps of the arithmetic that are not
/// one cell's way. Takes the room that is left, and scrolls in it.
void draw_steps_page(Ui& ui);
/// The shapes of the layer's tensors, with their checks where those stand nowhere else, as wide as the
/// window; nothing where the source has no layers that are known.
std::optional<Board> shape_strip_below(Ui& ui, bool checks);
void draw_shape_strip(Ui& ui, const Board& strip);
/// While a lesson points to them, until somebody goes on in the stages: as they stand below a stage that is
/// to be seen, too.
std::optional<Board> shape_strip_to_pin(Ui& ui, ImVec2 room);
/// As large as the room takes it.
Board shape_strip_alone(Ui& ui, ImVec2 room);
/// Its checks alone, as wide as that, where they have room.
bool draw_shape_checks(Ui& ui, float width);

}  // namespace headscope
