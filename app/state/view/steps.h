#pragma once
#include <string>
#include <vector>

#include "app/state/view_state.h"

namespace headscope {

// Navigation through the steps of the arithmetic: the stages of a cell, or the blocks of the streamed
// softmax.

/// The values of StepsOptions::stage on the page that the scene shows, in order; empty: it has no steps.
std::vector<std::string> steps_of(const Scene& scene);
/// The index of the present step among them.
std::size_t present_step(const StepsOptions& shown, const std::vector<std::string>& steps);

/// Shows the step `by` further, clamped to the first and the last. Stops playing.
void change_step(ViewState& state, const std::vector<std::string>& steps, int by);
/// Scrolls to the part of the present step below (1) or above (-1) the visible area; false: all of it was
/// seen.
bool scroll_step(ViewState& state, int by);
/// Plays the steps one after the other, from the first if the last is shown; stops if they are playing. `now`
/// as FrameInput::now.
void play_steps(ViewState& state, const std::vector<std::string>& steps, double now);
/// Once a frame: advances to the next step when it is due.
void pass_steps(ViewState& state, const std::vector<std::string>& steps, double now);

}  // namespace headscope
