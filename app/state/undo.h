#pragma once
#include <cstdint>

#include "core/session/history.h"

namespace headscope {

/// The history of the open document, and how its changes are grouped into gestures.
struct Undo {
  History history{DocumentState{}};
  std::uint64_t gesture = 1;
  double last_change = 0;       ///< FrameInput::now
  std::size_t steps_shown = 0;  ///< length of the list when last shown

  /// Starts anew for another document: earlier steps cannot be undone.
  void start(const DocumentState& document) {
    history = History(document);
    ++gesture;
  }
};

}  // namespace headscope
