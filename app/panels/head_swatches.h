#pragma once
#include <set>

#include "app/panels/ui.h"

namespace headscope {

/// A click on a head: on or off. The last one that is shown can't go off.
void toggle_head(std::set<int>& hidden, int heads, int head);
/// A double click: this head alone; if it is alone already, all.
void show_head_alone(std::set<int>& hidden, int heads, int head);

/// A small square in each head's colour with its number: a legend, and the place where heads go on and off.
void draw_head_swatches(Ui& ui);

}  // namespace headscope
