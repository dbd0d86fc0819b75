#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/base/translate.h"
#include "core/scene/colormap.h"
#include "core/scene/view.h"
#include "core/source/trace.h"

namespace headscope {

/// A name and colour that somebody gave a head; layer and head from 0.
struct HeadLabel {
  int layer = 0, head = 0;
  std::string name;
  std::optional<unsigned> color;  ///< 0xRRGGBB
  bool operator==(const HeadLabel&) const = default;
};

/// What somebody named and coloured a head; nullptr if nobody did.
const HeadLabel* find_label(const std::vector<HeadLabel>& labels, int layer, int head);
/// Sets name and colour; neither takes the label away. Labels stay sorted by layer and head.
void set_label(std::vector<HeadLabel>& labels, const HeadLabel& label);

/// Whether the run of a block had a head switched off.
bool is_off(const BlockTrace& block, int layer, int head);
/// How many heads of a layer were.
int heads_off(const BlockTrace& block, int layer);
/// "off" behind a title whose head was: "Head 3 · off".
std::string with_off(const Translator& tr, std::string title, const BlockTrace& block, int layer, int head);
/// "2 of 8 heads off"; empty: none of `heads` is.
std::string heads_off_text(const Translator& tr, int off, int heads);

/// A head's colour: its label's, else head_color().
Rgb labelled_color(const std::vector<HeadLabel>& labels, int layer, int head, int heads);
/// The same in a run of a block: grey where the head is switched off.
Rgb labelled_color(const std::vector<HeadLabel>& labels, const BlockTrace& block, int layer, int head);
/// The colours of a head's map: pale greys where the head is switched off, as nothing reads its weights.
const Colors& map_colors(const View& view, const BlockTrace& block, int layer, int head);
/// Those pale greys.
const Colors& colors_of_off(Colormap colormap, Theme theme);

}  // namespace headscope
