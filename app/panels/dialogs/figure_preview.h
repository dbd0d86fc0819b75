#pragma once
#include <imgui.h>

#include "app/panels/shell/ui.h"

namespace headscope {

struct App;

/// The figure to be exported, on its page, with its size below.
void draw_figure_preview(App& app, Ui& ui, ImVec2 size);

}  // namespace headscope
