#pragma once
#include "app/panels/ui.h"

namespace headscope {

/// What a layer costs, and the softmax block by block: the pages of the steps of the arithmetic that are not
/// one cell's way. Takes the room that is left, and scrolls in it.
void draw_steps_page(Ui& ui);
/// The shapes of the layer's tensors with their checks, as wide as the window.
void draw_shape_strip(Ui& ui);
/// Its checks alone, as wide as that.
void draw_shape_checks(Ui& ui, float width);

}  // namespace headscope
