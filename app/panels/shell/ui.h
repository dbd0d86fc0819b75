#pragma once
#include <memory>
#include <optional>
#include <string>

#include "app/panels/map/heatmap_painter.h"
#include "app/panels/shell/panel_memory.h"
#include "app/panels/widgets/ui_anchors.h"
#include "app/state/view/long_blocks.h"
#include "app/state/view/map_motion.h"
#include "app/state/view/view_cache.h"
#include "app/state/view/view_state.h"
#include "core/analysis/filtered_layer.h"
#include "core/base/translate.h"
#include "core/model/config.h"
#include "core/session/session.h"
#include "core/source/maps/pooled_maps.h"
#include "core/source/trace.h"

namespace headscope {

/// What every panel gets: draw_x(Ui&). Panels never compute; what they change in `inputs` is run by the
/// window.
struct Ui {
  const Translator& tr;
  const Style& style;
  HeatmapPainter& painter;
  std::shared_ptr<const BlockTrace> block;     ///< in view, of the last good run; never null
  std::shared_ptr<const FilteredLayer> shown;  ///< the layer of the view through its filter; never null
  bool stale = false;                          ///< it is not of the inputs and the view any more
  std::string error;                   ///< why the inputs cannot be run, translated; empty if they can
  std::shared_ptr<const Scene> scene;  ///< what of it the view shows; never null
  Inputs& inputs;
  ViewState& state;
  std::vector<HeadLabel>& labels;  ///< of the session
  OtherSide& other;                ///< B of the compare view
  ViewCache& view_cache;
  PanelMemory& memory;
  const MapMotion* motion = nullptr;              ///< nullptr: maps stand still
  UiAnchors* ui_anchors = nullptr;                ///< where tests look for things; nullptr: nobody asks
  std::shared_ptr<const Trace> trace = {};        ///< that the block is of; nullptr: not known
  std::shared_ptr<const ModelConfig> model = {};  ///< of the inputs' model; nullptr: not read, or not one
  std::shared_ptr<const FilteredLayer> overview = {};  ///< of the long map that `shown` is a part of
  std::optional<ReadingCost> reading_cost = {};        ///< of the maps of a long text that are shown
  int reading_heads = 1;                               ///< how many they are
  std::optional<WorkProgress::Now> progress = {};      ///< of maps of a long text that are being read
  Idle idle = Idle::none;                              ///< why what is stale is not being computed
};

/// "Computing…", or why that is not being done.
const char* computing_text(const Ui& ui);

}  // namespace headscope
