#pragma once
#include "app/panels/shell/ui.h"

namespace headscope {

struct App;

/// In the place of a sentence's text: which of a capture's sequences is shown, and what must be known of its
/// numbers. `b`: of B.
void draw_sequence_choice(App& app, Ui& ui, bool b);
/// In the place of what changes a layer, a mask or the softmax: why they do not change a capture.
void draw_capture_hint(const Ui& ui);
/// The same of one control.
const char* not_of_captures(const Translator& tr);

}  // namespace headscope
