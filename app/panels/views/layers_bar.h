#pragma once
#include <vector>

#include "app/panels/shell/ui.h"
#include "core/scene/colormap.h"

namespace headscope {

/// Above the maps of all layers: how many layers there are, and what the colours of the maps mean. `ranges`
/// are those of all maps; empty while the maps are being computed.
void draw_layers_bar(Ui& ui, const std::vector<ColorRange>& ranges);

}  // namespace headscope
