#pragma once
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/analysis/comparison.h"
#include "core/figure/boards/figure_style.h"
#include "core/figure/boards/mark_labels.h"
#include "core/scene/mark.h"
#include "core/scene/thumbnails.h"

namespace headscope {

struct FigurePen;

/// A mark in the rows and columns of a map as shown.
struct PlacedMark : MarkedCells {
  MarkKind kind = MarkKind::box;
  std::string text;
  LabelSide side;                        ///< on which its text is
  std::optional<LabelPlace> label = {};  ///< the middle of the text if it was moved, in columns and rows
  Index rows = 0, columns = 0;           ///< of the whole map
  std::size_t mark = 0;                  ///< its number in the scene
};
/// The marks of a head's map. A mark beyond the last token, or whose tokens the filter leaves out, is not
/// among them.
std::vector<PlacedMark> placed_marks(std::span<const Mark> marks, const FilteredLayer& shown, int head);
/// The same of a small map of the layers: none where it pools tokens or leaves some out.
std::vector<PlacedMark> placed_marks(std::span<const Mark> marks, const BlockTrace& block,
                                     const Thumbnails::Layer& small, int layer, int head);
/// The same of all maps of a comparison: marks are at A's tokens.
std::vector<PlacedMark> placed_marks(std::span<const Mark> marks, const Comparison& compared, int head);

/// Those that the shown `part` of a map has, over its picture in `place`; `size`: of their texts.
void draw_marks(const FigurePen& pen, std::span<const PlacedMark> marks, const CellPart& part,
                const Rect& place, double size);

}  // namespace headscope
