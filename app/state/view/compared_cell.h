#pragma once
#include <optional>

#include "app/state/view/view_state.h"
#include "core/analysis/comparison.h"

namespace headscope {

// Hover and lock are cells of A (ViewState::hover, lock), so that all views share them. In the comparison
// there are places where A has no cell: those are kept beside them (other_hover, other_lock), and of the two
// kinds only one is there at a time.

/// A row and a column of the comparison, -1: none.
struct ComparedPlace {
  int row = -1, column = -1;
  bool any() const { return row >= 0 && column >= 0; }
  bool operator==(const ComparedPlace&) const = default;
};

/// Where a cell of A (or of B) lies.
ComparedPlace place_of(const Comparison& comparison, const Cell& cell, bool of_b = false);
/// The place to mark and describe: the hovered one, else the locked one.
ComparedPlace focused_place(const Comparison& comparison, const ViewState& state);
ComparedPlace locked_place(const Comparison& comparison, const ViewState& state);

/// The tokens of one side that meet there, -1 where it has none.
Cell cell_at(const Comparison& comparison, int head, ComparedPlace place, bool of_b);
/// Whether the side has a cell there.
bool has_cell(const Comparison& comparison, ComparedPlace place, bool of_b);

// Of a place that is none nothing happens.
void hover_place(ViewState& state, const Comparison& comparison, int head, ComparedPlace place);
void lock_place(ViewState& state, const Comparison& comparison, int head, ComparedPlace place);
/// Locks it, or unlocks it where it was locked.
void toggle_lock(ViewState& state, const Comparison& comparison, int head, ComparedPlace place);
/// Compares this head; what is locked stays where it is, of this head.
void compare_head_of(ViewState& state, int head);
/// By so many rows and columns; without a lock it begins at the first.
void move_lock(ViewState& state, const Comparison& comparison, int head, int rows, int columns);

}  // namespace headscope
