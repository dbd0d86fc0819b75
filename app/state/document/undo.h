#pragma once
#include <cstdint>

#include "core/session/history.h"

namespace headscope {

struct FrameInput;
struct OpenSession;
struct Workspace;

/// The history of the open document, and how its changes are grouped into gestures.
struct Undo {
  History history{DocumentState{}};
  std::uint64_t gesture = 1;
  double last_change = 0;       ///< FrameInput::now
  std::size_t steps_shown = 0;  ///< length of the list when last shown

  /// Starts anew for another document: earlier steps cannot be undone.
  void start(const DocumentState& document);
};

/// Records what this frame changed: a drag is one step, and so is a run of typing.
void note_changes(Workspace& work, const FrameInput& input);
void undo(Workspace& work);
void redo(Workspace& work);
void jump_to_step(OpenSession& open, std::size_t step);

}  // namespace headscope
