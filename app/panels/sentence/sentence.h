#pragma once
#include "app/panels/shell/ui.h"

namespace headscope {

struct App;
struct Workspace;

/// The sentence, the second one if there is one, and their tokens; in the comparison those of B next to those
/// of A.
void draw_sentence(App& app, Ui& ui);

/// When open: a text to search for among the tokens, the number of matches, and the next one.
void draw_search_bar(Workspace& work, Ui& ui);

}  // namespace headscope
