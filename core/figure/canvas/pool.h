#pragma once
#include <cstdint>
#include <limits>
#include <vector>

#include "core/base/tensor.h"

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
struct MapPart {
  const float* values = nullptr;  ///< [n_q, n_k]
  const std::uint8_t* blocked =
      nullptr;  ///< [n_q, n_k] or nullptr: 0 shown, 1 masked, 2 filtered (CellState)
  Index n_q = 0, n_k = 0;
  double query_begin = 0, query_end = 0;
  double key_begin = 0, key_end = 0;
  int width = 0, height = 0;
  Pooling pooling = Pooling::largest;
};

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

}  // namespace headscope
