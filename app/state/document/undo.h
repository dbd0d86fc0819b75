#pragma once
#include <cstdint>

#include "core/session/history.h"

namespace headscope {

struct App;

/// The history of the document that is open, and what tells one gesture from the next.
struct Undo {
  History history{DocumentState{}};
  std::uint64_t gesture = 1;
  double last_change = 0;       ///< FrameInput::now
  std::size_t steps_shown = 0;  ///< how many steps the list showed last

  /// Another document: nothing of the one before can be undone.
  void start(const App& app);
};

/// Takes note of what this frame changed: a drag is one step, and so is a run of typing.
void note_changes(App& app);
void undo(App& app);
void redo(App& app);
void jump_to_step(App& app, std::size_t step);

}  // namespace headscope
