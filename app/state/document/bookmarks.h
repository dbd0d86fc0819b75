#pragma once
#include <string>

namespace headscope {

struct OpenSession;
struct Workspace;

/// Saves the present inputs and view as a bookmark of the session.
void add_bookmark(Workspace& work);
void go_to_bookmark(OpenSession& open, int index);
/// Replaces a bookmark's inputs and view with the present ones, keeping its name.
void replace_bookmark(OpenSession& open, int index);
/// Moves a bookmark to another position in the list.
void move_bookmark(OpenSession& open, int from, int to);
void remove_bookmark(Workspace& work, int index);

}  // namespace headscope
