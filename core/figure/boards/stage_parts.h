#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/arithmetic_stages.h"
#include "core/figure/boards/board.h"

namespace headscope {

/// One part of a stage, laid out: it stands on a line with others about its axis.
struct StageBlock {
  Board board;
  double axis = 0;  ///< below its upper edge: the middle of what it is about
  bool ends_line = false;
  /// A link that may be drawn as lines between rows of the matrices before and behind it.
  bool links = false;
  bool squeezed = false;     ///< shows less than it should because its room is narrow
  std::vector<double> rows;  ///< where the rows of a matrix that are linked lie, below its upper edge
};

/// What the parts of a stage are laid out with.
struct StageLayout {
  const BoardStyle& style;
  const Translator& tr;
  const StepsLook& look;
  std::string stage;          ///< its name
  double width;               ///< of the room
  Index most_terms = 9;       ///< of a list that is longer
  double line_height = 1.45;  ///< of rows, in sizes of their numbers
  double em() const { return style.font_size; }
  Rgb role(const std::string& name) const;
  bool unfolded() const { return look.unfolded.contains(stage); }
};

StageBlock lay_out(const StagePart& part, const StageLayout& layout);

/// Which of `count` things are shown where not more than `most` are: those at the ends, the chosen ones with
/// their neighbours, and -1 for each gap.
std::vector<Index> folded(Index count, Index most, Index chosen, Index span = 1);

/// Four lines along the edges.
void frame(Board& board, const Rect& rect, double width, Rgb color);

}  // namespace headscope
