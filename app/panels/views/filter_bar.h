#pragma once
#include "app/panels/ui/ui.h"

namespace headscope {

/// Which cells of the maps are shown, for all views: the top of each row's mass, a threshold, hidden tokens;
/// and the order of the heads. A button each, and a chip for each part of the filter, which a click removes.
void draw_filter_bar(Ui& ui);
/// The width that it needs without chips. `at_rest`: as it is while heads are neither filtered nor sorted.
float filter_bar_width(bool at_rest = false);

}  // namespace headscope
