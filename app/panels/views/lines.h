#pragma once
#include "app/panels/shell/ui.h"

namespace headscope {

/// Two columns of tokens, queries left and keys right, joined by lines in the heads' colours.
void draw_lines(Ui& ui);

}  // namespace headscope
