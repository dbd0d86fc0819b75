#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/panels/shell/frame_parts.h"
#include "app/panels/views/views.h"
#include "app/panels/widgets/imgui_calls.h"
#include "app/panels/widgets/theme.h"
#include "app/panels/widgets/widgets.h"
#include "app/state/app.h"
#include "app/state/view/panels.h"

namespace headscope {
namespace {

constexpr float widest_phone = 600, lowest_window = 450;  // points
constexpr float finger = 44;                              // the platforms' smallest target

constexpr ImGuiWindowFlags fixed = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBackground |
                                   ImGuiWindowFlags_NoBringToFrontOnFocus;

/// Items are as high as a finger needs while it lives.
class ForFingers {
 public:
  explicit ForFingers(const Style& style) {
    const float em = style.font_size, high = finger * style.screen_scale;
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding,
                        {std::round(0.6F * em), std::max(std::floor((high - em) / 2), 0.25F * em)});
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {std::round(0.4F * em), std::round(0.4F * em)});
  }
  ~ForFingers() { ImGui::PopStyleVar(2); }
  ForFingers(const ForFingers&) = delete;
  ForFingers& operator=(const ForFingers&) = delete;
};

/// The window that a finger there scrolls: the lowest of those around it that have more than they show.
ImGuiWindow* scrolled_at_pointer() {
  for (ImGuiWindow* window = ImGui::GetCurrentContext()->HoveredWindow; window != nullptr;
       window = window->ParentWindow)
    if (window->ScrollMax.y > 0 && (window->Flags & ImGuiWindowFlags_NoScrollWithMouse) == 0) return window;
  return nullptr;
}

/// A finger that moves up or down scrolls what is under it, and lets go of what it has pressed; lifted, what
/// it scrolled runs on for a while.
void scroll_by_finger(PanelMemory::Finger& finger, const Style& style) {
  const ImGuiIO& io = ImGui::GetIO();
  if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) {
    const ImGuiWindow* const window = scrolled_at_pointer();
    finger = {window != nullptr ? window->ID : 0, io.MousePos, false, 0};
  }
  ImGuiWindow* const window = finger.window != 0 ? ImGui::FindWindowByID(finger.window) : nullptr;
  if (window == nullptr) return;
  const float seconds = std::max(io.DeltaTime, 1e-3F);
  if (ImGui::IsMouseDown(ImGuiMouseButton_Left)) {
    const float across = std::abs(io.MousePos.x - finger.from.x),
                along = std::abs(io.MousePos.y - finger.from.y);
    if (!finger.scrolls && along > 0.6F * style.font_size && along > 1.5F * across) {
      finger.scrolls = true;
      ImGui::ClearActiveID();
    }
    if (!finger.scrolls) return;
    ImGui::SetScrollY(window, std::clamp(window->Scroll.y - io.MouseDelta.y, 0.0F, window->ScrollMax.y));
    constexpr float newest = 0.4F;
    finger.speed += newest * (io.MouseDelta.y / seconds - finger.speed);
    return;
  }
  constexpr float slowest = 20, time = 0.325F;  // pixels a second, seconds
  if (!finger.scrolls || std::abs(finger.speed) < slowest) return;
  ImGui::SetScrollY(window, std::clamp(window->Scroll.y - finger.speed * seconds, 0.0F, window->ScrollMax.y));
  finger.speed *= std::exp(-seconds / time);
}

void icon(App& app, const char* id, Icon icon) {
  const Action& action = *find_action(app, id);
  ImGui::BeginDisabled(!is_enabled(app, action));
  if (icon_button(id, icon, text_of(action, app.tr))) run_action(app, id);
  ImGui::EndDisabled();
}

/// Held across: the sheet is beside the view, and the tabs are in the bar.
bool is_across(ImVec2 window) {
  return window.x > window.y;
}

/// The panel whose sheet is up.
Panel sheet_of(const App& app, const PanelMemory& memory) {
  for (const Panel panel : {Panel::controls, Panel::inspector})
    if (overlays_view(app, panel)) return panel;
  return app.lesson.playing() && !memory.sheet.lowered ? Panel::lesson : Panel::none;
}

void tap_tab(App& app, PanelMemory& memory, Panel panel, bool on) {
  memory.sheet.whole = false;
  if (panel != Panel::lesson) return toggle_panel(app, panel);
  memory.sheet.lowered = on;
  if (!on && app.state.panel_over != Panel::none) leave_panel_over(app);
}

/// In `room`, of equal width.
void draw_tabs(App& app, Ui& ui, Panel sheet, float room) {
  struct Tab {
    Panel panel;
    const char *text, *mark;
  };
  constexpr Tab all[] = {{Panel::inspector, TR("Cell"), "tab cell"},
                         {Panel::controls, TR("Controls"), "tab controls"},
                         {Panel::lesson, TR("Lesson"), "tab lesson"}};
  const int count = app.lesson.playing() ? 3 : 2;
  const auto tabs = static_cast<float>(count);
  const float width = std::floor((room - (tabs - 1) * ImGui::GetStyle().ItemSpacing.x) / tabs);
  for (int i = 0; i < count; ++i) {
    if (i > 0) ImGui::SameLine();
    const bool on = sheet == all[i].panel;
    const ChosenColors colors(on);
    if (button(ui.tr(all[i].text), all[i].mark, {}, width)) tap_tab(app, ui.memory, all[i].panel, on);
  }
}

