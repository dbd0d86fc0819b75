#pragma once
#include <string>
#include <vector>

#include "app/state/view/view_state.h"

namespace headscope {

// Going through the steps of the arithmetic: the stages of a cell, or the blocks of the streamed softmax.

/// The names that View::stage goes through on the page that the scene shows, in their order; empty: it has no
/// steps.
std::vector<std::string> steps_of(const Scene& scene);
/// The place of the present one among them.
std::size_t present_step(const View& view, const std::vector<std::string>& steps);

/// Shows the step `by` further, at most the last and at least the first. Playing ends.
void change_step(ViewState& state, const std::vector<std::string>& steps, int by);
/// Scrolls to what of the present step is below (1) or above (-1) the room; false: all of it was seen.
bool scroll_step(ViewState& state, int by);
/// Plays the steps one after the other, from the first where the last is shown; ends it where they play.
/// `now` as FrameInput::now.
void play_steps(ViewState& state, const std::vector<std::string>& steps, double now);
/// Once a frame: the next one where it is due.
void pass_steps(ViewState& state, const std::vector<std::string>& steps, double now);

}  // namespace headscope
