#pragma once
#include <imgui.h>

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

}  // namespace headscope
