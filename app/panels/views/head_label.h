#pragma once
#include <string>
#include <vector>

#include "app/panels/shell/ui.h"
#include "core/scene/labels.h"

namespace headscope {

/// "Layer 2, head 3 · its name".
std::string full_head_name(const Ui& ui, int layer, int head);
/// What is told of a head of the block in view: "pronoun → antecedent 1.00, guided"; empty: nothing.
std::vector<std::string> head_relations(const Ui& ui, int layer, int head);
/// The same in lines below each other, each after a line end.
std::string relation_lines(const Ui& ui, int layer, int head);
/// "2.3", for places where many stand side by side.
std::string short_head_name(const Ui& ui, int layer, int head);
ImU32 head_rgb(const Ui& ui, int layer, int head);

/// Fields for a head's name and colour; `focus`: the name gets the keyboard.
void edit_head_label(Ui& ui, int layer, int head, bool focus = false);

}  // namespace headscope
