#pragma once
#include "app/panels/shell/ui.h"

namespace headscope {

struct Workspace;

/// Next to the menus: the source of the maps. The switches at the end take `right`.
void draw_source_name(Workspace& work, float right);
/// Above the panels while a model is being opened: its name, the progress, and a button to cancel.
void draw_opening(Workspace& work);

/// Whether the inputs name a model that has not been run yet; what is shown, if anything, belongs to other
/// inputs.
bool waits_for_model(const Ui& ui);
/// The message to show instead.
std::string waiting_text(const Ui& ui);
/// Centred where the maps will be: which model is loading, and its progress.
void draw_waiting(Workspace& work, const Ui& ui);

}  // namespace headscope
