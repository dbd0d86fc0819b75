#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/panels/shell/frame_parts.h"
#include "app/panels/views/views.h"
#include "app/panels/widgets/glyphs.h"
#include "app/panels/widgets/imgui_calls.h"
#include "app/panels/widgets/theme.h"
#include "app/panels/widgets/widgets.h"
#include "app/state/app.h"
#include "app/state/view/panels.h"

namespace headscope {
namespace {

constexpr ImGuiWindowFlags fixed = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBackground |
                                   ImGuiWindowFlags_NoBringToFrontOnFocus;

void icon(App& app, const char* id, Icon icon) {
  const Action& action = *find_action(app, id);
  ImGui::BeginDisabled(!is_enabled(app, action));
  if (icon_button(id, icon, text_of(action, app.tr))) run_action(app, id);
  ImGui::EndDisabled();
}

/// Held across: the sheet is beside the view, and the tabs are in the bar. Above a keyboard on the screen an
/// upright one has less than its width, a lot less than what is beside each other needs.
bool is_across(ImVec2 window) {
  return window.x > 1.4F * window.y;
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
    const bool tapped = button(ui.tr(all[i].text), all[i].mark, {}, width);
    hear_open(on);
    if (tapped) tap_tab(app, ui.memory, all[i].panel, on);
  }
}

/// Menus, the view, undo and what to do with it.
void draw_bar(App& app, Ui& ui, Panel sheet, bool with_tabs) {
  if (icon_button("menu", Icon::menu, ui.tr("Menus")) || app.open_menus) ImGui::OpenPopup("menus");
  app.open_menus = false;
  if (ImGui::IsPopupOpen("menus")) {
    // As wide whatever is unfolded.
    const float width = std::min(26 * ui.style.font_size, 0.95F * ImGui::GetMainViewport()->Size.x);
    const float height = place_popup_below(width);
    ImGui::SetNextWindowSizeConstraints({width, 0}, {width, height});
    if (ImGui::BeginPopup("menus")) {
      draw_menus(app, ui.style);
      ImGui::EndPopup();
    }
  }
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
  const float em = ui.style.font_size, height = ui.style.finger;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  invisible_button("sheet handle", {width, height});
  hear_nothing();
  anchor("sheet handle");
  const std::string title =
      sheet == Panel::lesson ? drawn_text(app.lesson.lesson->title.in(app.language())) : std::string();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float middle = at.y + (title.empty() ? height / 2 : 0.45F * em);
  list.AddRectFilled({at.x + width / 2 - 1.5F * em, middle - 0.15F * em},
                     {at.x + width / 2 + 1.5F * em, middle + 0.15F * em}, palette(ui.style.theme).border,
                     0.15F * em);
  if (!title.empty()) {
    list.AddText({at.x + 0.6F * em, at.y + height - 1.5F * em}, palette(ui.style.theme).muted,
                 fit_text(title, width - 1.2F * em).c_str());
    hear_text(title);
  }
  if (ImGui::IsItemActive()) memory.pulled = ImGui::GetMouseDragDelta(ImGuiMouseButton_Left, 0).y;
  if (!ImGui::IsItemDeactivated()) return;
  const float pulled = std::exchange(memory.pulled, 0);
  if (pulled > 3 * em && !memory.whole)
    tap_tab(app, ui.memory, sheet, true);
  else
    memory.whole = std::abs(pulled) < em ? !memory.whole : pulled < 0;
}

/// Of the view's room: half, or what a lesson that is read upright asks for.
float share_of_sheet(const Ui& ui, Panel sheet, bool across, float room) {
  constexpr float half = 0.5F, least = 0.3F, most = 0.66F;
  if (sheet == Panel::none) return 0;
  // Above a keyboard on the screen there is no room for both.
  const bool low = !across && room < 8 * ui.style.finger;
  if (ui.memory.sheet.whole || low) return 1;
  if (across || sheet != Panel::lesson) return half;
  const float wanted =
      (ui.memory.sheet.wanted + ui.style.finger + 2 * ImGui::GetStyle().ItemSpacing.y) / room;
  return wanted > most ? half : std::max(wanted, least);
}

}  // namespace

void draw_phone(App& app, Ui& ui) {
  const ImGuiViewport* viewport = ImGui::GetMainViewport();
  ImGui::SetNextWindowPos(viewport->WorkPos);
  ImGui::SetNextWindowSize(viewport->WorkSize);
  ImGui::Begin("headscope", nullptr, fixed);
  app.state.controls_give_way = app.state.inspector_gives_way = true;
  const bool across = is_across(viewport->WorkSize);
  const Panel sheet = sheet_of(app, ui.memory);
  ui.memory.sheet.up = sheet != Panel::none;
  draw_bar(app, ui, sheet, across);
  ui.memory.rail = 0;
  ui.memory.locked.reset();
  ui.memory.stage = {};
  const ImVec2 gap = ImGui::GetStyle().ItemSpacing;
  ImVec2 room = ImGui::GetContentRegionAvail();
  room.y -= status_height() + (across ? 0 : ImGui::GetFrameHeight() + gap.y);
  const float share = share_of_sheet(ui, sheet, across, room.y);
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
