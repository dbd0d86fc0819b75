#include "app/panels/shell/draw_app.h"

#include <imgui_internal.h>

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <utility>

#include "app/panels/dialogs/dialogs.h"
#include "app/panels/dialogs/edge_window.h"
#include "app/panels/inputs/controls.h"
#include "app/panels/inputs/source_bar.h"
#include "app/panels/lesson/lesson_panel.h"
#include "app/panels/map/map_pointer.h"
#include "app/panels/map/paint.h"
#include "app/panels/sentence/sentence.h"
#include "app/panels/shell/frame_parts.h"
#include "app/panels/ui/panel_focus.h"
#include "app/panels/ui/sides.h"
#include "app/panels/views/inspector.h"
#include "app/panels/views/views.h"
#include "app/panels/widgets/imgui_calls.h"
#include "app/panels/widgets/pixels.h"
#include "app/panels/widgets/theme.h"
#include "app/panels/widgets/widgets.h"
#include "app/state/actions/present.h"
#include "app/state/app.h"
#include "app/state/document/adjust.h"
#include "app/state/view/panels.h"

namespace headscope {
namespace {

// No background: the frame is already cleared to that colour, and filling the window again is half of the
// cost of a frame with software rendering.
constexpr ImGuiWindowFlags fixed = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBackground |
                                   ImGuiWindowFlags_NoBringToFrontOnFocus;

float splitter_width(float em) {
  return std::max(5.0F, std::round(em * 0.35F));
}

/// A draggable strip between two panels, of which one is `shown_em` wide now; `sign` is the direction in
/// which its width grows.
void splitter(const Ui& ui, const char* id, double shown_em, double& width_em, double usual_em, float sign) {
  const float em = ui.style.font_size;
  ImGui::SameLine(0, 0);
  invisible_button(id, {splitter_width(em), -FLT_MIN});
  hear_nothing();
  anchor(id);
  if (ImGui::IsItemHovered() || ImGui::IsItemActive()) {
    ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
    const ImVec2 min = ImGui::GetItemRectMin(), max = ImGui::GetItemRectMax();
    const float inset = (max.x - min.x) / 3;
    ImGui::GetWindowDrawList()->AddRectFilled({min.x + inset, min.y}, {max.x - inset, max.y},
                                              palette(ui.style.theme).accent, inset);
  }
  const float moved = ImGui::GetIO().MouseDelta.x;
  if (ImGui::IsItemActive() && moved != 0) width_em = std::clamp(shown_em + (sign * moved / em), 10.0, 40.0);
  if (ImGui::IsItemHovered() && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) width_em = usual_em;
  ImGui::SameLine(0, 0);
}

float way_back_width(float em) {
  return std::round(em * 0.9F);
}

/// In the place of a hidden panel: a strip that brings it back.
void draw_way_back(App& app, const Ui& ui, Panel panel, const char* mark, Icon icon, const char* help,
                   ImVec2 size) {
  ImGui::PushStyleColor(ImGuiCol_Button, 0);
  const bool pressed = ImGui::Button((std::string("###") + mark).c_str(), size);
  ImGui::PopStyleColor();
  anchor(mark);
  const ImVec2 min = ImGui::GetItemRectMin(), max = ImGui::GetItemRectMax();
  draw_icon(ImGui::GetWindowDrawList(), icon, {(min.x + max.x) / 2, (min.y + max.y) / 2},
            way_back_width(ui.style.font_size) * 0.4F, palette(ui.style.theme).muted);
  tooltip(help);
  if (pressed) toggle_panel(app, panel);
}

/// A rounded rectangle, mostly filled by the painter: cards cover most of the window.
void fill_card(const Ui& ui, ImVec2 from, ImVec2 to) {
  const ImU32 color = palette(ui.style.theme).panel;
  const float r = ImGui::GetStyle().ChildRounding;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  if (to.x - from.x <= 2 * r || to.y - from.y <= 2 * r) return list.AddRectFilled(from, to, color, r);
  ui.painter.fill(list, {from.x, from.y + r}, {to.x, to.y - r}, color);
  list.AddRectFilled(from, {to.x, from.y + r}, color, r, ImDrawFlags_RoundCornersTop);
  list.AddRectFilled({from.x, to.y - r}, to, color, r, ImDrawFlags_RoundCornersBottom);
}

/// An outline around the panel with the keyboard focus, for keyboard navigation.
void draw_panel_focus(const Ui& ui) {
  if (navigates_by_keys() && ImGui::IsWindowFocused()) draw_focus(*ImGui::GetWindowDrawList(), ui.style);
}

void outline_window() {
  const ImVec2 at = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
  outline({at.x + 4, at.y + 4}, {at.x + size.x - 4, at.y + size.y - 4});
}

/// Above child windows drawn there.
void outline_above(ImVec2 min, ImVec2 max) {
  constexpr float margin = 4;
  const ImVec2 back = ImGui::GetCursorScreenPos();
  ImGui::SetCursorScreenPos({min.x - margin, min.y - margin});
  ImGui::BeginChild("outline", {max.x - min.x + 2 * margin, max.y - min.y + 2 * margin}, false,
                    ImGuiWindowFlags_NoInputs | ImGuiWindowFlags_NoBackground);
  outline(min, max);
  ImGui::EndChild();
  ImGui::SetCursorScreenPos(back);
}

/// Above the stage.
void draw_sentence_panel(App& app, Ui& ui) {
  if (!is_visible(app, Panel::sentence)) {
    ui.memory.leave_boxes();
    return draw_way_back(app, ui, Panel::sentence, "way to sentence", Icon::down, ui.tr("Show sentence (F8)"),
                         {ImGui::GetContentRegionAvail().x, way_back_width(ui.style.font_size)});
  }
  const ImVec2 top = ImGui::GetCursorScreenPos();
  const bool named = is_outlined("tokens") || is_outlined("sentence") || is_outlined("key_sentence");
  // The little that a sheet with painting, or either in a low window, leaves of a phone is the view's, whose
  // axes have the words.
  constexpr float little = 20;
  const bool sheet = ui.memory.sheet.up, paints = app.state.brush.on;
  const bool low = ImGui::GetWindowHeight() < little * ui.style.font_size;
  if (ui.style.finger > 0 && !named && ((sheet && paints) || ((sheet || paints) && low)))
    return ui.memory.leave_boxes();
  draw_sentence(app, ui);
  if (named)
    outline_above({top.x + 2, top.y + 2},
                  {top.x + ImGui::GetContentRegionAvail().x - 3, ImGui::GetCursorScreenPos().y - 4});
}

}  // namespace

namespace {

void hear_panel(const Translator& tr, Panel panel) {
  const char* const name = panel == Panel::rail        ? tr("View")
                           : panel == Panel::controls  ? tr("Controls")
                           : panel == Panel::inspector ? tr("Inspector")
                           : panel == Panel::lesson    ? tr("Lesson")
                                                       : tr("Maps");
  hear_window(panel == Panel::rail ? HeardRole::navigation : HeardRole::region, name);
  if (panel != Panel::lesson) hear_title(name, 2);  // which has its own
}

/// Painting takes the finger or the click that would lock cells: where no panel shows it this says so, and
/// ends it.
void draw_painting(Ui& ui) {
  const char* const done = ui.tr("Done");
  const float width = std::max(ui.style.finger, ImGui::CalcTextSize(done).x) + ImGui::GetFrameHeight() / 2;
  const ImVec2 at = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
  ImGui::GetWindowDrawList()->AddRectFilled(at, {at.x + room.x, at.y + ImGui::GetFrameHeight()},
                                            palette(ui.style.theme).accent_soft,
                                            ImGui::GetStyle().FrameRounding);
  ImGui::Indent(0.5F * ui.style.font_size);
  const char* const text = ui.style.finger > 0 ? ui.tr("Painting; two fingers scroll or zoom")
                                               : ui.tr("Painting the mask: drag over a map; Ctrl+P ends it");
  framed_text(fit_text(text, ImGui::GetContentRegionAvail().x - width - ImGui::GetStyle().ItemSpacing.x));
  anchor("painting");
  ImGui::Unindent(0.5F * ui.style.font_size);
  ImGui::SameLine(ImGui::GetContentRegionMax().x - width);
  const AccentColors colors;
  if (button(done, "painting done", {}, width)) ui.state.brush.on = false;
}

}  // namespace

void begin_card(Ui& ui, const char* id, float width, Panel panel) {
  const ImVec2 from = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
  fill_card(ui, from, {from.x + std::floor(width > 0 ? width : room.x), from.y + std::floor(room.y)});
  begin_panel_focus(ui.state, panel);
  // The scrollbar of the controls must not come with what a click adds: texts would wrap otherwise, and move
  // it.
  const int scrollbar = panel == Panel::controls ? ImGuiWindowFlags_AlwaysVerticalScrollbar : 0;
  ImGui::BeginChild(id, {width, 0}, true, ImGuiWindowFlags_AlwaysUseWindowPadding | scrollbar);
  note_panel(ui.state, panel);
  hear_panel(ui.tr, panel);
  const ImVec2 at = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
  note_place(std::string("panel ") + id, at, {at.x + size.x, at.y + size.y});
  draw_panel_focus(ui);
}

void draw_middle(App& app, Ui& ui, float width, bool welcomes) {
  ImGui::BeginChild("middle", {width, 0});
  if (app.state.brush.on && (ui.style.finger > 0 || !is_visible(app, Panel::controls))) draw_painting(ui);
  draw_sentence_panel(app, ui);
  const float welcome = welcomes ? welcome_height(app) : 0;
  if (welcome > 0)
    ImGui::BeginChild("above welcome",
                      {0, ImGui::GetContentRegionAvail().y - welcome - ImGui::GetStyle().ItemSpacing.y});
  const float caption = lesson_caption_height(app, ui);
  if (caption > 0)
    ImGui::BeginChild("above caption",
                      {0, ImGui::GetContentRegionAvail().y - caption - ImGui::GetStyle().ItemSpacing.y});
  begin_card(ui, "stage", 0, Panel::bar);
  draw_stage(app, ui);
  if (is_outlined("map")) outline_window();
  const ImVec2 stage = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
  ui.memory.stage = {stage.x, stage.y, stage.x + size.x, stage.y + size.y};
  ImGui::EndChild();
  draw_error(app, side_of(app, ui, app.edited_side()), stage, {stage.x + size.x, stage.y + size.y});
  if (caption > 0) {
    ImGui::EndChild();
    draw_lesson_caption(ui, caption);
  }
  if (welcome > 0) {
    ImGui::EndChild();
    draw_welcome(app, ui.style);
  }
  ImGui::EndChild();
}

void draw_panel_card(App& app, Ui& ui, Panel panel) {
  const char* const id = panel == Panel::controls    ? "controls"
                         : panel == Panel::inspector ? "inspector"
                                                     : "lesson";
  begin_card(ui, id, 0, panel);
  if (panel == Panel::controls) {
    Ui edited = side_of(app, ui, app.edited_side());
    draw_controls(app, edited);
  } else {
    panel == Panel::inspector ? draw_inspector(ui) : draw_lesson(app, ui);
  }
  ImGui::EndChild();
}

namespace {

/// Where the inspector leaves room, or after it.
void draw_welcome_at_bottom(App& app, const Style& style) {
  const float free = ImGui::GetContentRegionAvail().y - welcome_height(app);
  if (free > 0) ImGui::SetCursorPosY(ImGui::GetCursorPosY() + free);
  draw_welcome(app, style);
}

/// Whether the inspector has room for it; in a low window or in large text the stage has it below.
bool inspector_welcomes(float inspector, float em) {
  constexpr float lowest = 42;
  return inspector > 0 && ImGui::GetMainViewport()->WorkSize.y >= lowest * em;
}

void draw_middle_and_inspector(App& app, Ui& ui, float inspector, float width) {
  const float em = ui.style.font_size;
  ImGui::BeginChild("right side", {width, 0});
  draw_middle(app, ui, width - (inspector > 0 ? inspector + splitter_width(em) : way_back_width(em)),
              !inspector_welcomes(inspector, em));
  if (inspector > 0) {
    splitter(ui, "inspector width", inspector / em, app.settings.inspector_width, Settings{}.inspector_width,
             -1);
    begin_card(ui, "inspector", 0, Panel::inspector);
    draw_inspector(ui);
    if (inspector_welcomes(inspector, em)) draw_welcome_at_bottom(app, ui.style);
    if (is_outlined("inspector")) outline_window();
    ImGui::EndChild();
  } else {
    ImGui::SameLine(0, 0);
    draw_way_back(app, ui, Panel::inspector, "way to inspector", Icon::left, ui.tr("Show inspector (Ctrl+I)"),
                  {way_back_width(em), -FLT_MIN});
  }
  ImGui::EndChild();
}

/// Every view, at the left edge.
void draw_rail(Ui& ui, float width) {
  if (width <= 0) return;
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {2, 2});
  begin_card(ui, "rail", width, Panel::rail);
  ImGui::PopStyleVar();
  draw_view_rail(ui);
  ImGui::EndChild();
  ImGui::SameLine(0, splitter_width(ui.style.font_size));
}

/// In font sizes. With an image under the weights the inspector is wider, if the window is wide and the user
/// has not chosen a width.
double inspector_width(const Workspace& work, double window) {
  constexpr double wide = 90, share = 0.27, maximum = 28;
  const double chosen = work.settings.inspector_width;
  const bool own = chosen != Settings{}.inspector_width;
  if (own || !work.block()->key_patches || window < wide) return chosen;
  return std::clamp(share * window, chosen, maximum);
}

/// In ImGui's pixels.
PanelWidths panel_widths(App& app, float em, float rail) {
  ViewState& state = app.state;
  const auto window = static_cast<double>((ImGui::GetMainViewport()->WorkSize.x - rail) / em);
  const PanelWishes wishes{window,
                           is_switched_on(app, Panel::controls) ? app.settings.controls_width : 0,
                           is_switched_on(app, Panel::inspector) ? inspector_width(app, window) : 0,
                           state.panel_kept,
                           state.view.row().wide ? table_width : PanelWishes{}.view,
                           app.lesson.playing() ? app.settings.lesson_width : 0};
  const PanelWidths fit = fit_panels(wishes);
  state.controls_give_way = wishes.controls > 0 && fit.controls <= 0;
  state.inspector_gives_way = wishes.inspector > 0 && fit.inspector <= 0;
  if (state.panel_over != Panel::none && !overlays_view(app, state.panel_over))
    state.panel_over = Panel::none;  // it fits
  return {fit.controls * em, fit.inspector * em, fit.lesson * em};
}

void draw_panels(App& app, Ui& ui) {
  const ImGuiViewport* viewport = ImGui::GetMainViewport();
  const float em = ui.style.font_size;
  ImGui::SetNextWindowPos(viewport->WorkPos);
  ImGui::SetNextWindowSize(viewport->WorkSize);
  ImGui::Begin("headscope", nullptr, fixed);
  draw_opening(app);
  const float height = std::max(1.0F, ImGui::GetContentRegionAvail().y - status_height());
  ImGui::BeginChild("panels", {0, height});
  const float rail = view_rail_width(ui.style, {viewport->WorkSize.x, height}, app.lesson.playing());
  ui.memory.rail = rail;
  const PanelWidths widths = panel_widths(app, em, rail);
  draw_rail(ui, rail);
  if (widths.controls > 0) {
    begin_card(ui, "controls", pixels(widths.controls), Panel::controls);
    Ui edited = side_of(app, ui, app.edited_side());
    draw_controls(app, edited);
    ImGui::EndChild();
    splitter(ui, "controls width", widths.controls / em, app.settings.controls_width,
             Settings{}.controls_width, 1);
  } else {
    draw_way_back(app, ui, Panel::controls, "way to controls", Icon::right, ui.tr("Show controls (F7)"),
                  {way_back_width(em), -FLT_MIN});
    ImGui::SameLine(0, 0);
  }
  const auto lesson = pixels(widths.lesson);
  const float right = ImGui::GetContentRegionAvail().x - (lesson > 0 ? lesson + splitter_width(em) : 0);
  const ImVec2 view = ImGui::GetCursorScreenPos();
  ui.memory.locked.reset();
  draw_middle_and_inspector(app, ui, pixels(widths.inspector), right);
  const ImVec2 view_end{view.x + right, view.y + ImGui::GetWindowHeight()};
  if (lesson > 0) {
    splitter(ui, "lesson width", widths.lesson / em, app.settings.lesson_width, Settings{}.lesson_width, -1);
    draw_panel_card(app, ui, Panel::lesson);
  }
  ImGui::EndChild();
  draw_status_bar(app, ui);
  ImGui::End();
  draw_panel_over_view(app, ui, view, view_end);
}

/// A tooltip would cover what a key has just written or changed: it waits until the mouse moves again.
void note_keys(PanelMemory& memory, const FrameInput& input) {
  if (!input.keyboard.typed.empty() || input.keyboard.pressed.any())
    memory.keyed = true;
  else if (input.pointer_moved || input.button_pressed)
    memory.keyed = false;
}

/// ImGui shows its focus when Esc goes down, also one that a click has left behind and that nobody sees: then
/// what counts is how the last frame ended.
bool is_by_keys(const PanelMemory& memory) {
  return key_pressed(Key::escape) ? memory.by_keys : navigates_by_keys();
}

/// Tab leads from item to item in the order in which they are drawn, from the last of a panel to the next
/// panel. The order is what would be heard: if nobody listens, this does for a moment.
class TabKey {
 public:
  TabKey(PanelMemory& memory, bool presents) : memory_(memory), alone_(memory.heard == nullptr) {
    const ImGuiIO& io = ImGui::GetIO();
    // Menus, dialogs and the sentence have their own, and so have the panels that come while presenting.
    if (key_pressed(Key::tab, true) && !io.KeyCtrl && !io.KeyAlt && !memory.popup_open && !memory.editing() &&
        !presents)
      by_ = io.KeyShift ? -1 : 1;
    if (by_ != 0) ImGui::NavMoveRequestCancel();  // ImGui's own stays in its window
    if (by_ != 0 && !alone_) memory.heard->step(by_);
    alone_ = alone_ && (by_ != 0 || memory.ears.waits());
    if (!alone_) return;
    memory.heard = &memory.ears;
    memory.ears.begin();
  }
  ~TabKey() {
    if (!alone_) return;
    memory_.ears.end();
    if (by_ != 0) memory_.ears.step(by_);
    memory_.heard = nullptr;
  }
  TabKey(const TabKey&) = delete;
  TabKey& operator=(const TabKey&) = delete;

