#include "app/panels/shell/panel_focus.h"

// Public functions of ImGui 1.86 give a window the focus, not its navigation a place to begin.
#include <imgui_internal.h>

#include <utility>

namespace headscope {
void show_highlight() {
  ImGuiContext& context = *ImGui::GetCurrentContext();
  context.NavDisableHighlight = false;
  context.NavDisableMouseHover = true;
}

void begin_panel_focus(ViewState& state, Panel panel) {
  if (state.panel_wanted != panel) return;
  state.panel_wanted = Panel::none;
  state.panel_shown = std::exchange(state.panel_quiet, false);
  state.panel = panel;
  ImGui::ClearActiveID();  // a field that is being typed into would keep the keys
  ImGui::SetNextWindowFocus();
}

void note_panel(ViewState& state, Panel panel) {
  if (ImGui::IsWindowFocused(ImGuiFocusedFlags_ChildWindows)) state.panel = panel;
}

void show_panel_focus(ViewState& state) {
  if (state.panel_shown) return;
  state.panel_shown = true;
  ImGuiContext& context = *ImGui::GetCurrentContext();
  if (context.NavWindow == nullptr) return;
  ImGui::NavInitWindow(context.NavWindow, false);
  show_highlight();
}

bool navigates_by_keys() {
  const ImGuiContext& context = *ImGui::GetCurrentContext();
  return !context.NavDisableHighlight;
}

void mark_navigated_item() {
  const ImGuiID id = ImGui::GetItemID();
  ImGui::RenderNavHighlight({ImGui::GetItemRectMin(), ImGui::GetItemRectMax()}, id);
}

}  // namespace headscope
