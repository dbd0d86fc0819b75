#pragma once
#include "app/panels/shell/ui.h"

namespace headscope {

/// A section of the inspector: one step of an encoder–decoder, what it sees, predicts and takes. Draws
/// nothing for other traces.
void draw_decoder_step(Ui& ui);

}  // namespace headscope
