#pragma once
#include "app/panels/ui/ui.h"

namespace headscope {

/// A section: heads whose maps have a known pattern, in all layers of the block in view; without any, the
/// statistics in which the heads of the layer in view differ most. A click opens a head.
void draw_notable_heads(Ui& ui);

}  // namespace headscope
