#pragma once
#include "app/panels/ui.h"
#include "core/scene/thumbnails.h"

namespace headscope {

/// Above the maps of all layers: how many layers there are, and what the colours of the maps stand for.
/// `thumbnails` may be nullptr, while they are being made.
void draw_layers_bar(Ui& ui, const Thumbnails* thumbnails);

}  // namespace headscope
