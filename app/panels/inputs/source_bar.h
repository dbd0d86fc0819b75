#pragma once
#include "app/panels/shell/ui.h"

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
/// Whether the inputs name a model that there is no run of yet; what is shown is of other inputs, if
/// anything.
bool waits_for_model(const Ui& ui);
/// What to say in its place.
std::string waiting_text(const Ui& ui);
/// Of the block in view as far as it is known: nothing before config.json was read.
std::optional<BlockShape> known_shape(const Ui& ui);
/// In the middle of where the maps will be: which model comes, and how far it is.
void draw_waiting(App& app, const Ui& ui);
/// The values that a model has for such controls, where it has them.
Inputs values_of_model(const Inputs& inputs, const BlockShape& shape);

}  // namespace headscope
