#pragma once
#include "app/panels/shell/ui.h"

namespace headscope {

struct App;

/// Where it is open: a text to be found among the tokens, how often it stands there, the next one.
void draw_search_bar(App& app, Ui& ui);

}  // namespace headscope
