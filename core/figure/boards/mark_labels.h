#pragma once
#include <functional>
#include <string_view>

#include "core/base/tensor.h"
#include "core/scene/mark.h"

namespace headscope {

/// On which side of its cells the text of a mark is. Of a box: above (`down` -1) or below (1), beginning at
/// its left edge or, with `across` 1, ending at its right one; beside it with `down` 0. Of an arrow: where it
/// comes from.
struct LabelSide {
  int across = 0, down = -1;
  bool operator==(const LabelSide&) const = default;
};

/// Cells of a map from their first to their last row and column.
struct MarkedCells {
  int first_row = 0, last_row = 0, first_column = 0, last_column = 0;
};

/// How long an arrow is, in shares of the shorter side of its map.
inline constexpr double arrow_length = 0.16;

/// The side where the text covers no large weight, if there is one. It follows from the map and the text, not
/// from how large either is drawn: a figure of another size has it in the same place.
LabelSide label_side(MarkKind kind, const MarkedCells& cells, std::string_view text, Index rows,
                     Index columns, const std::function<float(Index row, Index column)>& weight);

}  // namespace headscope
