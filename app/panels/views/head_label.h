#pragma once
#include <functional>
#include <string>
#include <vector>

#include "app/panels/ui/ui.h"
#include "core/scene/labels.h"

namespace headscope {

/// "Layer 2, head 3 · its name".
std::string full_head_name(const Ui& ui, int layer, int head);
/// The one of the heads in view that keys are for.
int head_of_keys(const Ui& ui);
/// A head's map, drawn on the item `keyboard`, for those who hear it.
void hear_map(Ui& ui, unsigned keyboard, int head, ImVec2 min, ImVec2 max);
/// What is known about a head of the block in view: "pronoun → antecedent 1.00, guided"; empty: nothing.
std::vector<std::string> head_relations(const Ui& ui, int layer, int head);
/// The same one per line, each after a line break.
std::string relation_lines(const Ui& ui, int layer, int head);
/// "2.3", for places where many are next to each other.
std::string short_head_name(const Ui& ui, int layer, int head);
/// What is known about a head's relations, in the longest form that `fits` accepts; empty if none fits.
std::string fitting_badge(const Ui& ui, int layer, int head,
                          const std::function<bool(const std::string& badge)>& fits);
ImU32 head_rgb(const Ui& ui, int layer, int head);

/// Fields for a head's name and colour; `focus`: the name gets the keyboard focus.
void edit_head_label(Ui& ui, int layer, int head, bool focus = false);

/// A small square in each head's colour with its number: a legend that also ablates and restores heads.
void draw_head_swatches(Ui& ui);

}  // namespace headscope
