#pragma once
#include "app/panels/map/map_panel.h"
#include "app/panels/views/filter_bar.h"

namespace headscope {

/// The labels of a panel's axes as drag handles: dragging across them keeps only those tokens. Collects over
/// the panels of a frame, then requests the filter once.
class TokenLabels {
 public:
  explicit TokenLabels(Ui& ui) : ui_(ui) {}
  /// `hovered`: the pointer is in the view and no button went down elsewhere. Draws the marks of a drag.
  void panel(ImDrawList& list, const PanelLayout& panel, const ScreenMap& map, bool hovered);
  /// Call once after the panels.
  void finish();

 private:
  Ui& ui_;
  TokenPlace on_, beside_;
};

}  // namespace headscope
