#pragma once
#include <imgui.h>

namespace headscope {

/// Ends what begin_dialog() has begun.
void end_dialog();

/// Arrow keys scroll a window without focusable items.
void scroll_by_keys();

/// What is read in a dialog, by mouse and keys; the last thing in it.
template <typename Draw>
void end_with_list(float height, const Draw& draw) {
  ImGui::BeginChild("list", {0, height}, false, ImGuiWindowFlags_NoNavInputs);
  scroll_by_keys();
  draw();
  ImGui::EndChild();
  end_dialog();
}

}  // namespace headscope
