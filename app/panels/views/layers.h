#pragma once
#include "app/panels/shell/ui.h"

namespace headscope {

/// Every head of every layer at once: thumbnails, layers down and heads across. A click opens the head.
void draw_layers(Ui& ui);

}  // namespace headscope
