#pragma once
#include "app/state/view/view_state.h"

namespace headscope {

struct App;

/// The sentence panels of A, or of B in the comparison.
struct SentencePanels {
  Panel sentence, tokens, key_sentence, key_tokens;
};
SentencePanels panels_of_side(bool b);
/// Whether it is a sentence panel, of either side.
bool is_of_sentences(Panel panel);

/// Moves the keyboard focus to the panel in the next frame; a sentence is then edited.
void go_to_panel(App& app, Panel panel);
/// To the next (1) or the previous (-1) of the visible panels, wrapping around.
void step_panel(App& app, int by);

}  // namespace headscope
