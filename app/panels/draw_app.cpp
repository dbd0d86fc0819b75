#include <algorithm>
#include <cmath>

#include "app/panels/controls.h"
#include "app/panels/dialogs.h"
#include "app/panels/filter_bar.h"
#include "app/panels/frame_parts.h"
#include "app/panels/inspector.h"
#include "app/panels/map_pointer.h"
#include "app/panels/panel_focus.h"
#include "app/panels/sentence.h"
#include "app/panels/theme.h"
#include "app/state/adjust.h"
#include "app/state/app.h"

namespace headscope {
namespace {

// No background: the frame begins with that colour, and filling the window once more is half of what a frame
// costs where the processor draws.
constexpr ImGuiWindowFlags fixed = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBackground |
                                   ImGuiWindowFlags_NoBringToFrontOnFocus;

constexpr std::size_t large_maps = std::size_t{256} << 20;

std::size_t map_bytes(const BlockTrace& block) {
  return sizeof(float) * static_cast<std::size_t>(block.n_q() * block.n_k() * block.heads());
}

/// What sentence and controls change: A's inputs, or B's where the compare view says so.
Ui edited_side(App& app, const Ui& ui) {
  const bool b = app.edits_b();
  return {ui.tr,
          ui.style,
          ui.painter,
          b && ui.other.block ? ui.other.block : ui.block,
          ui.shown,
          b ? ui.other.stale : ui.stale,
          b ? ui.other.error : ui.error,
          ui.heads,
          app.edited(),
          ui.state,
          ui.labels,
          ui.other,
          ui.view_cache,
          ui.ui_anchors};
}

/// A strip between two panels that can be dragged; `sign` says in which direction the width grows.
void splitter(const char* id, double& width_em, float sign, float em) {
  ImGui::SameLine(0, 0);
  ImGui::InvisibleButton(id, {std::max(5.0F, em * 0.35F), -FLT_MIN});
  if (ImGui::IsItemHovered() || ImGui::IsItemActive()) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
  if (ImGui::IsItemActive())
    width_em =
        std::clamp(width_em + static_cast<double>(sign * ImGui::GetIO().MouseDelta.x / em), 10.0, 40.0);
  ImGui::SameLine(0, 0);
}

/// A rounded rectangle, nearly all of it filled by the painter: cards are most of the window.
void fill_card(const Ui& ui, ImVec2 from, ImVec2 to) {
  const ImU32 color = palette(ui.style.theme).panel;
  const float r = ImGui::GetStyle().ChildRounding;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  if (to.x - from.x <= 2 * r || to.y - from.y <= 2 * r) return list.AddRectFilled(from, to, color, r);
  ui.painter.fill(list, {from.x, from.y + r}, {to.x, to.y - r}, color);
  list.AddRectFilled(from, {to.x, from.y + r}, color, r, ImDrawFlags_RoundCornersTop);
  list.AddRectFilled({from.x, to.y - r}, to, color, r, ImDrawFlags_RoundCornersBottom);
}

/// A line around the panel that the keys go to, for who goes through the window by them.
void draw_panel_focus(const Ui& ui) {
  if (navigates_by_keys() && ImGui::IsWindowFocused()) draw_focus(*ImGui::GetWindowDrawList(), ui);
}

void begin_card(Ui& ui, const char* id, float width, Panel panel) {
  const ImVec2 from = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
  fill_card(ui, from, {from.x + std::floor(width > 0 ? width : room.x), from.y + std::floor(room.y)});
  begin_panel_focus(ui.state, panel);
  ImGui::BeginChild(id, {width, 0}, true, ImGuiWindowFlags_AlwaysUseWindowPadding);
  note_panel(ui.state, panel);
  draw_panel_focus(ui);
}

void draw_right_side(App& app, Ui& ui) {
  const float em = ui.style.font_size;
  ImGui::BeginChild("right side", {0, 0});
  Ui edited = edited_side(app, ui);
  draw_sentence(app, edited);
  const bool inspector = app.settings.show_inspector;
  const float available = ImGui::GetContentRegionAvail().x;
  const float wanted = std::min(static_cast<float>(app.settings.inspector_width) * em,
                                ImGui::GetMainViewport()->WorkSize.x * 0.25F);
  const float gap = std::max(5.0F, em * 0.35F);
  begin_card(ui, "stage", inspector ? available - wanted - gap : 0, Panel::bar);
  draw_stage(app, ui);
  ImGui::EndChild();
  if (inspector) {
    splitter("inspector width", app.settings.inspector_width, -1, em);
    begin_card(ui, "inspector", 0, Panel::inspector);
    draw_inspector(ui);
    ImGui::EndChild();
  }
  ImGui::EndChild();
}

void draw_panels(App& app, Ui& ui) {
  const ImGuiViewport* viewport = ImGui::GetMainViewport();
  const float em = ui.style.font_size, status = ImGui::GetTextLineHeightWithSpacing();
  ImGui::SetNextWindowPos(viewport->WorkPos);
  ImGui::SetNextWindowSize(viewport->WorkSize);
  ImGui::Begin("headscope", nullptr, fixed);
  const float height = std::max(1.0F, ImGui::GetContentRegionAvail().y - status);
  ImGui::BeginChild("panels", {0, height});
  if (app.settings.show_controls) {
    const float width =
        std::min(static_cast<float>(app.settings.controls_width) * em, viewport->WorkSize.x * 0.31F);
    begin_card(ui, "controls", width, Panel::controls);
    Ui edited = edited_side(app, ui);
    draw_controls(app, edited);
    ImGui::EndChild();
    splitter("controls width", app.settings.controls_width, 1, em);
  }
  draw_right_side(app, ui);
  ImGui::EndChild();
  draw_status_bar(app, ui);
  ImGui::End();
}

bool any_popup() {
  return ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel);
}

/// What was locked or chosen may lie outside of what there is now.
void keep_in_range(App& app, const BlockTrace& block) {
  ViewState& state = app.state;
  const BlockShape shape = shape_of(app.inputs).front();
  state.view.layer = std::clamp(state.view.layer, 0, std::max(0, shape.layers - 1));
  if (state.view.head && *state.view.head >= shape.heads) state.view.head.reset();
  std::erase_if(state.view.hidden_heads, [&](int head) { return head >= shape.heads; });
  if (static_cast<int>(state.view.hidden_heads.size()) >= shape.heads) state.view.hidden_heads.clear();
  const auto outside = [&](const std::optional<Cell>& cell) {
    return cell && (cell->head >= block.heads() || cell->query >= block.n_q() || cell->key >= block.n_k());
  };
  if (app.runner.trace()->inputs == app.inputs)
    fit_filter(state.view.filter, static_cast<int>(block.n_q()), static_cast<int>(block.n_k()));
  if (outside(state.lock)) state.lock.reset();
  if (outside(state.last_hover)) state.last_hover.reset();
}

/// What of a run's maps the view is going to show.
MapsInView maps_in_view(const App& app, const Inputs& inputs) {
  const View& view = app.state.view;
  if (view.kind == ViewKind::layers || view.kind == ViewKind::head_table) return {};
  return {view.layer, app.heads_in_view(shape_of(inputs).front().heads)};
}

}  // namespace

