#pragma once
#include <cstdint>
#include <vector>

#include "core/figure/canvas/canvas.h"

namespace headscope {

/// What a cell looks like: one of 256 colours, or no number at all.
inline constexpr std::uint16_t code_masked = 256;    ///< hatched
inline constexpr std::uint16_t code_filtered = 257;  ///< the hatch's background alone

/// A picture's cells as codes, no more than fit into `width` x `height` pixels.
struct MapCodes {
  PooledMap pooled;                  ///< which cell each pixel shows
  std::vector<std::uint16_t> codes;  ///< [rows, columns]
  bool any_masked = false, any_filtered = false;
};

MapCodes map_codes(const MapPicture& picture, int width, int height);

/// The picture extended to whole cells, and its position.
struct WholeCells {
  MapPicture picture;
  Rect rect;
  bool cut = false;  ///< they extend beyond the picture's own rectangle
};
/// For formats that draw cell by cell; the picture is at `rect`.
WholeCells whole_cells(const MapPicture& picture, const Rect& rect);

/// The maximum number of cells per axis of a picture that viewers scale, however small it is printed.
inline constexpr double max_whole_cells = 1024;
/// For formats whose pictures are scaled by viewers: one code per cell, unless an axis has more than
/// max_whole_cells and more than `dpi` can resolve in `rect` (in points); then the brightest cells represent
/// the others.
MapCodes map_codes_for_print(const MapPicture& picture, const Rect& rect, double dpi);

}  // namespace headscope
