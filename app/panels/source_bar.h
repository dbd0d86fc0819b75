#pragma once
#include "app/panels/ui.h"

namespace headscope {

struct App;

/// Beside the menus: what the maps are of. The switches at the end take `right`.
void draw_source_name(App& app, float right);
/// Above the panels while a model is being opened: which, how far, and a way out.
void draw_opening(App& app);
/// In the bar of the view: which of a model's blocks is shown.
void draw_block_choice(Ui& ui);

/// What is said of controls that belong to the seeded layer while a model is the source.
const char* not_of_models(const Translator& tr);
/// The values that a model has for such controls, where it has them.
Inputs values_of_model(const Inputs& inputs, const BlockShape& shape);

}  // namespace headscope
