#pragma once
#include "app/panels/ui/ui.h"

namespace headscope {

struct App;
struct Workspace;

/// The sentence, the second one if there is one, and their tokens; in the comparison those of B next to those
/// of A.
void draw_sentence(App& app, Ui& ui);

/// When open: a text to search for among the tokens, the number of matches, and the next one.
void draw_search_bar(Workspace& work, Ui& ui);

/// The tokens on one line of that width and height; if they do not fit, those around the cell. If the two
/// sides of a comparison don't fit next to each other, each gets its own line. A click locks the token's
/// strongest cell. Returns the height.
float draw_token_line(Ui& ui, ImVec2 from, ImVec2 room);

/// The model continues the sentence: begins and stops, and how tokens are chosen.
void draw_generation(Workspace& work, Ui& ui);

}  // namespace headscope
