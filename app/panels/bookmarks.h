#pragma once

namespace headscope {

struct App;

/// Keeps the present inputs and view as a bookmark of the session.
void add_bookmark(App& app);
void go_to_bookmark(App& app, int index);
/// The session's bookmarks as a list: a click goes there; a menu renames, moves, replaces, takes out.
void draw_bookmarks(App& app);

}  // namespace headscope
