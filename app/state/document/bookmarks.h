#pragma once
#include <string>

namespace headscope {

struct App;

/// Keeps the present inputs and view as a bookmark of the session.
void add_bookmark(App& app);
void go_to_bookmark(App& app, int index);
/// Puts the present inputs and view in the place of a bookmark's, under its name.
void replace_bookmark(App& app, int index);
/// To another place in the list.
void move_bookmark(App& app, int from, int to);
void remove_bookmark(App& app, int index);

}  // namespace headscope
