#pragma once
#include <set>

#include "app/state/actions/actions.h"
#include "app/state/actions/map_actions.h"

namespace headscope {

struct OpenSession;
struct Workspace;

// Heads of a trained model are ablated in B of the comparison, which is otherwise equal to A: all later maps
// and the model's predictions are shown next to A's. A has ablated heads where a session, the command line or
// a swap gave it some.

/// Whose ablated heads are shown and restored: those of A while that is in view and has some; otherwise B's.
Side ablated_side(const OpenSession& open);
/// The inputs of that side; A's while there is no B.
const Inputs& with_ablated_heads(const OpenSession& open);
/// Whether all of these heads are ablated there.
bool are_ablated(const OpenSession& open, const std::set<HeadPlace>& heads);
/// Ablates the heads in A or in B, or restores them. A B whose other inputs differ from A's starts again as a
/// copy of A. What ablation in B changes is shown, with a notice.
void switch_heads(Workspace& work, const std::set<HeadPlace>& heads, bool off, Side side = Side::b);
/// Restores all that are shown as ablated.
void restore_heads(Workspace& work);
inline constexpr const char* effect_note = TR("Off in B: “{}” shows what that changes");
inline constexpr const char* later_layer_effect_note =
    TR("What is off in layer {} changes the layers behind it: layer {} is shown.");
inline constexpr const char* last_layer_effect_note =
    TR("The maps stay as they are: what is off in the last layer changes its output, which “{}” shows");
/// Shows again what was in view before that, and the id of the action that does.
void leave_effect(ViewState& state);
inline constexpr const char* leave_effect_action = "leave effect";
/// Restores all heads of B. If B then equals A, the view of the whole model shows only A; the comparison's
/// own view keeps B for editing.
void switch_all_on(const Inputs& a, std::optional<Inputs>& b, ViewState& state);
/// All heads of a layer of the block in view.
std::set<HeadPlace> heads_of_layer(const Workspace& work, int layer);
/// All heads of a kind of attention; empty if the model does not have it.
std::set<HeadPlace> heads_of_block(const Workspace& work, BlockKind block);
/// The heads trained with guidance towards a relation.
std::set<HeadPlace> guided_heads(const Workspace& work);
/// The group of similar heads that contains a head; empty if there are no groups.
std::set<HeadPlace> heads_of_group(Workspace& work, int layer, int head);

/// For the menu of a whole layer.
std::vector<Action> layer_off_actions(const Workspace& work, int layer);
/// For a head's menu: that head, its layer, its group.
std::vector<Action> ablation_actions(const Workspace& work, int layer, int head);

}  // namespace headscope
