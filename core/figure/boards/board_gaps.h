#pragma once
#include <utility>
#include <vector>

#include "core/figure/boards/board.h"

namespace headscope {

/// Where a board can be cut across without cutting what stands on it: between lines of text, rows of cells
/// and charts. What is higher than `highest`, as the frame of a card, may be cut; of Board::wholes, what is
/// higher than `highest_whole`.
class BoardGaps {
 public:
  BoardGaps(const Board& board, double highest, double highest_whole);
  /// The last place up to `y` that cuts nothing, but not before `least`: then `y` itself.
  double before(double y, double least) const;
  /// The first place from `y` on that cuts nothing, but not after `most`: then `y` itself.
  double after(double y, double most) const;

 private:
  /// What is cut at `y`; nullptr: nothing is.
  const std::pair<double, double>* at(double y) const;

  std::vector<std::pair<double, double>> whole_;  // apart from each other, from above to below
};

}  // namespace headscope
