#pragma once
#include <cstdint>
#include <vector>

#include "core/figure/canvas/canvas.h"

namespace headscope {

/// What a cell looks like: one of 256 colours, or no number at all.
inline constexpr std::uint16_t code_masked = 256;    ///< hatched
inline constexpr std::uint16_t code_filtered = 257;  ///< the hatch's background alone

/// A picture's cells as codes, not more than fit `width` x `height` pixels.
struct MapCodes {
  PooledMap pooled;                  ///< which cell stands for which pixel
  std::vector<std::uint16_t> codes;  ///< [rows, columns]
  bool any_masked = false, any_filtered = false;
};

MapCodes map_codes(const MapPicture& picture, int width, int height);

/// The picture of the whole cells that a picture shows, and where they lie.
struct WholeCells {
  MapPicture picture;
  Rect rect;
  bool cut = false;  ///< they reach beyond the picture's own place
};
/// For formats that draw cell by cell, whose picture lies in `rect`.
WholeCells whole_cells(const MapPicture& picture, const Rect& rect);

/// A picture that its viewers scale holds so many cells an axis, however small it is printed.
inline constexpr double most_whole_cells = 1024;
/// For formats whose pictures are scaled by their viewers: a code a cell, unless an axis has more than
/// most_whole_cells, and more than `dpi` can tell apart in `rect` (in points); then the brightest stand for
/// the others.
MapCodes map_codes_for_print(const MapPicture& picture, const Rect& rect, double dpi);

}  // namespace headscope
