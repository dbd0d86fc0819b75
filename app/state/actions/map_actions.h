#pragma once
#include <optional>
#include <vector>

#include "app/state/actions/actions.h"
#include "app/state/view_state.h"

namespace headscope {

/// A map on the screen, and the cell under the pointer.
struct MapPlace {
  int layer = 0, head = 0;
  Side side = Side::a;                ///< of the comparison
  std::optional<Cell> cell;           ///< on that side
  std::optional<ComparedCell> place;  ///< in the comparison, where A has no cell
  std::optional<Cell> lock = cell;    ///< the corresponding cell of A, which can be locked
  bool of_layer = false;              ///< the map is the mean over the layer's heads
  bool to_grid = false;               ///< offer to open the grid of its layer from another view
};

/// The entries of its context menu.
std::vector<Action> map_actions(const App& app, const MapPlace& map);

}  // namespace headscope
