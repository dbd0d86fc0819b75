#pragma once
#include <optional>
#include <string>
#include <vector>

#include "app/panels/shell/ui.h"

namespace headscope {

/// The page of one cell's computation: its stages as cards, next to a small map of its head in which another
/// cell can be chosen.
void draw_cell_steps(Ui& ui);

/// The stages of the cell as a chain of small matrices, on one line across the view; `chosen` becomes the one
/// that is clicked. Returns false and draws nothing if it does not fit.
bool draw_steps_chain(Ui& ui, const std::vector<std::string>& steps, int& chosen);

}  // namespace headscope
