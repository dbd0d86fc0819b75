#pragma once
#include <optional>
#include <set>
#include <vector>

#include "app/state/view/view_state.h"
#include "core/analysis/filtered_layer.h"

namespace headscope {

// Where the user looks: views, heads, layers, cells, tokens.

/// Shows another head, to which the locked cell goes along.
/// Another block of the source; its tokens are others, so that no cell stays locked or token hidden.
void show_block(ViewState& state, BlockKind kind);
/// Pieces of words as one token, or each by itself.
void show_words(ViewState& state, bool words);
/// Why there are no pieces that could be, English, to be translated; nullptr: there are.
const char* why_no_pieces(const Inputs& inputs);
void show_head(ViewState& state, int head);
/// That head alone, large.
void open_head(ViewState& state, int head);
/// From the whole model, to which Esc leads back, to the grid.
void enter_grid(ViewState& state);
/// From a large head back to the grid of all.
void close_head(ViewState& state);
/// Shows the layer `by` further, if the block has one.
void change_layer(ViewState& state, int by, const BlockTrace& block);

/// The one of these `by` places further, going round; the first for a head that is not among them.
int neighbour_head(const std::vector<int>& visible, int head, int by);
/// The head that the locked cell or else the view is about.
int present_head(const ViewState& state, int heads);
/// On or off; the last one that is shown can't go off.
void toggle_head(std::set<int>& hidden, int heads, int head);
/// This head alone; if it is alone already, all.
void show_head_alone(std::set<int>& hidden, int heads, int head);
/// Of all layers.
int head_count(const BlockTrace& block);
/// More or fewer groups of similar heads, of `heads` in all layers.
void change_groups(View& view, int by, int heads);

/// The head of a layer whose weight at the query and the key of `cell` is the largest, the first of equals.
int head_that_looks_most(const BlockTrace& block, int layer, const Cell& cell);
/// The cell of the trace that a row and column of the shown layer stand for; of groups of tokens the largest.
Cell to_cell(const FilteredLayer& shown, int head, int row, int column);
/// Row and column of a cell; false where the filter leaves it out.
bool find_cell(const FilteredLayer& shown, const Cell& cell, int& row, int& column);
/// Moves what the view of one head shows so that a cell is in it, unless the filter leaves it out.
void show_on_map(View& view, const FilteredLayer& shown, const Cell& cell);
/// Likewise so that the cell is in the middle of an enlarged map.
void center_on_map(View& view, const FilteredLayer& shown, const Cell& cell);
/// Locks a cell; frees it where it is the locked one.
void unlock(ViewState& state);
void toggle_lock(ViewState& state, const Cell& cell);
/// Moves the locked cell by rows and columns that are shown; locks the first where none is. Keeps to the
/// edge.
void move_lock(ViewState& state, const FilteredLayer& shown, int head, int rows, int columns);

/// Shows a token or leaves it out; the last one of `count` that is shown stays.
void show_token(std::set<int>& hidden, int token, Index count, bool shown);
/// Keeps only the rows or columns that a drag went across, in self-attention both alike unless it is for one
/// side.
void keep_dragged(View& view, const FilteredLayer& shown, const TokenDrag& drag, bool one_side);

}  // namespace headscope
