#pragma once
#include "app/panels/ui/heatmap_painter.h"
#include "app/panels/ui/panel_memory.h"
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

  /// The locked cell, and the one to describe, as cells of the block in view.
  std::optional<Cell> lock() const { return state.lock_in(*block); }
  std::optional<Cell> focus() const { return state.focus(*block); }

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

/// "Computing…", or why nothing is being computed.
const char* computing_text(const Ui& ui);
/// The remaining time for the maps of a long text that are being computed (`ui.progress`).
std::string time_left(const Ui& ui);
/// Whether the inputs name a model that has not been run yet; what is shown, if anything, belongs to other
/// inputs.
bool waits_for_model(const Ui& ui);
/// The message to show instead.
std::string waiting_text(const Ui& ui);

/// A long text is shown in pooled cells or in parts, for which there is no filter.
bool shows_long_text(const Ui& ui);

}  // namespace headscope
