#pragma once
#include <optional>

#include "core/inputs/inputs.h"

namespace headscope {

struct App;

/// Both sides as the last frame left them, where B is A but for its heads, or A itself: what is then written
/// into A's sentence is B's, too, so that the heads stay the difference.
struct SidesBefore {
  std::optional<Inputs> a, b;  ///< not engaged: B goes its own way
  int lesson_step = -1;
};

/// At the end of a frame, for the next.
void note_sides(App& app);
/// Before that: the text of one side that was changed becomes the other's. In the comparison's own view B's
/// sentence is edited for itself.
void follow_sides(App& app);

}  // namespace headscope
