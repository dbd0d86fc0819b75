#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/arithmetic_stages.h"
#include "core/figure/boards/board.h"

namespace headscope {

/// One part of a stage, laid out; parts on a line are aligned by their axes.
struct StageBlock {
  Board board;
  double axis = 0;  ///< below its upper edge: the vertical middle of its main content
  bool ends_line = false;
  /// A link, which may be drawn as lines between rows of the matrices before and after it.
  bool links = false;
  bool squeezed = false;     ///< shows less than it should because there is too little width
  std::vector<double> rows;  ///< positions of the linked rows of a matrix, below its upper edge
};

/// `help` is translated.
BoardRegion stage_region(StagePlace place, const Rect& rect, std::string help = "");

/// What the parts of a stage are laid out with.
struct StageLayout {
  const BoardStyle& style;
  const Translator& tr;
  const StepsLook& look;
  std::string stage;          ///< its name
  double width;               ///< available
  Index max_terms = 9;        ///< shown of a longer list
  double line_height = 1.45;  ///< of rows, in sizes of their numbers
  double em() const { return style.font_size; }
  Rgb role(const std::string& name) const;
  bool unfolded() const { return look.unfolded.contains(stage); }
  BoardRegion region(StagePlace::Part part, const Rect& rect, std::string help = "") const {
    return stage_region({part, stage}, rect, std::move(help));
  }
};

/// A number as a colour: blue below 0, red above, the background at 0; `share` of the largest one.
Rgb diverging(double share, Rgb background);

StageBlock lay_out(const StagePart& part, const StageLayout& layout);

/// Which of `count` items to show if at most `maximum` are shown: those at the ends, the selected ones with
/// their neighbours, and -1 for each gap.
std::vector<Index> folded(Index count, Index maximum, Index chosen, Index span = 1);

}  // namespace headscope
