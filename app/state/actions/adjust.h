#pragma once
#include <optional>

#include "app/state/view/view_state.h"
#include "core/inputs/inputs.h"

namespace headscope {

struct App;
struct Trace;

/// The divisor of `number` that lies nearest to `wanted`, at most `largest`; of two the smaller.
int nearest_divisor(int number, int wanted, int largest);

/// Sets d_model within its limits and heads (and key-value heads) to the nearest numbers that work with it. A
/// typed X keeps its columns; new ones are 0.
void set_d_model(Inputs& inputs, int d_model);
/// The same for the inputs that are edited; tells when heads had to follow.
void change_d_model(App& app, int d_model);
/// `heads` must divide d_model; key-value heads follow.
void set_heads(Inputs& inputs, int heads);
/// To the next larger (1) or smaller (-1) number that divides d_model, if there is one.
void step_heads(Inputs& inputs, int by);
void roll_seed(Inputs& inputs);
/// The second sentence of cross-attention comes as a copy of the first.
void set_cross(Inputs& inputs, bool cross);
/// The target becomes a text that can be edited, that which `trace` has generated, or is generated again.
void set_target(Inputs& inputs, bool own, const Trace& trace);

/// A typed X begins with a 1 in the column of each token's number.
void set_vectors(Inputs& inputs, VectorKind kind);
void set_weights(Inputs& inputs, WeightKind kind);
/// Brings typed weights to the sizes that d_model and heads ask for; new ones are those of the identity.
/// Beyond the largest d_model for typed weights, PyTorch's Linear takes their place.
void fit_typed(Inputs& inputs);

// The two sides of a comparison.

/// B is there: where it is not, it begins as a copy of A.
void begin_comparison(const Inputs& a, std::optional<Inputs>& b);
void copy_a_to_b(const Inputs& a, std::optional<Inputs>& b);
/// There is no B any more: A alone is shown, the comparison's view gives way to that of its head, or to the
/// grid where none was chosen.
void end_comparison(ViewState& state, std::optional<Inputs>& b);
void swap_sides(Inputs& a, std::optional<Inputs>& b);

/// The part of this kind that the window edits: the first; nullptr if there is none.
MaskPart* find_part(Inputs& inputs, MaskKind kind);
const MaskPart* find_part(const Inputs& inputs, MaskKind kind);
/// Switches a kind of mask on or off; what was set in it stays for the next time.
void switch_part(Inputs& inputs, MaskKind kind, bool on);
bool part_on(const Inputs& inputs, MaskKind kind);
/// The inputs without what their masks say of tokens that the sentences do not have: while a sentence is
/// edited, words join and part again, and masks of tokens that are gone for the moment stay in the inputs but
/// take no part in what is run, saved or exported; a typed X likewise. An empty sentence has nothing to fit.
Inputs fitted(Inputs inputs);
/// Puts a token into the part's list or takes it out of it.
void toggle_token(MaskPart& part, int token);

}  // namespace headscope
