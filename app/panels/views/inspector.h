#pragma once
#include "app/panels/ui/ui.h"
#include "app/state/view/caption.h"

namespace headscope {

/// What is known about the cell in focus: its tokens, score and weight, its sorted row, its head's
/// statistics.
void draw_inspector(Ui& ui);

/// A section of it: one step of an encoder–decoder, what it sees, predicts and takes. Draws nothing for other
/// traces.
void draw_decoder_step(Ui& ui);

/// Of an encoder–decoder, the step in view, as a token of its target; nothing for other traces.
std::optional<Index> decoder_step_in_view(const Ui& ui);

/// A weight as text: four significant digits, small ones with an exponent.
std::string weight_text(float weight);
/// In place of numbers that a lesson asks for (Frame::hides_numbers).
void hide_numbers(const Ui& ui);

/// The caption of the pointed or locked cell of the view, for both sides in the comparison; empty without
/// one.
std::optional<CellCaption> focused_caption(const Ui& ui);
/// The tokens and the number of the locked or pointed cell, across the window.
void draw_caption(Ui& ui, const std::string& notice, bool frozen, ImVec2 min, ImVec2 max);

}  // namespace headscope
