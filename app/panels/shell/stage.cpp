#include <algorithm>
#include <cmath>

#include "app/panels/inputs/source_bar.h"
#include "app/panels/sentence/sentence.h"
#include "app/panels/shell/frame_parts.h"
#include "app/panels/ui/panel_focus.h"
#include "app/panels/views/predictions.h"
#include "app/panels/views/views.h"
#include "app/panels/widgets/imgui_calls.h"
#include "app/panels/widgets/theme.h"
#include "app/panels/widgets/widgets.h"
#include "app/state/app.h"
#include "app/state/document/open_model.h"

namespace headscope {
namespace {

/// A new view gets the keyboard focus of the one it replaced, unless a sentence is being edited or a popup is
/// open, which closes when it loses the focus.
void keys_to_new_view(Ui& ui) {
  ImGuiStorage& memory = *ImGui::GetStateStorage();
  const ImGuiID id = ImGui::GetID("kind of view");
  const auto kind = static_cast<int>(ui.view().kind);
  if (memory.GetInt(id, -1) == kind) return;
  memory.SetInt(id, kind);
  if (ui.memory.editing() || ImGui::GetIO().WantTextInput || is_popup_open()) return;
  ui.state.panel_wanted = Panel::maps;
  ui.state.panel_muted = !navigates_by_keys();
}

/// The view, whose window is a separate panel for keyboard navigation.
void draw_maps(Ui& ui) {
  keys_to_new_view(ui);
  // In a small window with large text the stage scrolls, so that the view stays readable.
  const float minimum = ui.style.font_size * 8;
  const bool scrolls = ImGui::GetContentRegionAvail().y < minimum;
  if (scrolls) ImGui::BeginChild("room", {0, minimum});
  // If the maps are in a child window of the view, that takes the focus as when it appears.
  if (ui.state.panel_wanted == Panel::maps) ui.memory.maps.last_frame = -1;
  begin_panel_focus(ui.state, Panel::maps);
  ui.memory.model_caption.reset();
  const std::string nothing = nothing_of_model(ui);
  {
    const HeardGroup heard(HeardRole::group, ui.tr(ui.view().row().tab));
    nothing.empty() ? view_panel(ui.view()).draw(ui) : hint(ui.style, nothing);
  }
  if (scrolls) ImGui::EndChild();
  const bool inside = ImGui::IsWindowFocused(ImGuiFocusedFlags_ChildWindows) && !ImGui::IsWindowFocused();
  if (inside) ui.state.panel = Panel::maps;
}

bool is_empty(const Ui& ui) {
  return ui.block->n_q() == 0 || ui.block->n_k() == 0;
}

/// What to do, centred where the maps will be.
void draw_placeholder(const App& app, const Ui& ui) {
  const std::string& read = reads_picture(app) ? app.inputs.picture
                            : hears(app)       ? app.inputs.features
                                               : app.inputs.sentence;
  const bool coming = (is_busy(app) || ui.idle != Idle::none) && !read.empty();
  const char* text = coming               ? computing_text(ui)
                     : reads_picture(app) ? ui.tr("Open a picture to see every head's attention map here.")
                     : hears(app) ? ui.tr("Open a spectrogram to see every head's attention map here.")
                     : app.inputs.about().computes
                         ? ui.tr("Type a sentence above to see every head's attention map here.")
                         : ui.tr("Open the capture to see every head's attention map here.");
  const ImVec2 from = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
  ImGui::PushFont(nullptr, ui.style.large);
  const float width = std::min(room.x, ImGui::CalcTextSize(text).x);
  const float lines = std::ceil(ImGui::CalcTextSize(text).x / std::max(1.0F, room.x));
  const float height = lines * ImGui::GetTextLineHeight();
  ImGui::SetCursorScreenPos({from.x + (room.x - width) / 2, from.y + std::max(0.0F, room.y - height) * 0.4F});
  ImGui::PushStyleColor(ImGuiCol_Text, palette(ui.style.theme).muted);
  wrapped_text(text, width + 1);
  ImGui::PopStyleColor();
  ImGui::PopFont();
  anchor("placeholder");
}

}  // namespace

void draw_stage(App& app, Ui& ui) {
  if (ui.memory.rail <= 0 && ui.style.finger <= 0) {
    draw_view_list(ui);
    ImGui::SameLine();
  }
  // Above a phone's sheet the room is the view's.
  if (ui.style.finger <= 0 || !ui.memory.sheet.up) draw_path_bar(app, ui);
  draw_search_bar(app, ui);
  draw_view(app, ui);
}

void draw_view(App& app, Ui& ui) {
  const ImVec2 size = ImGui::GetContentRegionAvail();
  ui.state.shown_width = size.x;
  ui.state.shown_height = size.y;
  ui.state.shown_text = ui.view().row().maps() ? ui.style.small : ui.style.font_size;
  ui.state.shown_rows = ui.state.shown_columns = 0;
  if (is_empty(ui) && waits_for_model(ui))
    draw_waiting(app, ui);
  else if (is_empty(ui))
    draw_placeholder(app, ui);
  else
    draw_maps(ui);
  draw_map_menu(app, ui);
}

}  // namespace headscope
