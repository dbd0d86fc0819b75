#pragma once
#include <utility>
#include <vector>

#include "core/figure/boards/board.h"

namespace headscope {

/// Where a board can be cut horizontally without cutting its content: between lines of text, rows of cells
/// and charts. Anything higher than `highest`, such as the frame of a card, may be cut; of Board::wholes,
/// anything higher than `highest_whole`.
class BoardGaps {
 public:
  BoardGaps(const Board& board, double highest, double highest_whole);
  /// The last position up to `y` that cuts nothing, but not before `minimum`: then `y` itself.
  double before(double y, double minimum) const;
  /// The first position from `y` on that cuts nothing, but not after `maximum`: then `y` itself.
  double after(double y, double maximum) const;

 private:
  /// What is cut at `y`; nullptr if nothing is.
  const std::pair<double, double>* at(double y) const;

  std::vector<std::pair<double, double>> whole_;  // disjoint, from top to bottom
};

}  // namespace headscope
