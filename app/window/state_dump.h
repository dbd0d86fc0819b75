#pragma once
#include <string>

#include "app/panels/widgets/ui_anchors.h"
#include "app/state/app.h"

namespace headscope {

/// For tests that drive the real window: if the variable HEADSCOPE_STATE_DUMP names a file, what the window
/// shows and where each item is placed is written there as JSON, completely, after each frame in which it
/// changed. Fields: session (as in its file), hover and lock ([head, query, key] from 0, or null), moving
/// (something is being computed or more frames follow), translation and translation_b (what an
/// encoder–decoder has generated, or null), error, marks (name: [left, top, right, bottom] in window
/// coordinates).
class StateDump {
 public:
  StateDump();
  explicit StateDump(std::string path) : path_(std::move(path)) {}
  bool wanted() const { return !path_.empty(); }
  /// For PanelMemory::ui_anchors; cleared here, at the start of a frame.
  UiAnchors* begin_frame();
  /// To be called after the inputs were run.
  void end_frame(const App& app, bool more_frames);

 private:
  std::string path_, written_;
  UiAnchors marks_;
};

}  // namespace headscope
