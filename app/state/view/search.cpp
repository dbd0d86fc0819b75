#include "app/state/view/search.h"

#include <algorithm>

#include "app/state/view/navigation.h"
#include "app/state/workspace.h"

namespace headscope {

std::shared_ptr<const BlockTrace> searched_block(const Workspace& work) {
  if (work.state.view.row().whole) {
    const auto& trace = work.trace(work.seen_side());
    if (auto cross = work.in_view(trace, BlockKind::cross); cross->cross()) return cross;
  }
  return work.block();
}

void go_to_place(Workspace& work, int by) {
  ViewState& state = work.state;
  TokenSearch& search = state.search;
  const auto block = searched_block(work);
  if (block->shape.kind != work.block()->shape.kind) show_block(state, block->shape.kind);
  search.update(block);
  const auto count = static_cast<int>(search.places().size());
  if (count == 0) return;
  search.at = search.at < 0 ? (by > 0 ? 0 : count - 1) : (search.at + by + count) % count;
  const TokenSearch::Place& place = search.places()[search.at];
  const auto token = static_cast<int>(place.tokens.first);
  Cell cell = state.lock_in(*block).value_or(Cell{present_head(state, block->heads()), 0, 0});
  if (!block->cross()) cell.query = cell.key = token;
  (place.keys ? cell.key : cell.query) = token;
  cell.query = std::min(cell.query, static_cast<int>(block->n_q()) - 1);
  cell.key = std::min(cell.key, static_cast<int>(block->n_k()) - 1);
  lock_in(state, *block, state.view.layer, cell);
  state.pointer_rests = true;
  const auto shown = work.shown();
  // In a corner it would be covered by the overview.
  if (shown->block == block) center_on_map(state.view, *shown, cell);
}

void open_search(OpenSession& open) {
  open.state.search.open = open.state.search.wants_keyboard = true;
}

void close_search(OpenSession& open) {
  open.state.search = {};
}

}  // namespace headscope
