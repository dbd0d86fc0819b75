#pragma once
#include <optional>

#include "app/state/view_state.h"
#include "core/analysis/comparison.h"

namespace headscope {

struct Workspace;

// Hover and lock are cells of A (ViewState::hover, lock), so that all views share them. The comparison has
// places where A has no cell: those are stored separately (other_hover, other_lock), and only one of the two
// kinds is set at a time.

/// A row and a column of the comparison, -1: none.
struct ComparedPlace {
  int row = -1, column = -1;
  bool any() const { return row >= 0 && column >= 0; }
  bool operator==(const ComparedPlace&) const = default;
};

/// The place of a cell of that side.
ComparedPlace place_of(const Comparison& comparison, const Cell& cell, Side side = Side::a);
/// The place to mark and describe: the hovered one, otherwise the locked one.
ComparedPlace focused_place(const Comparison& comparison, const Selection& selection);
ComparedPlace locked_place(const Comparison& comparison, const Selection& selection);

/// The tokens of one side at that place, -1 if it has none.
Cell cell_at(const Comparison& comparison, int head, ComparedPlace place, Side side);
/// Whether the side has a cell there.
bool has_cell(const Comparison& comparison, ComparedPlace place, Side side);
/// The focused or the locked cell in terms of that side, whose tokens may be -1. Of B not known without a
/// comparison; `in_view` is A's.
std::optional<Cell> focus_of(const Selection& selection, const BlockTrace& in_view,
                             const Comparison* comparison, Side side);
std::optional<Cell> lock_of(const Selection& selection, const BlockTrace& in_view,
                            const Comparison* comparison, Side side);

// Does nothing for an invalid place.
void hover_place(Selection& selection, const Comparison& comparison, int head, ComparedPlace place);
void lock_place(Selection& selection, const Comparison& comparison, int head, ComparedPlace place);
/// The same for a cell of that side; without a comparison for one of `shown`, of the only side.
void hover_cell(Selection& selection, const FilteredLayer& shown, const Comparison* comparison, Side side,
                const Cell& cell);
void lock_cell(Selection& selection, const FilteredLayer& shown, const Comparison* comparison, Side side,
               const Cell& cell);
/// Locks the place, or unlocks it if it was locked.
void toggle_lock(Selection& selection, const Comparison& comparison, int head, ComparedPlace place);
/// Compares this head; the lock keeps its place and moves to this head.
void compare_head_of(ViewState& state, int head);
void compare_head_of(ViewState& state, int layer, int head);
/// After a comparison was begun, and until a head of it is chosen: shows the one that changed most of the
/// whole model, as soon as any has, and as long as the change goes on (`dragging`).
void look_at_changed_head(Workspace& work, bool dragging);
/// Moves the lock by rows and columns; without a lock it starts at the first.
void move_lock(Selection& selection, const Comparison& comparison, int head, int rows, int columns);

}  // namespace headscope
