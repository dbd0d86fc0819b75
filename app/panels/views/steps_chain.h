#pragma once
#include <optional>
#include <string>
#include <vector>

#include "app/panels/shell/ui.h"

namespace headscope {

/// The stages of the cell as a chain of small matrices, on one line across the view; `chosen` becomes the one
/// that is clicked. Returns false and draws nothing if it does not fit.
bool draw_steps_chain(Ui& ui, const std::vector<std::string>& steps, int& chosen);

}  // namespace headscope
