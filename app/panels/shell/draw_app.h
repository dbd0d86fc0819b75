#pragma once
#include "app/panels/map/heatmap_painter.h"
#include "app/panels/shell/panel_memory.h"
#include "app/state/app.h"

namespace headscope {

/// Begins the App's frame and draws its panels, between ImGui's NewFrame and Render; call end_frame
/// afterwards.
void draw_app(App& app, PanelMemory& memory, HeatmapPainter& painter);

/// Ends an ImGui frame that was interrupted by an exception, wherever that happened; does nothing if none has
/// begun.
void recover_frame();

}  // namespace headscope
