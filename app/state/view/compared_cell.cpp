#include "app/state/view/compared_cell.h"

#include <algorithm>

#include "app/state/view/navigation.h"
#include "app/state/workspace.h"

namespace headscope {
namespace {

constexpr Both<int AlignedToken::*> token_of{&AlignedToken::a, &AlignedToken::b};

int place_of_token(const CommonAxis& axis, int token, Side side) {
  if (token < 0) return -1;
  const auto found = std::ranges::find(axis.tokens, token, token_of[side]);
  return found == axis.tokens.end() ? -1 : static_cast<int>(found - axis.tokens.begin());
}

int place_of_token(const CommonAxis& axis, const AlignedToken& token) {
  const Side side = token.b >= 0 ? Side::b : Side::a;
  return place_of_token(axis, token.*token_of[side], side);
}

ComparedPlace place_of(const Comparison& comparison, const ComparedCell& cell) {
  return {place_of_token(comparison.queries, cell.query), place_of_token(comparison.keys, cell.key)};
}

const AlignedToken& token_at(const CommonAxis& axis, int place) {
  return axis.tokens[place];
}

/// Stores a place as a cell of A if A has one there, otherwise as one that only B has.
void put_place(const Comparison& comparison, int head, ComparedPlace place, std::optional<Cell>& cell,
               std::optional<ComparedCell>& other) {
  if (has_cell(comparison, place, Side::a))
    cell = cell_at(comparison, head, place, Side::a);
  else
    other =
        ComparedCell{head, token_at(comparison.queries, place.row), token_at(comparison.keys, place.column)};
}

}  // namespace

ComparedPlace place_of(const Comparison& comparison, const Cell& cell, Side side) {
  return {place_of_token(comparison.queries, cell.query, side),
          place_of_token(comparison.keys, cell.key, side)};
}

ComparedPlace focused_place(const Comparison& comparison, const Selection& selection) {
  if (selection.last_hover) return place_of(comparison, *selection.last_hover);
  if (selection.last_other_hover) return place_of(comparison, *selection.last_other_hover);
  return locked_place(comparison, selection);
}

ComparedPlace locked_place(const Comparison& comparison, const Selection& selection) {
  if (const auto lock = selection.lock_in(*comparison.shown_a->block)) return place_of(comparison, *lock);
  return selection.other_lock ? place_of(comparison, *selection.other_lock) : ComparedPlace{};
}

Cell cell_at(const Comparison& comparison, int head, ComparedPlace place, Side side) {
  const auto token = token_of[side];
  return {head, place.row < 0 ? -1 : token_at(comparison.queries, place.row).*token,
          place.column < 0 ? -1 : token_at(comparison.keys, place.column).*token};
}

bool has_cell(const Comparison& comparison, ComparedPlace place, Side side) {
  const Cell cell = cell_at(comparison, 0, place, side);
  return cell.query >= 0 && cell.key >= 0;
}

std::optional<Cell> focus_of(const Selection& selection, const BlockTrace& in_view,
                             const Comparison* comparison, Side side) {
  const std::optional<Cell> focus = selection.focus(in_view);
  if (side == Side::a && (comparison == nullptr || focus)) return focus;
  const ComparedPlace place = comparison != nullptr ? focused_place(*comparison, selection) : ComparedPlace{};
  return place.any() ? std::optional(cell_at(*comparison, 0, place, side)) : std::nullopt;
}

std::optional<Cell> lock_of(const Selection& selection, const BlockTrace& in_view,
                            const Comparison* comparison, Side side) {
  if (side == Side::a) return selection.lock_in(in_view);
  const ComparedPlace place = comparison != nullptr ? locked_place(*comparison, selection) : ComparedPlace{};
  return place.any() ? std::optional(cell_at(*comparison, 0, place, side)) : std::nullopt;
}

void hover_place(Selection& selection, const Comparison& comparison, int head, ComparedPlace place) {
  if (place.any()) put_place(comparison, head, place, selection.hover, selection.other_hover);
}

void lock_place(Selection& selection, const Comparison& comparison, int head, ComparedPlace place) {
  if (!place.any()) return;
  std::optional<Cell> cell;
  selection.other_lock.reset();
  put_place(comparison, head, place, cell, selection.other_lock);
  if (cell)
    lock_in(selection, *comparison.shown_a->block, comparison.shown_a->layer, *cell);
  else
    selection.lock.reset();
}

void hover_cell(Selection& selection, const FilteredLayer& /*shown*/, const Comparison* comparison, Side side,
                const Cell& cell) {
  if (side == Side::a || comparison == nullptr)
    selection.hover = cell;
  else
    hover_place(selection, *comparison, cell.head, place_of(*comparison, cell, side));
}

void lock_cell(Selection& selection, const FilteredLayer& shown, const Comparison* comparison, Side side,
               const Cell& cell) {
  if (side == Side::a || comparison == nullptr)
    lock_in(selection, *shown.block, shown.layer, cell);
  else
    lock_place(selection, *comparison, cell.head, place_of(*comparison, cell, side));
}

void toggle_lock(Selection& selection, const Comparison& comparison, int head, ComparedPlace place) {
  const Selection before = selection;
  lock_place(selection, comparison, head, place);
  if (selection.lock == before.lock && selection.other_lock == before.other_lock) unlock(selection);
}

void compare_head_of(ViewState& state, int head) {
  state.view.head = head;
  if (state.lock) state.lock->head = head;
  if (state.other_lock) state.other_lock->head = head;
}

void compare_head_of(ViewState& state, int layer, int head) {
  state.view.layer = layer;
  compare_head_of(state, head);
}

void look_at_changed_head(Workspace& work, bool dragging) {
  ViewState& state = work.state;
  if (!state.changed_head_wanted) return;
  state.changed_head_wanted =
      state.view.row().compares && !state.lock && !work.lesson.playing() && (dragging || !state.view.head);
  if (!state.changed_head_wanted || !work.has_run_b() || work.trace()->inputs != work.inputs) return;
  const auto changed = work.view_cache.changed_heads(work.block(), work.block(Side::b), state.view);
  if (changed && !changed->empty()) compare_head_of(state, changed->front().layer, changed->front().head);
}

void move_lock(Selection& selection, const Comparison& comparison, int head, int rows, int columns) {
  ComparedPlace place = locked_place(comparison, selection);
  if (place.any())
    place = {std::clamp(place.row + rows, 0, static_cast<int>(comparison.rows()) - 1),
             std::clamp(place.column + columns, 0, static_cast<int>(comparison.columns()) - 1)};
  else
    place = {0, 0};
  lock_place(selection, comparison, head, place);
  selection.pointer_rests = true;
}

}  // namespace headscope
