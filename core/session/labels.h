#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/figure/colormap.h"
#include "core/session/session.h"

namespace headscope {

/// What somebody named and coloured a head; nullptr if nobody did.
const HeadLabel* find_label(const std::vector<HeadLabel>& labels, int layer, int head);
/// Sets name and colour; neither takes the label away. Labels stay sorted by layer and head.
void set_label(std::vector<HeadLabel>& labels, const HeadLabel& label);

/// A head's colour: its label's, else head_color().
Rgb labelled_color(const std::vector<HeadLabel>& labels, int layer, int head, int heads);

}  // namespace headscope
