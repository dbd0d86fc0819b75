#pragma once
#include "app/panels/map/heatmap_painter.h"
#include "app/panels/shell/panel_memory.h"
#include "app/state/app.h"

namespace headscope {

/// Begins the App's frame and draws its panels, between ImGui's NewFrame and Render; end_frame comes after.
void draw_app(App& app, PanelMemory& memory, HeatmapPainter& painter);

/// Ends a frame of ImGui's that something was thrown in, wherever that left it; nothing where none has begun.
void recover_frame();

}  // namespace headscope
