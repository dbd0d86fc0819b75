#pragma once
#include <optional>
#include <span>

#include "core/analysis/arithmetic_stages.h"
#include "core/figure/boards/board.h"
#include "core/figure/boards/draw_parts.h"

namespace headscope {

/// Which of a cell's stages are laid out, and how.
struct StepsRequest {
  std::span<const ArithmeticStage> stages;
  std::size_t present = 0;  ///< the emphasized one; later ones are not shown
  std::size_t first = 0;    ///< earlier ones are not shown
  const StepsLook& look;
  double width = 0;     ///< available, in the unit of the style's font size
  double height = 0;    ///< the preferred maximum height of a card: higher ones get two columns; 0: no limit
  Index max_terms = 9;  ///< shown of a longer list; 0: no lists of terms
  double line_height = 1.45;  ///< of rows of numbers, relative to their size
  bool notes = true;          ///< with the explanations; otherwise those are the help of the cards' titles
};

/// The stages up to the present one as cards, from left to right and in rows as far as they fit. May be wider
/// than the available width if that is too narrow for two numbers side by side. Its regions: "stage NAME" of
/// a card, "note NAME" of its title, "result NAME" of the sum below its terms, "component 3" and "output 3"
/// (from 0) of a number that can be selected, "unfold NAME" and "fold NAME" of the long lists of a stage.
Board steps_board(const StepsRequest& request, const BoardStyle& style, const Translator& tr);

/// The cell whose steps the scene shows: the locked one, otherwise the strongest weight of the last query in
/// the shown head.
CellPlace steps_cell(const Scene& scene);
/// For paper, in text of the style's size: the present stage, and as many of those before it as fit next to
/// it. Nothing if the arithmetic is not known.
std::optional<Board> steps_row(const Scene& scene, const BoardStyle& style, double width,
                               const Translator& tr);
/// The width of the head's map left of the cards in an area of that size; 0: too little is left for it.
double steps_map_width(double width, double height, double em);
/// The figure: as large as fits; if that would be too small to read, only the present stage. As on the screen
/// with the chain of all stages above, the head's map at the left and the shapes below.
void draw_steps(const FigurePen& pen, const Scene& scene, Rect area);

/// The stages of a cell as one chain from left to right: each result as a small matrix with its symbol and
/// shape, an arrow to the next, the present one emphasized. On one line that fills the width; nothing if that
/// would be too small to read. Its regions: "steps 0", "steps 1" …, with the stage's title.
std::optional<Board> steps_chain(std::span<const ArithmeticStage> stages, std::size_t present,
                                 BoardStyle style, double width);

}  // namespace headscope
