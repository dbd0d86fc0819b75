#include "app/panels/widgets/recovery.h"

#include <imgui_internal.h>

#include "app/before_imgui_1_92/imgui_1_92.h"

namespace headscope {

/// ImGui's own recovery asserts on fonts instead of taking them back.
Recovery::Recovery(ImGuiContext& context) : context_(context) {
  context_.FontStack.clear();
}

Recovery::~Recovery() = default;

void Recovery::take_back_window() {
  ImGui::ErrorCheckEndWindowRecover(nullptr);
}

void Recovery::take_back_rest() {
  ImGui::ErrorCheckEndFrameRecover(nullptr);
}

}  // namespace headscope

#if IMGUI_VERSION_NUM < 18700

ImGuiID ImGui::TableGetInstanceID(ImGuiTable* table, int instance) {
  return table->ID + static_cast<ImGuiID>(instance);
}

#endif
