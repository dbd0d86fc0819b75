#pragma once
#include "app/panels/shell/ui.h"

namespace headscope {

/// One head large (View::head; the locked cell's or the first where that is none): pan by drag, zoom by
/// wheel, an overview where only a part is shown, the row and the column of the marked cell as bars along the
/// edges.
void draw_head(Ui& ui);

}  // namespace headscope
