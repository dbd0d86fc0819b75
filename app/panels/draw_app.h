#pragma once
#include "app/panels/heatmap_painter.h"
#include "app/panels/panel_memory.h"
#include "app/state/app.h"

namespace headscope {

/// Begins the App's frame and draws its panels, between ImGui's NewFrame and Render; end_frame comes after.
void draw_app(App& app, PanelMemory& memory, HeatmapPainter& painter);

}  // namespace headscope
