#pragma once
#include <set>

#include "app/state/actions/actions.h"
#include "app/state/actions/map_actions.h"

namespace headscope {

// Heads of a trained model are switched off in B of the comparison, which is A but for them: every later map
// and what the model expects stand beside those of A.

/// Whether all of these are off in B.
bool are_off(const App& app, const std::set<HeadPlace>& heads);
/// Switches them off in B, or on again, and shows the comparison. A B that has other inputs than A begins
/// anew as its copy.
void switch_heads(App& app, const std::set<HeadPlace>& heads, bool off);
/// Switches all heads of B on again. Where it then is A, the whole model is that of A alone; the comparison's
/// own view keeps it, to be changed.
void switch_all_on(const Inputs& a, std::optional<Inputs>& b, ViewState& state);
/// All heads of a layer of the block in view.
std::set<HeadPlace> heads_of_layer(const App& app, int layer);
/// All heads of a kind of attention; empty where the model has no such.
std::set<HeadPlace> heads_of_block(const App& app, BlockKind block);
/// Those that were trained towards a relation.
std::set<HeadPlace> guided_heads(const App& app);
/// Those of the group of similar heads that a head is in; empty where there are no groups.
std::set<HeadPlace> heads_of_group(App& app, int layer, int head);

/// For the menu of a layer as a whole.
std::vector<Action> layer_off_actions(const App& app, int layer);
/// For the menu of a head: that head, its layer, its group.
std::vector<Action> heads_off_actions(const App& app, int layer, int head);

}  // namespace headscope
