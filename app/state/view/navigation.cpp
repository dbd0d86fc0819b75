#include "app/state/view/navigation.h"

#include <algorithm>

#include "core/analysis/expectations.h"
#include "core/analysis/long_part.h"
#include "core/figure/boards/board.h"
#include "core/scene/scene.h"
#include "core/scene/zoom.h"
#include "core/source/trace.h"

namespace headscope {

namespace {

/// To be called before other tokens come into view.
void leave_tokens(ViewState& state) {
  unlock(state);
  state.view.zoom = Zoom{};
  Filter& filter = state.view.filter;
  filter.queries = filter.keys = std::nullopt;
  filter.hidden_queries = filter.hidden_keys = {};
}

/// Calls use(row, column) with a cell's position in the zoom's coordinates, unless the filter hides it.
template <typename Use>
void at_zoomed_place(const FilteredLayer& shown, const Cell& cell, const Use& use) {
  int row = cell.query, column = cell.key;
  if (shown.part || find_cell(shown, cell, row, column)) use(row, column);
}

}  // namespace

void show_block(ViewState& state, BlockKind kind) {
  if (state.view.block == kind) return;
  leave_tokens(state);
  state.view.block = kind;
}

void show_words(ViewState& state, bool words) {
  if (state.view.words == words) return;
  leave_tokens(state);
  state.view.words = words;
}

const char* why_no_pieces(const Inputs& inputs) {
  if (inputs.about().has_vocabulary) return nullptr;
  return inputs.about().word_tokens ? TR("Tokens of a layer from a seed are words already.")
                                    : TR("A capture's tokens are shown as they were written.");
}

void show_head(ViewState& state, int head) {
  state.view.head = head;
  if (state.lock) state.lock->head = head;
}

void open_head(ViewState& state, int head) {
  state.view.kind = ViewKind::head;
  show_head(state, head);
}

void open_head(ViewState& state, int layer, int head) {
  state.view.layer = layer;
  open_head(state, head);
}

void click_head(ViewState& state, const HeadPlace& head) {
  if (!state.view.row().chooses_head) {
    show_block(state, head.block);
    return open_head(state, head.layer, head.head);
  }
  state.view.layer = head.layer;
  state.view.head = head.head;
}

void open_cause(ViewState& state, const std::shared_ptr<const Trace>& trace, const CauseTarget& cause,
                Index position) {
  const auto block = block_of(trace, cause.block);
  show_block(state, cause.block);
  if (cause.head < 0) return open_layer(state, cause.layer);
  open_head(state, cause.layer, cause.head);
  const bool asks = block->shape.kind == trace->predictions->block() || cause.block == BlockKind::cross;
  const int query = cause.query >= 0 ? cause.query : asks ? static_cast<int>(position) : -1;
  if (query < 0 || query >= block->n_q()) return;
  Cell cell = strongest_cell(*block, cause.layer, cause.head, query);
  if (cause.key >= 0) cell.key = cause.key;
  state.lock = cell;
}

void open_layer(ViewState& state, int layer) {
  state.view.kind = ViewKind::grid;
  state.view.layer = layer;
}

void enter_grid(ViewState& state) {
  state.view.kind = ViewKind::grid;
  state.from_model = true;
}

void open_contributions(ViewState& state, Index query, Index token) {
  state.view.kind = ViewKind::contributions;
  state.view.predictions.position = static_cast<int>(query);
  state.view.predictions.token = name_of_id(token);
}

void close_head(ViewState& state) {
  state.view.kind = ViewKind::grid;
  state.view.head.reset();
}

void change_layer(ViewState& state, int by, const BlockTrace& block) {
  const int last = std::max(0, block.layer_count() - 1), step = by < 0 ? -1 : 1;
  int layer = std::clamp(state.view.layer + by, 0, last);
  // Layers without maps are passed over.
  while (layer + step >= 0 && layer + step <= last && block.heads_of(layer) == 0) layer += step;
  state.view.layer = block.heads_of(layer) > 0 || block.layer_count() == 0 ? layer : state.view.layer;
}

int neighbour_head(const std::vector<int>& visible, int head, int by) {
  const auto count = static_cast<int>(visible.size());
  const auto found = std::ranges::find(visible, head);
  const int place = found == visible.end() ? 0 : static_cast<int>(found - visible.begin()) + by;
  return visible[((place % count) + count) % count];
}

int present_head(const ViewState& state, int heads) {
  return std::clamp(state.lock ? state.lock->head : state.view.head.value_or(0), 0, std::max(0, heads - 1));
}

void toggle_head(std::set<int>& hidden, int heads, int head) {
  if (hidden.erase(head) > 0) return;
  if (std::ssize(hidden) < heads - 1) hidden.insert(head);
}

void show_head_alone(std::set<int>& hidden, int heads, int head) {
  const bool alone = !hidden.contains(head) && std::ssize(hidden) == heads - 1;
  hidden.clear();
  for (int h = 0; h < heads && !alone; ++h)
    if (h != head) hidden.insert(h);
}

int head_count(const BlockTrace& block) {
  return block.layer_count() * block.heads();
}

void change_groups(TableOptions& table, int by, int heads) {
  table.groups = std::clamp(std::min(table.groups, heads) + by, 1, std::max(1, heads));
}

int head_with_largest_weight(const BlockTrace& block, int layer, const Cell& cell) {
  int found = 0;
  float maximum = -1;
  const bool some_on = ablated_heads(block, layer) < block.heads_of(layer);
  for (int head = 0; head < block.heads_of(layer); ++head)
    if (const float weight = block.maps->weight(layer, head, cell.query, cell.key);
        weight > maximum && !(some_on && is_ablated(block, layer, head)))
      maximum = weight, found = head;
  return found;
}

Cell to_cell(const FilteredLayer& shown, int head, int row, int column) {
  const TokenCell cell = token_cell(shown, head, row, column);
  return {head, cell.query, cell.key};
}

bool find_cell(const FilteredLayer& shown, const Cell& cell, int& row, int& column) {
  row = shown.row(cell.query);
  column = shown.column(cell.key);
  return row >= 0 && column >= 0;
}

void show_on_map(View& view, const FilteredLayer& shown, const Cell& cell) {
  at_zoomed_place(shown, cell, [&](int row, int column) {
    show_cell(view.zoom, row, column, zoomed_rows(shown), zoomed_columns(shown));
  });
}

void center_on_map(View& view, const FilteredLayer& shown, const Cell& cell) {
  if (view.zoom.factor <= 1) return;
  at_zoomed_place(shown, cell, [&](int row, int column) {
    center_on(view.zoom, row + 0.5, column + 0.5, zoomed_rows(shown), zoomed_columns(shown));
  });
}

Cell in_tokens(const BlockTrace& in_view, int layer, const Cell& cell) {
  if (!in_view.pooled()) return cell;
  const BlockTrace& block = *in_view.single;
  const CellUnit unit = unit_of(in_view);
  LongPart pool;
  pool.query_begin = cell.query * unit.queries;
  pool.query_end = std::min(pool.query_begin + unit.queries, block.n_q());
  pool.key_begin = cell.key * unit.keys;
  pool.key_end = std::min(pool.key_begin + unit.keys, block.n_k());
  const TokenCell found = largest_in_pool(block, layer, cell.head, pool);
  return {cell.head, found.query, found.key};
}

void lock_in(Selection& selection, const BlockTrace& in_view, int layer, const Cell& cell) {
  if (selection.lock_in(in_view) != cell) selection.lock = in_tokens(in_view, layer, cell);
}

void unlock(Selection& selection) {
  selection.lock.reset();
  selection.other_lock.reset();
}

void toggle_lock(Selection& selection, const FilteredLayer& shown, const Cell& cell) {
  if (selection.lock_in(*shown.block) == cell)
    selection.lock.reset();
  else
    lock_in(selection, *shown.block, shown.layer, cell);
}

void move_lock(Selection& selection, const FilteredLayer& shown, int head, int rows, int columns) {
  if (shown.n_q() == 0 || shown.n_k() == 0) return;
  int row = 0, column = 0;
  const std::optional<Cell> lock = selection.lock_in(*shown.block);
  if (lock && find_cell(shown, *lock, row, column)) {
    row = std::clamp(row + rows, 0, static_cast<int>(shown.n_q()) - 1);
    column = std::clamp(column + columns, 0, static_cast<int>(shown.n_k()) - 1);
  } else {
    row = column = 0;
  }
  lock_in(selection, *shown.block, shown.layer, to_cell(shown, head, row, column));
  selection.pointer_rests = true;
}

void show_token(std::set<int>& hidden, int token, Index count, bool shown) {
  if (shown)
    hidden.erase(token);
  else if (std::ssize(hidden) + 1 < count)
    hidden.insert(token);
}

void keep_dragged(View& view, const FilteredLayer& shown, const TokenDrag& drag, bool one_side) {
  const auto [first, last] = std::minmax(drag.begin, drag.last);
  const std::vector<int>& tokens = drag.keys ? shown.keys : shown.queries;
  if (first < 0 || last >= std::ssize(tokens)) return;
  const TokenRange range{tokens[first], tokens[last] + 1};
  const bool both = !one_side && !shown.block->cross();
  if (drag.keys || both) view.filter.keys = range;
  if (!drag.keys || both) view.filter.queries = range;
}

}  // namespace headscope
