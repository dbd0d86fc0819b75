#pragma once
#include "app/panels/ui/ui.h"
#include "core/figure/boards/cell_board.h"

namespace headscope {

/// What a trained model would predict after each layer.
void draw_lens_view(Ui& ui);
/// What each of its heads adds to the logit of a token.
void draw_contributions_view(Ui& ui);
/// The choice of the token and its position, while that view is presented.
void draw_contributions_choice(Ui& ui);
/// How a token of the model, or a label, is typed.
const char* token_help(const Ui& ui);
/// Why what was typed is no such token; nullptr: it is one.
const char* no_such_token(const Ui& ui, const std::string& token);
/// Chooses the position and the token that the views of parts and heads are about; `shown`: the token that
/// they show.
void choose_answer(Ui& ui, std::optional<Index> shown);
/// The token that it is measured against.
void choose_against(Ui& ui, std::optional<Index> shown);
/// The token whose circuits are shown.
void choose_circuit_token(Ui& ui, std::optional<Index> shown);
/// A list of the heads of all layers, which sets the view's layer and head.
void choose_any_head(Ui& ui, const char* id);
/// Why a view that is about a model as a whole shows nothing, in the user's language; "": it shows something.
std::string nothing_of_model(const Ui& ui);
/// Draws a board of cells that fills the room, or is higher; `name`: its anchor.
Board draw_cell_board(Ui& ui, const char* name,
                      const std::function<Board(const BoardStyle& style, BoardRoom room)>& make);
/// A frame around a region of a board that is drawn at `at`.
void mark_region(const Ui& ui, const BoardRegion& region, ImVec2 at);
/// All heads as points by two columns of their table.
void draw_scatter(Ui& ui);

/// A line: a name, its share as a bar behind it, the share as a number at the right.
void draw_share(const Ui& ui, const std::string& name, double share, const std::string& number, float width);
/// The tokens that the model predicts at a query (after it, or in its place), one per line; in a comparison
/// those of B next to them.
void draw_expected_tokens(Ui& ui, Index query);
/// The surprise of the token, in bits; empty if it is not known (yet).
std::optional<double> surprise_of(const Ui& ui, Index query);
/// The colour of a strip above the token for it; 0: none.
ImU32 surprise_color(const Ui& ui, double bits);

/// The heads of all layers with the largest weights from a cell's query to its key, at most `count`; a click
/// opens one.
void draw_heads_at_cell(Ui& ui, int query, int key, std::size_t maximum);
/// "Encoder layer 1, Cross-attention 2.1, 2.3"; whole layers are named as such.
std::string listed_heads(const Ui& ui, const std::set<HeadPlace>& heads);
/// Whether either side of the comparison has ablated heads.
bool compares_ablated_heads(const Ui& ui);
/// Which heads are ablated in B, or else in A, in a list no wider than `width` that chooses how and restores
/// them.
void draw_ablated_heads(Ui& ui, float width);

/// A token or label that is predicted: only of a token its blanks are shown.
std::string drawn_prediction(const Ui& ui, const Trace& trace, Index id);

}  // namespace headscope
