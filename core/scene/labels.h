#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/base/translate.h"
#include "core/scene/colormap.h"
#include "core/scene/label_place.h"
#include "core/scene/view.h"
#include "core/source/trace.h"

namespace headscope {

/// A user-defined name and colour of a head; layer and head from 0.
struct HeadLabel {
  int layer = 0, head = 0;
  std::string name;
  std::optional<unsigned> color;         ///< 0xRRGGBB
  std::optional<LabelPlace> moved = {};  ///< how far figures have the title from its usual place
  bool operator==(const HeadLabel&) const = default;
};

/// "2.3": layer and head, numbered from 1.
std::string head_number(Index layer, Index head);
/// The user's name and colour of a head; nullptr if it has none.
const HeadLabel* find_label(const std::vector<HeadLabel>& labels, int layer, int head);
/// Sets name, colour and place; without any of them the label is removed. Labels stay sorted by layer and
/// head.
void set_label(std::vector<HeadLabel>& labels, const HeadLabel& label);

/// Whether the run of a block had ablated heads.
bool is_ablated(const BlockTrace& block, int layer, int head);
/// How many heads of a layer were ablated.
int ablated_heads(const BlockTrace& block, int layer);
/// " · off", as with_off() appends it.
std::string off_suffix(const Translator& tr);
/// "off" after the title of an ablated head: "Head 3 · off".
std::string with_off(const Translator& tr, std::string title, const BlockTrace& block, int layer, int head);
/// "2 of 8 heads off"; empty if none of `heads` is.
std::string ablated_heads_text(const Translator& tr, int off, int heads);

/// A head's colour: its label's, else head_color().
Rgb labelled_color(const std::vector<HeadLabel>& labels, int layer, int head, int heads);
/// The same in a run of a block: grey if the head is ablated.
Rgb labelled_color(const std::vector<HeadLabel>& labels, const BlockTrace& block, int layer, int head);
/// The colours of cells: diverging where they are signed, otherwise the view's.
const Colors& cell_colors(const View& view, const BlockTrace& block, int layer);
/// The colours of a head's map: pale greys if the head is ablated, as nothing reads its weights.
const Colors& map_colors(const View& view, const BlockTrace& block, int layer, int head);
/// Those pale greys.
const Colors& colors_of_ablated(Colormap colormap, Theme theme);

}  // namespace headscope
