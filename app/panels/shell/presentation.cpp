#include <algorithm>
#include <cfloat>
#include <cmath>

#include "app/panels/dialogs/edge_window.h"
#include "app/panels/inputs/controls.h"
#include "app/panels/lesson/lesson_panel.h"
#include "app/panels/map/held_chip.h"
#include "app/panels/sentence/sentence.h"
#include "app/panels/sentence/translation_line.h"
#include "app/panels/shell/frame_parts.h"
#include "app/panels/ui/panel_focus.h"
#include "app/panels/ui/sides.h"
#include "app/panels/views/inspector.h"
#include "app/panels/views/views.h"
#include "app/panels/widgets/imgui_calls.h"
#include "app/panels/widgets/theme.h"
#include "app/panels/widgets/widgets.h"
#include "app/state/actions/actions.h"
#include "app/state/actions/present.h"
#include "app/state/app.h"
#include "app/state/view/panels.h"

namespace headscope {
namespace {

constexpr ImGuiWindowFlags stage_flags = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                         ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBackground |
                                         ImGuiWindowFlags_NoBringToFrontOnFocus;

/// The window border that the pointer is at.
Edge pointed_edge(ImVec2 window) {
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  if (mouse.x < 0 || mouse.y < 0 || mouse.x >= window.x || mouse.y >= window.y) return Edge::none;
  const float near = std::max(2.0F, window.y * 0.008F);
  if (mouse.y < near) return Edge::top;
  if (mouse.x < near) return Edge::left;
  return mouse.x >= window.x - near ? Edge::right : Edge::none;
}

/// Whether the panels of the edge are in use: by the pointer, the keyboard, or one of their menus.
bool in_use(const App& app, const PanelMemory& memory) {
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const auto [left, top, right, bottom] = memory.edge;
  const float margin = memory.style.font_size / 2;
  const bool inside = mouse.x >= left - margin && mouse.x < right + margin && mouse.y >= top - margin &&
                      mouse.y < bottom + margin;
  const bool has_keys = edge_of(app.state.panel) == app.presentation.edge;
  return inside || is_popup_open() || ImGui::IsAnyItemActive() ||
         (has_keys && (navigates_by_keys() || memory.editing() || ImGui::GetIO().WantTextInput));
}

/// Keeps the panels of the edge that the pointer or the keyboard went to, until both have left them.
void follow_edge(App& app, PanelMemory& memory, ImVec2 window) {
  Edge& edge = app.presentation.edge;
  const Edge before = edge, wanted = edge_of(app.state.panel_wanted), pointed = pointed_edge(window);
  if (app.presentation.copy_in > 0)
    edge = Edge::none;
  else if (app.open_menus)
    edge = Edge::top;
  else if (wanted != Edge::none || app.state.panel_wanted == Panel::maps)
    edge = wanted;
  else if (edge == Edge::none ? !ImGui::IsAnyMouseDown() : !in_use(app, memory))
    edge = pointed;
  if (edge == before) return;
  memory.edge = {};
  if (before == Edge::none || edge_of(app.state.panel) != before || wanted != Edge::none) return;
  memory.leave_boxes();
  go_to_panel(app, Panel::maps);
  app.state.panel_muted = true;
}

/// The menus, the sentence and the bar of the views.
void draw_top(App& app, Ui& ui, ImVec2 window) {
  draw_menu_bar(app, ui.style);
  const float top = ImGui::GetFrameHeight();
  ui.memory.edge[1] = 0;
  begin_edge_window(ui, "edge top", {0, top}, {window.x, 0}, Panel::bar);
  draw_sentence(app, ui);
  draw_view_list(ui);
  ImGui::SameLine();
  draw_path_bar(app, ui);
  if (const auto draw = view_panel(ui.view()).presented) draw(ui);
  draw_status_bar(app, ui);
  end_edge_window(ui, "edge top");
}

void draw_side(App& app, Ui& ui, ImVec2 window, Edge edge) {
  const float em = ui.style.font_size, height = window.y;
  if (edge == Edge::left) {
    const float width = std::min(static_cast<float>(app.settings.controls_width) * em, window.x * 0.45F);
    begin_edge_window(ui, "edge left", {0, 0}, {width, height}, Panel::controls);
    Ui edited = side_of(app, ui, app.edited_side());
    draw_controls(app, edited);
    return end_edge_window(ui, "edge left");
  }
  // In a lesson its panel is shown; the inspector then opens with its key.
  const bool lesson = app.lesson.playing() && app.state.panel != Panel::inspector &&
                      app.state.panel_wanted != Panel::inspector;
  const float maximum = window.x * 0.45F;  // a lesson's tables are read from a distance
  const float width =
      lesson ? maximum : std::min(static_cast<float>(app.settings.inspector_width) * em, maximum);
  begin_edge_window(ui, "edge right", {window.x - width, 0}, {width, height},
                    lesson ? Panel::lesson : Panel::inspector);
  lesson ? draw_lesson(app, ui) : draw_inspector(ui);
  end_edge_window(ui, "edge right");
}

void draw_edge(App& app, Ui& ui, ImVec2 window) {
  const Edge edge = app.presentation.edge;
  if (edge == Edge::top) return draw_top(app, ui, window);
  ui.memory.leave_boxes();
  if (edge != Edge::none) draw_side(app, ui, window, edge);
}

/// What the caption shows without a cell.
std::string line_of(const App& app) {
  const Notice* notice = app.notices.current();
  return notice != nullptr && app.presentation.copy_in == 0 ? notice->text : std::string();
}

/// At the upper right corner, in small text: the colours are those of before the experiment.
float draw_held_chip(Ui& ui, ImVec2 from, ImVec2 room) {
  constexpr float most = 0.3F;
  ImGui::PushFont(nullptr, ui.style.small);
  HeldChip chip(ui, most * room.x);
  const float width = chip.width();
  if (chip.any()) {
    ImGui::SetCursorScreenPos({from.x + room.x - width, from.y});
    chip.draw();
  }
  ImGui::PopFont();
  return width;
}

/// The tokens and the outputs of two translators; returns their height.
float draw_lines_above(App& app, Ui& ui, ImVec2 from, ImVec2 room) {
  ImGuiStorage& memory = *ImGui::GetStateStorage();
  const ImGuiID id = ImGui::GetID("height of tokens");
  // Panels at the upper edge cover it.
  if (app.presentation.edge == Edge::top) return memory.GetFloat(id, room.y);
  float height = draw_token_line(ui, from, room);
  if (app.compares()) {
    ImGui::SetCursorScreenPos({from.x, from.y + height});
    if (draw_translation(app, ui)) height += room.y;
  }
  memory.SetFloat(id, height);
  return height;
}

void draw_stage_alone(App& app, Ui& ui, ImVec2 window) {
  const float margin = std::round(window.y * 0.008F), em = ui.style.font_size;
  const float line = std::round(em * 1.12F),
              strip = std::round(window.y * static_cast<float>(Presented::strip));
  ImGui::SetNextWindowPos({0, 0});
  ImGui::SetNextWindowSize(window);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
  ImGui::Begin("presentation", nullptr, stage_flags);
  ImGui::PopStyleVar();
  ui.painter.fill(*ImGui::GetWindowDrawList(), {0, 0}, window, palette(ui.style.theme).panel);
  const float side = 2 * margin;
  // The whole model shows the words on its own axes and lines, the text of a lesson does not.
  float top = margin;
  if (app.lesson.playing()) top += draw_lesson_header(app, ui, {side, top}, window.x - 2 * side);
  const ImVec2 first{window.x - 2 * side, line};
  const float chip = shows_lesson_text(app) ? 0 : draw_held_chip(ui, {side, top}, first);
  if (!ui.view().row().whole || shows_lesson_text(app))
    top += margin + draw_lines_above(app, ui, {side, top}, {first.x - (chip > 0 ? chip + em : 0), line});
  else if (chip > 0)
    top += margin + line;
  const float bottom = window.y - strip;
  ImGui::SetCursorScreenPos({side, top});
  ImGui::BeginChild("stage", {window.x - 2 * side, bottom - top}, false, ImGuiWindowFlags_NoScrollbar);
  const ImVec2 from = ImGui::GetCursorScreenPos();
  shows_lesson_text(app) ? draw_lesson_text(app, ui) : draw_view(app, ui);
  ImGui::EndChild();
  note_place("panel stage", from, {window.x - side, bottom});
  draw_caption(ui, line_of(app), app.frozen.a != nullptr, {side, bottom}, {window.x - side, window.y});
  ImGui::End();
  draw_error(app, side_of(app, ui, app.edited_side()), from, {window.x - side, bottom});
}

/// Where the window is as small as a phone's, and Esc or F11 may have no keyboard.
void draw_way_out(App& app, const Ui& ui, ImVec2 window) {
  const float side = finger_in_window(ui.style);
  if (side <= 0) return;
  ImGui::SetNextWindowPos({window.x - side, 0});
  ImGui::SetNextWindowSize({side, side});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, {1, 1});
  ImGui::Begin("way out", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoFocusOnAppearing);
  ImGui::PopStyleVar(2);
  const float pad = std::max(0.0F, (side - ImGui::GetFontSize()) / 2);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {pad, pad});
  if (icon_button("present end", Icon::close, app.tr("Back to the window (Esc)"))) run_action(app, "present");
  ImGui::PopStyleVar();
  ImGui::End();
}

}  // namespace

void draw_black_screen() {
  ImGui::GetForegroundDrawList()->AddRectFilled({0, 0}, ImGui::GetMainViewport()->Size, IM_COL32_BLACK);
  ImGui::SetMouseCursor(ImGuiMouseCursor_None);
}

void draw_presentation(App& app, Ui& ui) {
  const ImVec2 window = ImGui::GetMainViewport()->Size;
  follow_edge(app, ui.memory, window);
  draw_edge(app, ui, window);
  draw_stage_alone(app, ui, window);
  draw_way_out(app, ui, window);
}

}  // namespace headscope
