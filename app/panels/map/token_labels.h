#pragma once
#include "app/panels/map/map_panel.h"

namespace headscope {

/// A drag across tokens keeps only those. `on` is the token whose label the pointer is on, `beside` the one
/// at its height (or width) wherever it is, which a drag follows. Call every frame; true during a drag and
/// just after it, when a click is not meant for the token. In self-attention rows and columns are filtered
/// alike, with Shift only those dragged across.
bool drag_tokens(Ui& ui, TokenPlace on, TokenPlace beside);
/// Whether the current drag has passed over this row or column.
bool is_dragged(const Ui& ui, bool keys, int place);

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
