#include <imgui_internal.h>

#include "app/panels/widgets/imgui_calls.h"
#include "app/panels/widgets/recovery.h"

namespace headscope {
namespace {

/// Ends the tables of the current window, and all ids pushed within them.
void end_tables(ImGuiContext& context) {
  while (ImGuiTable* const table = context.CurrentTable) {
    if (table->OuterWindow != context.CurrentWindow && table->InnerWindow != context.CurrentWindow) return;
    const ImGuiID own = ImGui::TableGetInstanceID(table, table->InstanceCurrent);
    ImVector<ImGuiID>& names = table->InnerWindow->IDStack;
    while (names.Size > 1 && names.back() != own) names.pop_back();
    ImGui::EndTable();
  }
}

}  // namespace

void recover_frame() {
  ImGuiContext& context = *GImGui;
  if (!context.WithinFrameScope) return;
  Recovery recovery(context);
  while (context.CurrentWindowStack.Size > 1) {
    end_tables(context);
    recovery.take_back_window();
    if ((context.CurrentWindow->Flags & ImGuiWindowFlags_ChildWindow) != 0)
      ImGui::EndChild();
    else
      ImGui::End();
  }
  recovery.take_back_rest();
  ImGui::EndFrame();
}

}  // namespace headscope
