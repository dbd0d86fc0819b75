#pragma once
#include <optional>
#include <span>

#include "core/analysis/arithmetic_stages.h"
#include "core/figure/boards/board.h"
#include "core/figure/boards/draw_parts.h"

namespace headscope {

/// What of a cell's stages is laid out, and how.
struct StepsRequest {
  std::span<const ArithmeticStage> stages;
  std::size_t present = 0;  ///< the emphasized one; those after it are not shown
  std::size_t first = 0;    ///< those before it are not shown
  const StepsLook& look;
  double width = 0;   ///< of the room, in the unit of the style's font size
  double height = 0;  ///< that a card should not be higher than: then it has two columns; 0: as high as it is
  Index most_terms = 9;       ///< of a list that is longer
  double line_height = 1.45;  ///< of rows of numbers, in their size
  bool notes = true;          ///< with the explanations; else they are the help of the cards' titles
};

/// The stages up to the present one as cards, from the left to the right and in rows as far as they fit. May
/// be wider than the room where that is too narrow for one number beside the next. Its regions: "stage NAME"
/// of a card, "note NAME" of its title, "result NAME" of the sum below its terms, "component 3" and "output
/// 3" (from 0) of a number to be chosen, "unfold NAME" and "fold NAME" of the long lists of a stage.
Board steps_board(const StepsRequest& request, const BoardStyle& style, const Translator& tr);

/// The cell whose steps the scene shows: the locked one, else the strongest weight of the last query in the
/// head that is shown.
CellPlace steps_cell(const Scene& scene);
/// For paper, in type of the style's size: the present stage, and of those before it as many as stand beside
/// it in the room. Nothing where the arithmetic is not known.
std::optional<Board> steps_row(const Scene& scene, const BoardStyle& style, double width,
                               const Translator& tr);
/// The figure: as large as it fits in; where that would be too small to read, the present stage alone.
void draw_steps(const FigurePen& pen, const Scene& scene, Rect area);

}  // namespace headscope
