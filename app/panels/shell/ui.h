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

/// The argument of every panel: draw_x(Ui&). Panels never compute; changes to `inputs` are run by the window.
struct Ui {
  const Translator& tr;
  const Style& style;
  HeatmapPainter& painter;
  std::shared_ptr<const BlockTrace> block;     ///< in view, of the last successful run; never null
  std::shared_ptr<const FilteredLayer> shown;  ///< the layer in view, filtered; never null
  bool stale = false;                          ///< no longer matches the inputs and the view
  std::string error;                   ///< why the inputs cannot be run, translated; empty if they can
  std::shared_ptr<const Scene> scene;  ///< the part that the view shows; never null
  Inputs& inputs;
  ViewState& state;
  std::vector<HeadLabel>& labels;  ///< of the session
  OtherSide& other;                ///< B of the compare view
  ViewCache& view_cache;
  PanelMemory& memory;
  const MapMotion* motion = nullptr;              ///< nullptr: maps are not animated
  UiAnchors* ui_anchors = nullptr;                ///< where tests find things; nullptr: not recorded
  std::shared_ptr<const Trace> trace = {};        ///< of the block; nullptr: not known
  std::shared_ptr<const ModelConfig> model = {};  ///< of the inputs' model; nullptr: not read, or no model
  std::shared_ptr<const FilteredLayer> overview = {};  ///< of the long map that `shown` is a part of
  std::optional<ReadingCost> reading_cost = {};        ///< of the shown maps of a long text
  int reading_heads = 1;                               ///< number of these maps
  std::optional<WorkProgress::Now> progress = {};      ///< of maps of a long text being computed
  Idle idle = Idle::none;                              ///< why stale contents are not being computed
};

/// "Computing…", or why nothing is being computed.
const char* computing_text(const Ui& ui);

}  // namespace headscope
