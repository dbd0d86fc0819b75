#pragma once
#include <imgui.h>

#include <algorithm>
#include <array>
#include <map>
#include <string>

namespace headscope {

/// Where named things stand on the screen, for tests that drive the window as a person does: left, top,
/// right, bottom in ImGui's coordinates. Panels note what a test must find; nobody asks in everyday use, and
/// then it costs nothing.
class UiAnchors {
 public:
  void clear() { rects_.clear(); }
  void add(const std::string& name, ImVec2 min, ImVec2 max) { rects_[name] = {min.x, min.y, max.x, max.y}; }
  const std::map<std::string, std::array<float, 4>>& rects() const { return rects_; }

 private:
  std::map<std::string, std::array<float, 4>> rects_;
};

/// Notes what can be seen of the item just submitted: anchor_item(ui.ui_anchors, "heads").
inline void anchor_item(UiAnchors* ui_anchors, const char* name) {
  if (!ui_anchors) return;
  const ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 low = list.GetClipRectMin(), high = list.GetClipRectMax();
  const ImVec2 min = ImGui::GetItemRectMin(), max = ImGui::GetItemRectMax();
  const ImVec2 from{std::max(min.x, low.x), std::max(min.y, low.y)};
  const ImVec2 to{std::min(max.x, high.x), std::min(max.y, high.y)};
  if (from.x < to.x && from.y < to.y) ui_anchors->add(name, from, to);
}

}  // namespace headscope
