#pragma once
#include <string>

namespace headscope {

struct App;

/// Saves the present inputs and view as a bookmark of the session.
void add_bookmark(App& app);
void go_to_bookmark(App& app, int index);
/// Replaces a bookmark's inputs and view with the present ones, keeping its name.
void replace_bookmark(App& app, int index);
/// Moves a bookmark to another position in the list.
void move_bookmark(App& app, int from, int to);
void remove_bookmark(App& app, int index);

}  // namespace headscope
