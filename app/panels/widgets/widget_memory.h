#pragma once
#include <array>
#include <string>
#include <vector>

#include "app/panels/widgets/glyphs.h"
#include "app/panels/widgets/style.h"
#include "app/panels/widgets/ui_anchors.h"

namespace headscope {

class Heard;

/// On a phone: a finger, from where it comes down until what it has scrolled rests.
struct Finger {
  /// The way that it goes first decides what it does: scroll, or turn a page and move a slider.
  enum class Way { none, along, across };
  unsigned window = 0;  ///< that it scrolls, by ImGui's id; 0: none
  ImVec2 from = {};     ///< where it came down
  Way way = Way::none;
  bool taken = false;  ///< by a slider, if it goes across
  float speed = 0;     ///< after it was lifted, in pixels a second
};

/// What widgets keep between frames, and what they draw by. As they are called from everywhere, that of the
/// window is found by ImGui's context.
struct WidgetMemory {
  Style style;
  StandIns stand_ins;
  UiAnchors* ui_anchors = nullptr;    ///< where tests find things; nullptr: not recorded
  Heard* heard = nullptr;             ///< who hears what is drawn; nullptr: nobody
  bool keyed = false;                 ///< a key was pressed and the mouse has not moved since
  std::vector<std::string> outlined;  ///< what the lesson step points to: fields and places
  bool outlined_anew = false;         ///< newly in this frame
  std::array<float, 4> edge{};        ///< while presenting: rectangle of the panels over the stage
  Finger finger;
  ImVec2 window = {};  ///< its size
  int resized = 0;     ///< for so many frames more, it has just changed
  bool asked = false;  ///< on a phone: a finger was held still, and what is there explains itself
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
