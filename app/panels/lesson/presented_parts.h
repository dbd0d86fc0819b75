#pragma once
#include "app/panels/shell/ui.h"
#include "app/state/view/caption.h"

namespace headscope {

// Parts of what is presented (app/state/lesson/presentation.h).

/// One line of that width about the lesson's step: lesson, number, claim, and the key of its text. Returns
/// the height.
float draw_lesson_header(App& app, Ui& ui, ImVec2 from, float width);
/// The text and question of the step in the rest of the window, as large as they fit.
void draw_lesson_text(App& app, Ui& ui);

/// The tokens on one line of that width and height; if they do not fit, those around the cell. If the two
/// sides of a comparison don't fit next to each other, each gets its own line. A click locks the token's
/// strongest cell. Returns the height.
float draw_token_line(Ui& ui, ImVec2 from, ImVec2 room);
/// The caption of the pointed or locked cell of the view, for both sides in the comparison; empty without
/// one.
std::optional<CellCaption> focused_caption(const Ui& ui);
/// The remaining time for the maps of a long text that are being computed (`ui.progress`).
std::string time_left(const Ui& ui);
/// The tokens and the number of the locked or pointed cell, across the window.
void draw_caption(Ui& ui, const std::string& notice, bool frozen, ImVec2 min, ImVec2 max);

}  // namespace headscope
