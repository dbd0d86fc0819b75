#pragma once
#include "app/panels/shell/ui.h"

namespace headscope {

/// One head large (View::head; the locked cell's or the first if that is none): pan by drag, zoom by wheel,
/// an overview if only a part is visible, the row and the column of the marked cell as bars along the edges.
void draw_head(Ui& ui);

}  // namespace headscope
