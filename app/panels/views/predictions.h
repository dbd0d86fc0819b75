#pragma once
#include "app/panels/shell/ui.h"

namespace headscope {

struct App;

/// What a trained model would say after each layer.
void draw_lens_view(Ui& ui);
/// What each of its heads adds to the logit of a token.
void draw_contributions_view(Ui& ui);
/// Of which token and where that is, while the view of it is presented: nothing in another.
void draw_contributions_choice(Ui& ui);
/// All heads as points by two columns of their table.
void draw_scatter(Ui& ui);

/// A line: a name, its share as a bar behind it, the share as a number at the right.
void draw_share(const Ui& ui, const std::string& name, double share, const std::string& number, float width);
/// The tokens that the model expects at a query (after it, or in its place), a line each; in a comparison
/// those of B beside them.
void draw_expected_tokens(Ui& ui, Index query, bool b);
/// How little the token was expected, in bits; nothing where that is not known (yet).
std::optional<double> surprise_of(const Ui& ui, Index query, bool b);
/// The colour of a strip above the token for it; 0: none.
ImU32 surprise_color(const Ui& ui, double bits);

/// The model goes on with the sentence: begins and stops, and how tokens are chosen.
void draw_generation(App& app, Ui& ui);
/// The heads of all layers that look most from a cell's query to its key, at most so many; a click goes to
/// one.
void draw_heads_at_cell(Ui& ui, int query, int key, std::size_t most);
/// Which heads are off in B, and by what.
void draw_heads_off(Ui& ui);

}  // namespace headscope
