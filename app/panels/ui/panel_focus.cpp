#include "app/panels/ui/panel_focus.h"

// ImGui 1.86's public functions give a window the focus, but its navigation no starting point.
#include <imgui_internal.h>

#include <utility>

#include "app/panels/widgets/imgui_calls.h"

namespace headscope {
void begin_panel_focus(PanelFocus& focus, Panel panel) {
  if (focus.panel_wanted != panel) return;
  focus.panel_wanted = Panel::none;
  focus.panel_shown = std::exchange(focus.panel_muted, false);
  focus.panel = panel;
  ImGui::ClearActiveID();  // an active text field would keep the keyboard
  ImGui::SetNextWindowFocus();
}

void note_panel(PanelFocus& focus, Panel panel) {
  if (ImGui::IsWindowFocused(ImGuiFocusedFlags_ChildWindows)) focus.panel = panel;
}

void show_panel_focus(PanelFocus& focus) {
  if (focus.panel_shown) return;
  focus.panel_shown = true;
  ImGuiContext& context = *ImGui::GetCurrentContext();
  if (context.NavWindow == nullptr) return;
  ImGui::NavInitWindow(context.NavWindow, false);
  show_highlight();
}

bool is_popup_open() {
  return ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel);
}

}  // namespace headscope
