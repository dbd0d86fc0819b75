#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/scene/colormap.h"

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

/// A head's colour: its label's, else head_color().
Rgb labelled_color(const std::vector<HeadLabel>& labels, int layer, int head, int heads);

}  // namespace headscope
