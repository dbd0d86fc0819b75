#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/panels/ui/ui.h"
#include "app/panels/widgets/heard.h"
#include "app/state/view/caption.h"
#include "core/scene/labels.h"

namespace headscope {

/// "Layer 2, head 3 · its name".
std::string full_head_name(const Ui& ui, int layer, int head);
/// The one of the heads in view that keys are for.
int head_of_keys(const Ui& ui);
/// A map for those who hear it.
struct HeardMap {
  std::string id;         ///< in its window
  unsigned keyboard = 0;  ///< the item that has the keyboard for it
  std::string name;
  std::string cell = {};               ///< the locked one, if it is in this map
  std::vector<std::string> keys = {};  ///< what keys do with it
  bool opens = true;                   ///< Enter does something
  bool present = true;                 ///< of the maps of one `keyboard`: the one that keys are for
};
Heard::Asked hear_map(HeardMap map, ImVec2 min, ImVec2 max);
/// A head's map or lines in a view of one layer, which choose the head when they get the keyboard.
void hear_head(Ui& ui, unsigned keyboard, int head, ImVec2 min, ImVec2 max);
/// The cell to describe, if it is of that head of the layer in view.
std::string heard_cell(const Ui& ui, int layer, int head);
std::string heard_cell(const Ui& ui, std::optional<CellCaption> cell);
std::string key_that_moves_cell(const Translator& tr);
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
