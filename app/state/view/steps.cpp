#include "app/state/view/steps.h"

#include <algorithm>

#include "core/analysis/arithmetic_stages.h"
#include "core/figure/boards/steps_page.h"

namespace headscope {
namespace {

constexpr double seconds_a_step = 2.5;

void move(StepsOptions& shown, const std::vector<std::string>& steps, int by) {
  const auto last = static_cast<int>(steps.size()) - 1;
  const int place = std::clamp(static_cast<int>(present_step(shown, steps)) + by, 0, last);
  shown.stage = steps[place];
}

}  // namespace

std::vector<std::string> steps_of(const Scene& scene) {
  if (!scene.view.row().has_steps || scene.trace == nullptr || scene.empty()) return {};
  if (scene.view.steps.page == StepsPage::cell)
    return present_stages(*scene.trace, *scene.block, scene.view.layer);
  if (scene.view.steps.page != StepsPage::streaming || scene.block->layers.empty()) return {};
  std::vector<std::string> steps;
  for (int blocks = 1; blocks <= streamed_blocks(*scene.block); ++blocks)
    steps.push_back(streaming_stage(blocks));
  return steps;
}

std::size_t present_step(const StepsOptions& shown, const std::vector<std::string>& steps) {
  if (shown.page == StepsPage::cell) return stage_place(steps, shown.stage);
  const int blocks = blocks_of_stage(shown.stage, static_cast<int>(steps.size()));
  return std::max(0, blocks - 1);
}

void change_step(ViewState& state, const std::vector<std::string>& steps, int by) {
  state.next_step.reset();
  if (steps.empty()) return;
  move(state.view.steps, steps, by);
  state.steps_room.from_top = true;
}

bool scroll_step(ViewState& state, int by) {
  StepsRoom& room = state.steps_room;
  if (!(by > 0 ? room.below : room.above)) return false;
  state.next_step.reset();
  room.wanted = by;
  return true;
}

void play_steps(ViewState& state, const std::vector<std::string>& steps, double now) {
  if (state.next_step || steps.empty()) return state.next_step.reset();
  if (present_step(state.view.steps, steps) + 1 == steps.size()) state.view.steps.stage = steps.front();
  state.next_step = now + seconds_a_step;
}

void pass_steps(ViewState& state, const std::vector<std::string>& steps, double now) {
  if (!state.next_step) return;
  const bool last = steps.empty() || present_step(state.view.steps, steps) + 1 >= steps.size();
  if (last) return state.next_step.reset();
  if (now < *state.next_step) return;
  move(state.view.steps, steps, 1);
  state.steps_room.from_top = false;
  state.next_step = now + seconds_a_step;
}

}  // namespace headscope
