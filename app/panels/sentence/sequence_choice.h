#pragma once
#include "app/panels/shell/ui.h"

namespace headscope {

struct Workspace;

/// Replaces a sentence's text: which of a capture's sequences is shown, and notes about its numbers. `b`: of
/// B.
void draw_sequence_choice(Workspace& work, Ui& ui, bool b);
/// Replaces the controls of a layer, a mask or the softmax: why they do not change a capture.
void draw_capture_hint(const Ui& ui);
/// The same for one control.
const char* not_of_captures(const Translator& tr);

}  // namespace headscope
