#pragma once
#include "app/panels/ui/heatmap_painter.h"
#include "app/panels/ui/panel_memory.h"
#include "app/state/app.h"

namespace headscope {

/// Begins the App's frame and draws its panels, between ImGui's NewFrame and Render; call end_frame
/// afterwards.
void draw_app(App& app, PanelMemory& memory, HeatmapPainter& painter);

}  // namespace headscope
