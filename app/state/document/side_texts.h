#pragma once

namespace headscope {

struct OpenSession;
struct Workspace;

/// At the end of a frame, for the next.
void note_sides(OpenSession& open);
/// To be called before note_sides(): copies a changed text of one side to the other. In the comparison's own
/// view B's sentence is edited separately.
void follow_sides(OpenSession& open);

/// For both sides, after note_changes().
void note_texts(OpenSession& open);
/// Whether the last edit of the edited side's sentence had no effect, or, in the comparison, B's different
/// words have none.
bool text_has_no_effect(const Workspace& work);

}  // namespace headscope
