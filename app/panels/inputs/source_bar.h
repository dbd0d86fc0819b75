#pragma once
#include "app/panels/ui/ui.h"

namespace headscope {

struct App;
struct Workspace;

/// Above the panels while a model is being opened: its name, the progress, and a button to cancel.
void draw_opening(Workspace& work);

/// Centred where the maps will be: which model is loading, and its progress.
void draw_waiting(Workspace& work, const Ui& ui);

/// Lets the user locate the missing model or capture of these inputs (inputs_to_locate()).
void locate_button(App& app, const Inputs& lost, const char* mark);

}  // namespace headscope
