#pragma once

namespace headscope {

struct App;

/// The steps of the document so far, oldest first: a click goes there.
void draw_history(App& app);

}  // namespace headscope
