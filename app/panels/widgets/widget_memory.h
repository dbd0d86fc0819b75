#pragma once
#include <array>
#include <string>
#include <vector>

#include "app/panels/widgets/glyphs.h"
#include "app/panels/widgets/style.h"
#include "app/panels/widgets/ui_anchors.h"

namespace headscope {

/// What widgets keep between frames, and what they draw by. As they are called from everywhere, that of the
/// window is found by ImGui's context.
struct WidgetMemory {
  Style style;
  StandIns stand_ins;
  UiAnchors* ui_anchors = nullptr;    ///< where tests find things; nullptr: not recorded
  bool keyed = false;                 ///< a key was pressed and the mouse has not moved since
  std::vector<std::string> outlined;  ///< what the lesson step points to: fields and places
  bool outlined_anew = false;         ///< newly in this frame
  std::array<float, 4> edge{};        ///< while presenting: rectangle of the panels over the stage
};

/// From now on that of the current ImGui context, which it must outlive.
inline void use_widget_memory(WidgetMemory& memory) {
  ImGui::GetIO().UserData = &memory;
}
/// nullptr: nothing is drawn in a window.
inline WidgetMemory* widget_memory() {
  if (ImGui::GetCurrentContext() == nullptr) return nullptr;
  return static_cast<WidgetMemory*>(ImGui::GetIO().UserData);
}

}  // namespace headscope