 private:
  PanelMemory& memory_;
  bool alone_;
  int by_ = 0;
};

FrameInput frame_input(const PanelMemory& memory) {
  const ImGuiIO& io = ImGui::GetIO();
  FrameInput input;
  input.now = ImGui::GetTime();
  for (std::size_t key = 0; key < input.keyboard.pressed.size(); ++key)
    input.keyboard.pressed[key] = key_pressed(static_cast<Key>(key));
  input.keyboard.ctrl = io.KeyCtrl;
  input.keyboard.shift = io.KeyShift;
  input.keyboard.alt = io.KeyAlt;
  input.keyboard.typed = memory.typed;
  input.pointer_moved = io.MouseDelta.x != 0 || io.MouseDelta.y != 0;
  input.button_pressed = io.MouseClicked[0] || io.MouseClicked[1] || io.MouseClicked[2];
  input.button_held = io.MouseDown[0] || io.MouseDown[1] || io.MouseReleased[0] || io.MouseReleased[1];
  input.paint_key = paint_key(memory.style);
  input.paint_held = key_down(input.paint_key);
  input.field_focus = io.WantTextInput;
  input.text_focus = io.WantTextInput || memory.editing();
  input.popup_open = memory.popup_open;
  input.item_active = memory.item_active;
  input.by_keys = is_by_keys(memory);
  return input;
}

}  // namespace

