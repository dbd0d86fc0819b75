#pragma once
#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "core/analysis/cell_part.h"
#include "core/base/tensor.h"
#include "core/figure/canvas/rect.h"
#include "core/scene/colormap.h"

namespace headscope {

/// Cells [first, last] of an axis; none if first > last.
struct CellSpan {
  int first = 0, last = -1;
  bool empty() const { return first > last; }
  bool operator==(const CellSpan&) const = default;
};

/// The cells of an axis of n that pixel `pixel` of `pixels` represents, when the axis shows the cells [begin,
/// end): if a cell is a pixel or larger, the one under the pixel's centre; if cells are smaller, each belongs
/// to exactly one pixel, so that none is lost and a line one cell wide stays one pixel wide. Empty outside of
/// [0, n).
CellSpan cells_of_pixel(double begin, double end, Index n, int pixels, int pixel);

/// The cells of an axis of n that are at least partly in [begin, end).
CellSpan visible_cells(double begin, double end, Index n);

/// How a pixel's value is chosen among its shown cells.
enum class Pooling {
  largest,
  farthest,  ///< from zero: of differences, where the largest would leave out all that became less
  mean,
};
/// For a map whose cells are means, or not.
constexpr Pooling pooling_of_weights(bool means) {
  return means ? Pooling::mean : Pooling::largest;
}
constexpr Pooling pooling_of_differences(bool means) {
  return means ? Pooling::mean : Pooling::farthest;
}

/// A map, or the shown part of it, in `width` x `height` pixels.
struct MapPart : CellPart {
  const float* values = nullptr;  ///< [n_q, n_k]
  const std::uint8_t* blocked =
      nullptr;  ///< [n_q, n_k] or nullptr: 0 shown, 1 masked, 2 filtered (CellState)
  Index n_q = 0, n_k = 0;
  int width = 0, height = 0;
  Pooling pooling = Pooling::largest;
  const float* row_factors = nullptr;  ///< [n_q], or nullptr: what pool() multiplies the rows' values by
};

/// A map that is drawn cell by cell. Masked cells are drawn on a hatch, filtered ones on its background
/// alone. Its width and height are set by what draws it.
struct MapPicture : MapPart {
  const Colors* colors = nullptr;
  ColorRange range;
  MaskedStyle masked;
  std::shared_ptr<const void> owner;  ///< keeps values and blocked alive where pictures outlive a call
  /// The part, with its values as they are coloured.
  MapPart colored_part() const {
    MapPart part = *this;
    if (range.row_factors) part.row_factors = range.row_factors->data();
    return part;
  }
  /// Of a cell with this value in this row.
  Rgb color_of(float value, Index row) const {
    const float factor = range.row_factors ? (*range.row_factors)[row] : 1;
    return (*colors)[range.index(value * factor)];
  }
};
/// All of [n_q, n_k] cells; `state` as CellState or nullptr.
MapPicture map_picture(const float* values, const std::uint8_t* state, Index n_q, Index n_k,
                       const Colors& colors, const ColorRange& range);

/// Values of pixels without a shown cell: every one is masked, or some are filtered.
inline constexpr float all_masked = -std::numeric_limits<float>::infinity();
inline constexpr float none_shown = std::numeric_limits<float>::lowest();

/// No more values than a picture can show: on each axis one per cell if cells are a pixel or larger, and one
/// per pixel if they are smaller, chosen among the shown cells under it by the part's Pooling.
struct PooledMap {
  int columns = 0, rows = 0;
  std::vector<float> values;      ///< [rows, columns], or all_masked, or none_shown
  std::vector<int> pixel_column;  ///< [width]   the column that a pixel shows, -1 outside of the map
  std::vector<int> pixel_row;     ///< [height]
};

/// Reads every shown cell once. Reuses `pooled`'s memory if it is large enough.
void pool(const MapPart& part, PooledMap& pooled);

/// The largest value (or the one farthest from zero; of means the middle cell's) that is not blocked among
/// the cells under pixel (x, y), and its position. False if every cell under it is blocked (then query and
/// key name one) or if the pixel is outside (then they are -1).
bool largest_under_pixel(const MapPart& part, double x, double y, Index& query, Index& key, float& value);

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
