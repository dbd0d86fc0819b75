#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/state/view_state.h"
#include "core/inputs/inputs.h"

namespace headscope {

struct Workspace;
struct Trace;

/// The divisor of `number` nearest to `wanted`, at most `largest`; the smaller of two equally near ones.
int nearest_divisor(int number, int wanted, int largest);

/// Sets d_model within its limits and heads (and key-value heads) to the nearest valid numbers. A typed X
/// keeps its columns; new ones are 0.
void set_d_model(Inputs& inputs, int d_model);
/// The same for the edited inputs; notifies if the number of heads had to change.
void change_d_model(Workspace& work, int d_model);
/// `heads` must divide d_model; the key-value heads are adjusted.
void set_heads(Inputs& inputs, int heads);
/// To the next larger (1) or smaller (-1) number that divides d_model, if there is one.
void step_heads(Inputs& inputs, int by);
void roll_seed(Inputs& inputs);
/// The second sentence of cross-attention starts as a copy of the first.
void set_cross(Inputs& inputs, bool cross);
/// The target becomes an editable text, initially the one that `trace` generated, or is generated again.
void set_target(Inputs& inputs, bool own, const Trace& trace);

/// A typed X starts with a 1 in the column of each token's index.
void set_vectors(Inputs& inputs, VectorKind kind);
void set_weights(Inputs& inputs, WeightKind kind);
/// Resizes typed weights to the sizes required by d_model and heads; new entries are those of the identity.
/// Above the largest d_model for typed weights, they are replaced by PyTorch's Linear initialization.
void fit_typed(Inputs& inputs);

/// Removes B: only A is shown, and the comparison's view changes to the view of its head, or to the grid if
/// none was chosen.
void end_comparison(ViewState& state, std::optional<Inputs>& b);
/// Shows a comparison that has come back, unless the view shows B by itself.
void begin_comparison(ViewState& state);
/// Shows the whole model of that side, and the controls change its inputs.
void show_side(ViewState& state, Side side);

/// The first mask part of this kind, which is the one the window edits; nullptr if there is none.
MaskPart* find_part(Inputs& inputs, MaskKind kind);
const MaskPart* find_part(const Inputs& inputs, MaskKind kind);
/// Switches a kind of mask on or off; its settings are kept for the next time.
void switch_part(Inputs& inputs, MaskKind kind, bool on);
bool part_on(const Inputs& inputs, MaskKind kind);
/// The inputs without mask entries for tokens that the sentences do not have: while a sentence is edited,
/// words merge and split, and masks of temporarily missing tokens stay in the inputs but are not run, saved
/// or exported; the same applies to a typed X. With an empty sentence nothing is removed.
Inputs fitted(Inputs inputs);
/// Adds a token to the part's list or removes it.
void toggle_token(MaskPart& part, int token);

/// The numbers in a text, in order, whatever separates them.
std::vector<double> numbers_in(std::string_view text);

/// Replaces a matrix of `count` numbers with those of a text. If there are more or fewer, notifies and
/// changes nothing.
void paste_numbers(Workspace& work, const std::string& text, std::size_t count, std::vector<double>& matrix);

}  // namespace headscope
