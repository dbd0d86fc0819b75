#pragma once
#include "app/panels/ui.h"

namespace headscope {

struct App;

/// File, Edit, View, Help, and at the right the switches for language and theme.
void draw_menu_bar(App& app);
/// The newest notice, activity, what was run and how long it took.
void draw_status_bar(App& app, const Ui& ui);
/// The views in tabs, and the chosen one.
void draw_stage(App& app, Ui& ui);

}  // namespace headscope
