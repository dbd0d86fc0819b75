#pragma once
#include <optional>

#include "core/inputs/inputs.h"

namespace headscope {

struct OpenSession;

/// Both sides after the last frame, if B equals A except for its heads, or A itself: what is then typed into
/// A's sentence is applied to B's too, so that the heads stay the only difference.
struct SidesBefore {
  std::optional<Inputs> a, b;  ///< not engaged: B changes independently
  int lesson_step = -1;
};

/// At the end of a frame, for the next.
void note_sides(OpenSession& open);
/// To be called before note_sides(): copies a changed text of one side to the other. In the comparison's own
/// view B's sentence is edited separately.
void follow_sides(OpenSession& open);

}  // namespace headscope
