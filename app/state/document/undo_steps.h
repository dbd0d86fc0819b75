#pragma once
#include <cstddef>

namespace headscope {

struct FrameInput;
struct OpenSession;
struct Workspace;

/// Records what this frame changed: a drag is one step, and so is a run of typing.
void note_changes(Workspace& work, const FrameInput& input);
void undo(Workspace& work);
void redo(Workspace& work);
void jump_to_step(OpenSession& open, std::size_t step);

}  // namespace headscope
