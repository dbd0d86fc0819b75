#pragma once
#include <span>
#include <string>
#include <vector>

#include "core/analysis/comparison.h"
#include "core/figure/boards/figure_style.h"
#include "core/scene/mark.h"
#include "core/scene/thumbnails.h"

namespace headscope {

struct FigurePen;

/// A mark in the rows and columns of a map as shown, each from its first to its last.
struct PlacedMark {
  MarkKind kind = MarkKind::box;
  int first_row = 0, last_row = 0, first_column = 0, last_column = 0;
  std::string text;
};
/// The marks of a head's map. A mark beyond the last token, or whose tokens the filter leaves out, is not
/// among them.
std::vector<PlacedMark> placed_marks(std::span<const Mark> marks, const FilteredLayer& shown, int head);
/// The same of a small map of the layers: none where it pools tokens or leaves some out.
std::vector<PlacedMark> placed_marks(std::span<const Mark> marks, const BlockTrace& block,
                                     const Thumbnails::Layer& small, int layer, int head);
/// The same of all maps of a comparison: marks are at A's tokens.
std::vector<PlacedMark> placed_marks(std::span<const Mark> marks, const Comparison& compared, int head);

/// Those that the shown `part` of a map has, over its picture in `map`; `size`: of their texts.
void draw_marks(const FigurePen& pen, std::span<const PlacedMark> marks, const CellPart& part,
                const Rect& map, double size);

}  // namespace headscope
