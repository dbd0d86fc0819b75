#pragma once
#include <imgui.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/analysis/filtered_layer.h"
#include "core/base/memo.h"
#include "core/base/object_key.h"
#include "core/figure/boards/layout.h"
#include "core/scene/colormap.h"
#include "core/scene/layer_look.h"
#include "core/scene/scene.h"
#include "core/scene/view.h"

namespace headscope {

/// What the map panels keep between frames: mainly what is expensive to compute. Recomputed when the shown
/// layer, the range or the available size changes.
class MapMemory {
 public:
  /// Call once per frame and panel before the others; drops what belongs to another shown layer. For a part
  /// of a long map, labels get the space that those of its `overview` need, so that the map does not move
  /// while it is panned.
  void update(const std::shared_ptr<const FilteredLayer>& shown,
              const std::shared_ptr<const FilteredLayer>& overview = {});
  LayerLook& look() { return look_; }
  /// The colour ranges of the shown layer.
  const std::vector<ColorRange>& ranges(const View& view);
  /// Uses `request` except for its tokens and colour bar texts, which come from the shown layer.
  const GridLayout& layout(int place, const LayoutRequest& request, int fonts);
  /// The last result of layout() for a place; layout() must have been called for it before.
  const GridLayout& last_layout(int place) const { return layouts_[place].last(); }

  /// What the pointer was on last, and the cell there.
  struct Pointed {
    ObjectKey<FilteredLayer> shown;
    int head = -1, row = -1, column = -1;
    bool operator==(const Pointed&) const = default;
  };
  Pointed pointed;
  Cell pointed_cell;
  std::optional<Cell> lock_before;  ///< the click before
  bool double_click = false;        ///< until its button is released
  bool numbers_too_large = false;   ///< for the cells of the view in the previous frame
  bool wants_colors = false;        ///< a bar was clicked: what its colours show is to be chosen
  int label_head = -1;              ///< head on whose labels a drag across tokens began
  bool on_overview =
      false;  ///< the pointer is on the overview of the head view, or was when the button went down
  /// The colour range before a drag of the head's map, and how many queries each cell covered.
  struct BeforePan {
    ColorRange range;
    Index group = 0;
  };
  BeforePan before_pan;
  std::weak_ptr<const BlockTrace> stale_block;  ///< block that has been stale since `stale_since`
  double stale_since = 0;                       ///< ImGui's time
  int last_frame = -1;                          ///< ImGui's frame number when maps were last drawn
  ImGuiID last_window = 0;                      ///< and the window

 private:
  ObjectKey<FilteredLayer> shown_;
  LayerLook look_;
  std::vector<std::string> label_rows_, label_columns_;                // that layouts reserve space for
  std::vector<Memo<std::pair<LayoutRoom, int>, GridLayout>> layouts_;  // by place; of a room and fonts
};

}  // namespace headscope
