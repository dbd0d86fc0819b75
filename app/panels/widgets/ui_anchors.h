#pragma once
#include <imgui.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>

namespace headscope {

/// Where named items are on the screen, for tests that drive the window as a user does: left, top, right,
/// bottom in ImGui's coordinates. Panels record what a test must find; in everyday use nothing is recorded
/// and the cost is zero.
class UiAnchors {
 public:
  void clear() {
    rects_.clear();
    cut_.clear();
  }
  void add(const std::string& name, ImVec2 min, ImVec2 max) { rects_[name] = {min.x, min.y, max.x, max.y}; }
  /// An item too wide for its place.
  void add_cut(const std::string& name) { cut_.insert(name); }
  const std::map<std::string, std::array<float, 4>>& rects() const { return rects_; }
  const std::set<std::string>& cut() const { return cut_; }

 private:
  std::map<std::string, std::array<float, 4>> rects_;
  std::set<std::string> cut_;
};

/// Records the visible part of the item just submitted: anchor_item(ui.ui_anchors, "heads").
inline void anchor_item(UiAnchors* ui_anchors, const char* name) {
  if (!ui_anchors) return;
  const ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 low = list.GetClipRectMin(), high = list.GetClipRectMax();
  const ImVec2 min = ImGui::GetItemRectMin(), max = ImGui::GetItemRectMax();
  const ImVec2 from{std::max(min.x, low.x), std::max(min.y, low.y)};
  const ImVec2 to{std::min(max.x, high.x), std::min(max.y, high.y)};
  if (from.x >= to.x || from.y >= to.y) return;
  ui_anchors->add(name, from, to);
  if (from.x > min.x + 1 || to.x < max.x - 1) ui_anchors->add_cut(name);
}

}  // namespace headscope