bool is_busy(const App& app) {
  return app.runner.busy() || app.other_runner.busy() || app.view_cache.busy() || app.dialogs->busy();
}

void draw_app(App& app, HeatmapPainter& painter) {
  app.runner.poll();
  app.other_runner.poll();
  app.view_cache.settle();
  app.style.theme = app.settings.theme;
  app.state.view.theme = app.settings.theme;
  app.state.last_hover = app.state.hover;
  app.state.hover.reset();
  keep_in_range(app, *app.block());
  show_panel_focus(app.state);
  app.state.panel_before = app.state.panel;
  const Panel wanted = app.state.panel_wanted;
  // What Esc has just closed had that key for itself.
  app.popup_open = app.popup_open || any_popup();
  app.field_focus = ImGui::GetIO().WantTextInput;
  app.text_focus = ImGui::GetIO().WantTextInput || app.sentence_box->focused || app.key_sentence_box->focused;

  const std::shared_ptr<const FilteredLayer> shown = app.shown();
  const std::shared_ptr<const BlockTrace> block = shown->block;
  const auto told = [&](const Runner& runner) {
    return runner.error() ? app.tr(*runner.error()) : std::string();
  };
  OtherSide other{app.compare, app.compare ? app.other_block() : nullptr, app.other_runner.busy(),
                  told(app.other_runner)};
  Ui ui{app.tr,
        app.style,
        painter,
        block,
        shown,
        app.runner.busy() || block != app.block(),
        told(app.runner),
        app.view_cache.heads(block, app.state.view, app.labels),
        app.inputs,
        app.state,
        app.labels,
        other,
        app.view_cache};
  ui.ui_anchors = app.ui_anchors;
  ImGui::GetIO().UserData = app.ui_anchors;
  draw_menu_bar(app);
  draw_panels(app, ui);
  // One that is not on the screen must not take the keys when it comes.
  if (app.state.panel_wanted == wanted) app.state.panel_wanted = Panel::none;
  draw_dialogs(app, ui);
  run_shortcuts(app);
  app.popup_open = any_popup();
  app.item_active = ImGui::IsAnyItemActive();
}

void update_app(App& app) {
  note_changes(app);
  // Of large maps no more are made than are compared: a drag would fill the memory with those in between.
  if (app.view_cache.comparing() && map_bytes(*app.block()) + map_bytes(*app.other_block()) > large_maps)
    return;
  app.runner.request(app.inputs, maps_in_view(app, app.inputs));
  if (app.compare && app.state.view.kind == ViewKind::compare)
    app.other_runner.request(*app.compare, maps_in_view(app, *app.compare));
}

}  // namespace headscope
