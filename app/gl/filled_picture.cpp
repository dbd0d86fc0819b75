#include "app/gl/filled_picture.h"

#include <algorithm>
#include <array>
#include <bit>

namespace headscope::gl {
namespace {

std::uint32_t bgra(Rgb color) {
  const std::array<std::uint8_t, 4> bytes{color.b, color.g, color.r, 255};
  return std::bit_cast<std::uint32_t>(bytes);
}

}  // namespace

bool has_large_cells(const PooledMap& pooled, const HeatmapRequest& request) {
  return 8 * static_cast<long>(pooled.columns) * pooled.rows <=
         static_cast<long>(request.width) * request.height;
}

void fill_picture(const PooledMap& pooled, const HeatmapRequest& request,
                  std::vector<std::uint32_t>& pixels) {
  const int hatch = request.hatch, thick = request.hatch_line();
  const std::uint32_t background = bgra(request.masked.background), line = bgra(request.masked.line);
  const auto width = static_cast<std::size_t>(request.width);
  pixels.resize(width * static_cast<std::size_t>(request.height));
  std::vector<std::uint32_t> cells(static_cast<std::size_t>(pooled.columns));
  std::vector<char> hatched(cells.size());
  for (int y = 0, filled_row = -1; y < request.height; ++y) {
    std::uint32_t* to = pixels.data() + static_cast<std::size_t>(y) * width;
    const int row = pooled.pixel_row[static_cast<std::size_t>(y)];
    const bool new_row = row != filled_row;
    if (row < 0) {
      std::fill_n(to, width, background);
    } else if (new_row || std::ranges::find(hatched, 1) != hatched.end()) {
      for (std::size_t c = 0; new_row && c < cells.size(); ++c) {
        const float value = pooled.values[static_cast<std::size_t>(row) * cells.size() + c];
        hatched[c] = value == all_masked;
        cells[c] = value == all_masked || value == none_shown
                       ? background
                       : bgra((*request.colors)[static_cast<std::size_t>(request.range.index(value))]);
      }
      for (std::size_t x = 0; x < width; ++x) {
        const int column = pooled.pixel_column[x];
        const auto c = static_cast<std::size_t>(column);
        const bool on_line = column >= 0 && hatched[c] != 0 && (static_cast<int>(x) + y) % hatch < thick;
        to[x] = column < 0 ? background : on_line ? line : cells[c];
      }
    } else {
      std::copy_n(to - width, width, to);
    }
    filled_row = row;
  }
}

}  // namespace headscope::gl
