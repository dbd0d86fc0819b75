#include <imgui_internal.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/panels/shell/frame_parts.h"
#include "app/panels/ui/panel_memory.h"
#include "app/state/actions/actions.h"
#include "app/state/app.h"
#include "app/state/lesson/play_lesson.h"

namespace headscope {
namespace {

constexpr float widest_phone = 600, lowest_window = 450;  // points
constexpr float smallest_target = 44;                     // the platforms'

bool can_scroll(const ImGuiWindow& window, Finger::Way way) {
  const ImVec2 most = window.ScrollMax;
  const float least = ImGui::GetFontSize();  // less is rounding, or the margin of an item
  return (way != Finger::Way::across && most.y >= least) || (way != Finger::Way::along && most.x >= least);
}

/// The window that a finger there scrolls: the lowest of those around it that have more than they show.
ImGuiWindow* scrolled_at_pointer() {
  for (ImGuiWindow* window = ImGui::GetCurrentContext()->HoveredWindow; window != nullptr;
       window = window->ParentWindow) {
    if (can_scroll(*window, Finger::Way::none) && (window->Flags & ImGuiWindowFlags_NoScrollWithMouse) == 0)
      return window;
    // A popup's parent is what it covers.
    if ((window->Flags & ImGuiWindowFlags_ChildWindow) == 0) break;
  }
  return nullptr;
}

void scroll(ImGuiWindow& window, Finger::Way way, float by) {
  if (way == Finger::Way::along)
    ImGui::SetScrollY(&window, std::clamp(window.Scroll.y - by, 0.0F, window.ScrollMax.y));
  else
    ImGui::SetScrollX(&window, std::clamp(window.Scroll.x - by, 0.0F, window.ScrollMax.x));
}

bool is_on(std::array<float, 4> rect, ImVec2 at) {
  return at.x >= rect[0] && at.y >= rect[1] && at.x < rect[2] && at.y < rect[3];
}

/// What a finger that was lifted on the view turns: the head in view or, in a lesson, the step.
void turn(App& app, const PanelMemory& memory, ImVec2 moved) {
  const ViewState& state = app.state;
  const float em = memory.style.font_size;
  const bool far = std::abs(moved.x) > 3 * em && std::abs(moved.x) > 2 * std::abs(moved.y);
  const bool free = !state.brush.on && state.token_drag.begin < 0 && state.view.zoom.factor <= 1;
  if (!far || !free || !is_on(memory.stage, memory.finger.from) || memory.popup_open) return;
  const int by = moved.x < 0 ? 1 : -1;
  if (app.lesson.playing())
    step_lesson(app, by);
  else if (state.view.row().one_head)
    run_action(app, by > 0 ? "next head" : "head before");
}

}  // namespace

float finger_in_window(const Style& style) {
  const ImVec2 size = ImGui::GetMainViewport()->Size;
  const bool small =
      size.x < widest_phone * style.screen_scale || size.y < lowest_window * style.screen_scale;
  return small ? smallest_target * style.screen_scale : 0;
}

ForFingers::ForFingers(const Style& style) {
  if (style.finger <= 0) return;
  const float em = style.font_size;
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding,
                      {std::round(0.6F * em), std::max(std::floor((style.finger - em) / 2), 0.25F * em)});
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {std::round(0.4F * em), std::round(0.4F * em)});
  pushed_ = 2;
}

ForFingers::~ForFingers() {
  ImGui::PopStyleVar(pushed_);
}

void follow_finger(App& app, PanelMemory& memory) {
  if (memory.style.finger <= 0) return;
  using Way = Finger::Way;
  const ImGuiIO& io = ImGui::GetIO();
  Finger& finger = memory.finger;
  if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) {
    const bool paints = app.state.brush.on && is_on(memory.stage, io.MousePos) && !memory.popup_open;
    const ImGuiWindow* const window = paints ? nullptr : scrolled_at_pointer();
    finger = {window != nullptr ? window->ID : 0, io.MousePos};
    memory.asked = false;
  }
  // Held still it presses the other button, see browser.js.
  if (ImGui::IsMouseClicked(ImGuiMouseButton_Right)) memory.asked = true;
  if (io.MouseWheel != 0) memory.asked = false;
  const ImVec2 moved{io.MousePos.x - finger.from.x, io.MousePos.y - finger.from.y};
  const bool down = ImGui::IsMouseDown(ImGuiMouseButton_Left) && ImGui::IsMousePosValid();
  const bool decides = down && finger.way == Way::none &&
                       std::max(std::abs(moved.x), std::abs(moved.y)) > 0.6F * memory.style.font_size;
  if (decides) finger.way = std::abs(moved.x) > std::abs(moved.y) ? Way::across : Way::along;
  ImGuiWindow* const window = finger.window != 0 ? ImGui::FindWindowByID(finger.window) : nullptr;
  const bool scrolls = window != nullptr && finger.way != Way::none && can_scroll(*window, finger.way) &&
                       !(finger.taken && finger.way == Way::across);
  if (!scrolls) {
    finger.speed = 0;
    const bool lifted = ImGui::IsMouseReleased(ImGuiMouseButton_Left) && ImGui::IsMousePosValid();
    if (lifted && finger.way == Way::across && !finger.taken) turn(app, memory, moved);
    return;
  }
  if (decides) ImGui::ClearActiveID();  // what it has pressed is let go
  const float seconds = std::max(io.DeltaTime, 1e-3F);
  if (down) {
    const float by = finger.way == Way::along ? io.MouseDelta.y : io.MouseDelta.x;
    constexpr float newest = 0.4F;
    scroll(*window, finger.way, by);
    finger.speed += newest * (by / seconds - finger.speed);
    return;
  }
  // Lifted, what it has scrolled runs on for a while.
  constexpr float slowest = 20, time = 0.325F;  // pixels a second, seconds
  if (app.motion.reduced || std::abs(finger.speed) < slowest) finger.speed = 0;
  const float kept = std::exp(-seconds / time);
  scroll(*window, finger.way, finger.speed * time * (1 - kept));
  finger.speed *= kept;
}

}  // namespace headscope
