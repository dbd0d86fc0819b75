#pragma once
#include "app/state/view/view_state.h"

namespace headscope {

struct App;

/// Those of the sentences of A, or of B in the comparison.
struct SentencePanels {
  Panel sentence, tokens, key_sentence, key_tokens;
};
SentencePanels panels_of_side(bool b);
/// Whether it is one of them, of either side.
bool is_of_sentences(Panel panel);

/// The keyboard goes to the panel in the next frame; a sentence is then edited.
void go_to_panel(App& app, Panel panel);
/// To the next (1) or the one before (-1) of those that are shown, going round.
void step_panel(App& app, int by);

}  // namespace headscope
