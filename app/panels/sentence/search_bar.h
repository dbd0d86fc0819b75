#pragma once
#include "app/panels/shell/ui.h"

namespace headscope {

struct App;

/// When open: a text to search for among the tokens, the number of matches, and the next one.
void draw_search_bar(App& app, Ui& ui);

}  // namespace headscope
