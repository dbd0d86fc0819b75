#pragma once
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "app/state/view_state.h"
#include "core/analysis/filtered_layer.h"
#include "core/inputs/head_places.h"

namespace headscope {

struct CauseTarget;
struct Trace;

// Where the user is looking: views, heads, layers, cells, tokens.

/// Shows another block of the source; its tokens differ, so the lock and hidden tokens are cleared.
void show_block(ViewState& state, BlockKind kind);
/// Shows the pieces of a word as one token, or each separately.
void show_words(ViewState& state, bool words);
/// Why there are no pieces to merge, English, to be translated; nullptr: there are some.
const char* why_no_pieces(const Inputs& inputs);
/// Shows another head and moves the locked cell to it.
void show_head(ViewState& state, int head);
/// Shows that head alone, large.
void open_head(ViewState& state, int head);
void open_head(ViewState& state, int layer, int head);
/// Opens a head of the view's board that was clicked, or chooses it for the view.
void click_head(ViewState& state, const HeadPlace& head);
/// Opens the head that a cause is of, with the cell of its map that matters locked, or all heads of its
/// layer. `position`: of the prediction.
void open_cause(ViewState& state, const std::shared_ptr<const Trace>& trace, const CauseTarget& cause,
                Index position);
/// Shows all heads of a layer.
void open_layer(ViewState& state, int layer);
/// Goes from the whole model to the grid; Esc returns.
void enter_grid(ViewState& state);
/// Shows what each head adds to the logit of a token after that query.
void open_contributions(ViewState& state, Index query, Index token);
/// Returns from a large head to the grid of all heads.
void close_head(ViewState& state);
/// Changes the layer by `by`, if the block has that layer.
void change_layer(ViewState& state, int by, const BlockTrace& block);

/// The head `by` positions further in the list, wrapping around; the first if `head` is not in it.
int neighbour_head(const std::vector<int>& visible, int head, int by);
/// The head of the locked cell, or otherwise of the view.
int present_head(const ViewState& state, int heads);
/// Shows or hides a head; the last one shown can't be hidden.
void toggle_head(std::set<int>& hidden, int heads, int head);
/// Shows only this head; if it is the only one already, shows all.
void show_head_alone(std::set<int>& hidden, int heads, int head);
/// Over all layers.
int head_count(const BlockTrace& block);
/// Changes the number of groups of similar heads, for `heads` heads over all layers.
void change_groups(TableOptions& table, int by, int heads);

/// The head of a layer with the largest weight at the query and key of `cell`, the first of equals.
int head_with_largest_weight(const BlockTrace& block, int layer, const Cell& cell);
/// The trace's cell for a row and column of the shown layer; for pooled cells the one with the largest
/// weight.
Cell to_cell(const FilteredLayer& shown, int head, int row, int column);
/// Row and column of a cell; false if the filter hides it.
bool find_cell(const FilteredLayer& shown, const Cell& cell, int& row, int& column);
/// Scrolls the view of one head so that a cell is visible, unless the filter hides it.
void show_on_map(View& view, const FilteredLayer& shown, const Cell& cell);
/// The same with the cell in the middle of an enlarged map.
void center_on_map(View& view, const FilteredLayer& shown, const Cell& cell);
/// The token cell of one of the block in view: of a pooled one that with the largest weight.
Cell in_tokens(const BlockTrace& in_view, int layer, const Cell& cell);
/// Locks a cell of a layer of the block in view; a lock within that cell stays.
void lock_in(Selection& selection, const BlockTrace& in_view, int layer, const Cell& cell);
void toggle_lock(Selection& selection, const FilteredLayer& shown, const Cell& cell);
/// Releases the locked cell.
void unlock(Selection& selection);
/// Moves the locked cell by shown rows and columns; locks the first if none is. Stops at the edge.
void move_lock(Selection& selection, const FilteredLayer& shown, int head, int rows, int columns);

/// Shows or hides a token; the last one shown of `count` stays.
void show_token(std::set<int>& hidden, int token, Index count, bool shown);
/// Keeps only the rows or columns covered by a drag, in self-attention both unless it is for one side.
void keep_dragged(View& view, const FilteredLayer& shown, const TokenDrag& drag, bool one_side);

}  // namespace headscope