void draw_app(App& app, PanelMemory& memory, HeatmapPainter& painter) {
  set_style(memory.style, app.settings, app.presentation);
  memory.style.finger = app.presentation.on ? 0 : finger_in_window(memory.style);
  if (std::exchange(memory.session, app.sessions) != app.sessions) memory.maps = MapMemory();
  const Panel wanted = app.state.panel_wanted;
  if (wanted != Panel::none) memory.leave_boxes();
  // A popup that Esc has just closed has consumed that key.
  memory.popup_open = memory.popup_open || is_popup_open();
  const bool black = app.presentation.black;
  Frame frame = begin_frame(app, frame_input(memory));
  if (black) {
    // Nothing else: neither panels nor actions get the key that ends it.
    draw_black_screen();
    return;
  }
  show_panel_focus(app.state);
  const WorkProgress* const reading = app.long_blocks.progress();
  Ui ui{std::move(frame),
        app.tr,
        memory.style,
        painter,
        app.inputs,
        app.compare,
        app.state,
        app.labels,
        app.view_cache,
        memory,
        &app.motion,
        app.opening.config(app.inputs),
        reading != nullptr ? std::optional(reading->now()) : std::nullopt,
        app.long_blocks.idle() == Idle::stopped};
  std::vector<std::string> outlined =
      app.lesson.playing() ? app.lesson.at().highlight : std::vector<std::string>();
  memory.outlined_anew = outlined != memory.outlined;
  memory.outlined = std::move(outlined);
  app.lesson.text_above = app.lesson.text_below = false;
  const ImVec2 window = ImGui::GetMainViewport()->Size;
  const bool resized = window.x != memory.window.x || window.y != memory.window.y;
  constexpr int frames_until_laid_out = 3;
  memory.window = window;
  memory.resized = resized ? frames_until_laid_out : std::max(memory.resized - 1, 0);
  use_widget_memory(memory);
  const TabKey tab(memory, app.presentation.on);
  note_keys(memory, app.input);
  follow_finger(app, memory);
  const ForFingers metrics(ui.style);
  if (app.presentation.on) {
    draw_presentation(app, ui);
  } else if (ui.style.finger > 0) {
    draw_phone(app, ui);
  } else {
    draw_menu_bar(app, ui.style);
    draw_panels(app, ui);
  }
  if (memory.describes) memory.caption = focused_caption(ui);
  // A panel that is not on the screen must not take the focus when it appears later.
  if (app.state.panel_wanted == wanted) app.state.panel_wanted = Panel::none;
  draw_dialogs(app, ui);
  app.input.by_keys = is_by_keys(memory);
  run_shortcuts(app);
  memory.by_keys = navigates_by_keys();
  memory.popup_open = is_popup_open();
  memory.item_active = ImGui::IsAnyItemActive();
  // Keys that turn pages of a lesson or of the steps must not move the focus as well.
  let_pages_navigate(!app.lesson.playing() && !app.presentation.on && !app.state.view.row().has_steps);
  // Keys that turn steps while presenting must not move it either.
  int& navigation = ImGui::GetIO().ConfigFlags;
  const bool has_items = !app.presentation.on || memory.popup_open || keys_are_of_panel(app);
  navigation = has_items ? navigation | ImGuiConfigFlags_NavEnableKeyboard
                         : navigation & ~ImGuiConfigFlags_NavEnableKeyboard;
}

}  // namespace headscope
