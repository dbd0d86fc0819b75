#pragma once
#include <imgui.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/panels/map/held_ranges.h"
#include "core/analysis/filtered_layer.h"
#include "core/figure/boards/layout.h"
#include "core/scene/layer_look.h"
#include "core/scene/scene.h"

namespace headscope {

/// What the map panels keep between frames: above all what would be costly to find out anew for every
/// frame. It is found anew when the shown layer, the range or the room changes.
class MapMemory {
 public:
  /// Asked once a frame and panel before the others; drops what belongs to another shown layer.
  /// Of a part of a long map the labels have the room that those of its `overview` need, so that the map
  /// stays where it is while it is panned.
  void update(const std::shared_ptr<const FilteredLayer>& shown,
              const std::shared_ptr<const FilteredLayer>& overview = {});
  LayerLook& look() { return look_; }
  /// The colour ranges of the shown layer, which hold while a slider is held.
  const std::vector<ColorRange>& ranges(const View& view);
  /// `request` less its tokens and texts of the bars, which are those of the shown layer.
  const GridLayout& layout(int place, const LayoutRequest& request, const ImFont* font, int glyphs);
  /// What layout() gave last for a place; it must have been asked before.
  const GridLayout& last_layout(int place) const { return layouts_[static_cast<std::size_t>(place)]->layout; }

  /// What the pointer was on last.
  struct Pointed {
    std::weak_ptr<const FilteredLayer> shown;
    int row = -1, column = -1;
    Cell cell;
  };
  Pointed pointed;
  std::optional<Cell> lock_before;  ///< the click before
  bool double_click = false;        ///< until its button is let go
  int label_head = -1;              ///< on whose labels a drag across tokens began
  bool on_overview =
      false;  ///< the pointer is on the overview of the head view, or was when its button went down
  /// Before a drag of the head's map began, and how many queries its cells were of.
  struct BeforePan {
    ColorRange range;
    Index group = 0;
  };
  BeforePan before_pan;
  std::weak_ptr<const BlockTrace> stale_block;  ///< which block has been stale since `stale_since`
  double stale_since = 0;                       ///< ImGui's time
  HeldRanges held_thumbnails, held_weights, held_differences;
  int sliding_frame = -1;   ///< ImGui's number of the frame in which a slider was held last
  int last_frame = -1;      ///< ImGui's number of the frame in which maps were drawn last
  ImGuiID last_window = 0;  ///< and of the window

 private:
  struct PlacedLayout {
    LayoutRequest request;
    const ImFont* font = nullptr;
    int glyphs = 0;
    GridLayout layout;
  };
  std::weak_ptr<const FilteredLayer> watched_;
  const FilteredLayer* shown_ = nullptr;  // valid in a frame after update()
  LayerLook look_;
  std::vector<std::string> label_rows_, label_columns_;  // that layouts have room for
  HeldRanges held_;
  std::vector<std::optional<PlacedLayout>> layouts_;
};

}  // namespace headscope
