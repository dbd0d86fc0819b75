#pragma once
#include <imgui.h>

#include <array>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace headscope {

/// Where named items are on the screen, for tests that drive the window as a user does: left, top, right,
/// bottom in ImGui's coordinates. Panels record what a test must find; in everyday use nothing is recorded
/// and the cost is zero.
class UiAnchors {
 public:
  /// A text of a map or a board: its box, whose corners go around it, and the part of the screen it is in.
  struct DrawnText {
    std::string text;
    std::array<ImVec2, 4> corners;
    ImVec2 clip_min, clip_max;
  };
  void clear() {
    rects_.clear();
    cut_.clear();
    texts_.clear();
  }
  void add(const std::string& name, ImVec2 min, ImVec2 max) { rects_[name] = {min.x, min.y, max.x, max.y}; }
  /// An item too wide for its place.
  void add_cut(const std::string& name) { cut_.insert(name); }
  void add_text(DrawnText text) { texts_.push_back(std::move(text)); }
  const std::vector<DrawnText>& texts() const { return texts_; }
  const std::map<std::string, std::array<float, 4>>& rects() const { return rects_; }
  const std::set<std::string>& cut() const { return cut_; }

 private:
  std::map<std::string, std::array<float, 4>> rects_;
  std::set<std::string> cut_;
  std::vector<DrawnText> texts_;
};

}  // namespace headscope
