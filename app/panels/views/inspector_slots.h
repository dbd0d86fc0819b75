#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/panels/ui/ui.h"
#include "core/analysis/filtered_layer.h"

namespace headscope {

struct Comparison;

// The slots of the inspector: each has its place and its height, whichever cell is pointed at, and without
// one.

/// What one side has of the inspected cell; `cell` none: nothing there.
struct InspectedSide {
  Ui ui;
  std::optional<Cell> cell;
};

/// The cell pointed at or locked: of one side or, in the comparison, of A and of B.
struct Inspected {
  std::vector<InspectedSide> sides;
  std::shared_ptr<const Comparison> comparison;  ///< nullptr: of one side
  bool locked = false;
  bool nowhere = false;  ///< a place of the comparison that neither side has

  /// In the comparison.
  const InspectedSide& of(Side side) const { return sides[side == Side::a ? 0 : 1]; }
  /// The first side that has a cell; nullptr: there is no cell in focus.
  const InspectedSide* first() const;
};
Inspected inspected(const Ui& ui);

/// Its tokens, then from q · k to the weight, a line each: of both sides and their difference in columns.
void draw_cell_slot(Ui& ui, const Inspected& of);
/// The largest weights of its query, or all of them.
void draw_row_slot(Ui& ui, const Inspected& of);

std::string token_at(const std::vector<Token>& tokens, int i);
/// The cell as the map shows it; empty if its map is not in view.
std::optional<ShownWeight> shown_on_map(const Ui& ui, const Cell& cell, int key);
/// One line: a muted name and, if it is not empty, a number at the right edge.
void draw_named_number(const Ui& ui, const std::string& name, const std::string& value,
                       const std::string& help);
/// In a panel too narrow for the full name, its significant word.
const char* name_for(float room, const char* whole, const char* brief);
/// A section under the name that fits.
bool named_section(const char* whole, const char* brief, const char* id);

}  // namespace headscope