/// Menus, the view, undo and what to do with it.
void draw_bar(App& app, Ui& ui, Panel sheet, bool with_tabs) {
  if (icon_button("menu", Icon::menu, ui.tr("Menus")) || app.open_menus) ImGui::OpenPopup("menus");
  app.open_menus = false;
  place_popup_below(ui.style.font_size * 16);
  // Lines of a menu have no frame: what is between them is theirs.
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {ImGui::GetStyle().ItemSpacing.x,
                                                  std::max(ImGui::GetStyle().ItemSpacing.y,
                                                           ImGui::GetFrameHeight() - ImGui::GetFontSize())});
  if (ImGui::BeginPopup("menus")) {
    draw_menus(app, ui.style);
    ImGui::EndPopup();
  }
  ImGui::PopStyleVar();
  ImGui::SameLine();
  const float gap = ImGui::GetStyle().ItemSpacing.x, icons = 3 * width_of_icon() + 2 * gap;
  draw_view_list(ui, ImGui::GetContentRegionAvail().x - icons - gap);
  if (with_tabs) {
    ImGui::SameLine();
    draw_tabs(app, ui, sheet, ImGui::GetContentRegionAvail().x - icons - gap);
  }
  ImGui::SameLine(ImGui::GetContentRegionMax().x - icons);
  icon(app, "undo", Icon::undo);
  ImGui::SameLine();
  icon(app, "redo", Icon::redo);
  ImGui::SameLine();
  icon(app, "export", Icon::share);
}

/// A tap on the handle makes the sheet as high as it can be, or half; pulled down, it goes.
void draw_handle(App& app, Ui& ui, Panel sheet) {
  PanelMemory::Sheet& memory = ui.memory.sheet;
  const float em = ui.style.font_size, height = std::round(0.5F * finger * ui.style.screen_scale);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  invisible_button("sheet handle", {width, height});
  anchor("sheet handle");
  ImGui::GetWindowDrawList()->AddRectFilled({at.x + width / 2 - 1.5F * em, at.y + height / 2 - 0.15F * em},
                                            {at.x + width / 2 + 1.5F * em, at.y + height / 2 + 0.15F * em},
                                            palette(ui.style.theme).border, 0.15F * em);
  if (ImGui::IsItemActive()) memory.pulled = ImGui::GetMouseDragDelta(ImGuiMouseButton_Left, 0).y;
  if (!ImGui::IsItemDeactivated()) return;
  const float pulled = std::exchange(memory.pulled, 0);
  if (pulled > 3 * em && !memory.whole)
    tap_tab(app, ui.memory, sheet, true);
  else
    memory.whole = std::abs(pulled) < em ? !memory.whole : pulled < 0;
}

}  // namespace

bool is_phone(const Style& style) {
  const ImVec2 size = ImGui::GetMainViewport()->Size;
  return size.x < widest_phone * style.screen_scale || size.y < lowest_window * style.screen_scale;
}

void draw_phone(App& app, Ui& ui) {
  const ImGuiViewport* viewport = ImGui::GetMainViewport();
  ui.memory.fingers = true;
  scroll_by_finger(ui.memory.finger, ui.style);
  ImGui::SetNextWindowPos(viewport->WorkPos);
  ImGui::SetNextWindowSize(viewport->WorkSize);
  const ForFingers metrics(ui.style);
  ImGui::Begin("headscope", nullptr, fixed);
  app.state.controls_give_way = app.state.inspector_gives_way = true;
  const bool across = is_across(viewport->WorkSize);
  const Panel sheet = sheet_of(app, ui.memory);
  ui.memory.sheet.up = sheet != Panel::none;
  draw_bar(app, ui, sheet, across);
  ui.memory.rail = 0;
  ui.memory.locked.reset();
  const ImVec2 gap = ImGui::GetStyle().ItemSpacing;
  ImVec2 room = ImGui::GetContentRegionAvail();
  room.y -= status_height() + (across ? 0 : ImGui::GetFrameHeight() + gap.y);
  constexpr float half = 0.5F;
  const float share = sheet == Panel::none ? 0 : ui.memory.sheet.whole ? 1 : half;
  ImVec2 view = room, of_sheet = room;
  (across ? view.x : view.y) *= 1 - share;
  (across ? of_sheet.x : of_sheet.y) *= share;
  if (share < 1) {
    ImGui::BeginChild("middle of phone", {std::floor(view.x), std::floor(view.y - gap.y)});
    draw_middle(app, ui, 0, sheet == Panel::none);
    ImGui::EndChild();
    if (across && share > 0) ImGui::SameLine();
  }
  if (share > 0) {
    ImGui::BeginChild("sheet", {across ? 0 : of_sheet.x, std::floor(of_sheet.y - gap.y)});
    draw_handle(app, ui, sheet);
    draw_panel_card(app, ui, sheet);
    ImGui::EndChild();
  }
  draw_status_bar(app, ui);
  if (!across) draw_tabs(app, ui, sheet, ImGui::GetContentRegionAvail().x);
  ImGui::End();
}

}  // namespace headscope
