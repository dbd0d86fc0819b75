#pragma once
#include <optional>
#include <vector>

#include "app/state/actions/actions.h"
#include "app/state/view/view_state.h"

namespace headscope {

/// A map on the screen, and the cell of it that is meant.
struct MapPlace {
  int layer = 0, head = 0;
  bool of_b = false;                  ///< of the comparison
  std::optional<Cell> cell;           ///< of that side
  std::optional<ComparedCell> place;  ///< in the comparison, where A has no cell
  std::optional<Cell> lock = cell;    ///< the cell of A there, which can be locked
  bool of_layer = false;              ///< the mean over the heads of the layer
  bool to_grid = false;               ///< the grid of its layer is in another view
};

/// What can be done with it: its menu.
std::vector<Action> map_actions(const App& app, const MapPlace& map);

}  // namespace headscope
