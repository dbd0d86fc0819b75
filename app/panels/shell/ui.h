#pragma once
#include "app/panels/map/heatmap_painter.h"
#include "app/panels/shell/panel_memory.h"
#include "app/state/derived/map_motion.h"
#include "app/state/derived/view_cache.h"
#include "app/state/frame/frame.h"
#include "core/model/config/config.h"
#include "core/session/session.h"

namespace headscope {

/// The argument of every panel: draw_x(Ui&). Panels never compute; changes to `inputs` are run by the window.
struct Ui : Frame {
  const Translator& tr;
  const Style& style;
  HeatmapPainter& painter;
  Inputs& inputs;
  std::optional<Inputs>& compare;  ///< B's
  ViewState& state;
  std::vector<HeadLabel>& labels;  ///< of the session
  ViewCache& view_cache;
  PanelMemory& memory;
  const MapMotion* motion = nullptr;               ///< nullptr: maps are not animated
  std::shared_ptr<const ModelConfig> model = {};   ///< of the inputs' model; nullptr: not read, or no model
  std::optional<WorkProgress::Now> progress = {};  ///< of maps of a long text being computed
  bool reading_stopped = false;                    ///< the user stopped the computation of those maps

  /// What is shown of B, in A's block before B's first run.
  Ui of_b() const {
    Ui b = *this;
    b.SideFrame::operator=(other);
    if (!b.block) b.block = block;
    return b;
  }
  /// The same with other inputs.
  Ui with(Inputs& other_inputs) const {
    return {*this,  tr,         style,  painter, other_inputs, compare,  state,
            labels, view_cache, memory, motion,  model,        progress, reading_stopped};
  }
};

/// The comparison of the blocks of both sides; nullptr: not known yet, or there is no B.
std::shared_ptr<const Comparison> present_comparison(const Ui& ui);

/// "Computing…", or why nothing is being computed.
const char* computing_text(const Ui& ui);

}  // namespace headscope
