#pragma once
#include "app/panels/ui_anchors.h"
#include "tests/ui/ui_fixture.h"

namespace headscope::tests {

/// A UiFixture whose places are found by their marks.
class PanelFixture : public UiFixture {
 protected:
  /// Draws this panel from now on.
  void show(std::function<void(Ui&)> draw) {
    panel = [this, draw = std::move(draw)](Ui& ui) {
      ui_anchors.clear();
      ui.ui_anchors = &ui_anchors;
      ImGui::GetIO().UserData = &ui_anchors;
      draw(ui);
    };
    frames(3);
  }
  bool has(const std::string& mark) const { return ui_anchors.rects().contains(mark); }
  ImVec2 middle(const std::string& mark) const {
    const auto found = ui_anchors.rects().find(mark);
    if (found == ui_anchors.rects().end()) {
      ADD_FAILURE() << "not on the screen: " << mark;
      return {-1, -1};
    }
    const auto& [left, top, right, bottom] = found->second;
    return {(left + right) / 2, (top + bottom) / 2};
  }
  void click_mark(const std::string& mark) { click(middle(mark)); }
  void click_marks(std::initializer_list<const char*> marks) {
    for (const char* mark : marks) click_mark(mark);
  }

  UiAnchors ui_anchors;
};

}  // namespace headscope::tests
