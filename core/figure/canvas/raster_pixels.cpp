#include "core/figure/canvas/raster_pixels.h"

#include <algorithm>
#include <cmath>

namespace headscope {

PngInfo png_info(double dpi, const FigureMetadata& metadata) {
  PngInfo info{dpi, {{"Title", metadata.title}, {"Software", "Headscope"}}};
  if (!metadata.session.empty()) info.texts.emplace_back(png_session_keyword, metadata.session);
  return info;
}

int pixels_of_page(double points, double dpi) {
  return std::max(1, static_cast<int>(std::lround(points * dpi / 72)));
}

Rect RasterPixels::snapped(const Rect& r) const {
  const auto edge = [this](double v) { return std::round(v * scale) / scale; };
  const double x = edge(r.x), y = edge(r.y), minimum = 1 / scale;
  return {x, y, r.width > 0 ? std::max(minimum, edge(r.right()) - x) : 0,
          r.height > 0 ? std::max(minimum, edge(r.bottom()) - y) : 0};
}

int RasterPixels::whole(double points) const {
  return static_cast<int>(std::lround(points * scale));
}

std::uint32_t* RasterPixels::row(int y) const {
  return y < 0 || y >= height ? nullptr : data + static_cast<std::ptrdiff_t>(y) * stride;
}

void RasterPixels::draw_cells(const MapPicture& picture, const MapCodes& codes, const Rect& at) const {
  const int across = whole(at.width), down = whole(at.height), left = whole(at.x);
  for (int y = 0; y < down; ++y) {
    const int cells = codes.pooled.pixel_row[y];
    std::uint32_t* const to = row(whole(at.y) + y);
    if (cells < 0 || to == nullptr) continue;
    const std::uint16_t* code =
        codes.codes.data() + static_cast<std::ptrdiff_t>(cells) * codes.pooled.columns;
    for (int x = 0; x < across; ++x) {
      const int column = codes.pooled.pixel_column[x];
      if (column >= 0 && code[column] != code_masked) to[left + x] = raster_pixel(picture, code[column]);
    }
  }
}

void RasterPixels::draw_color_bar(const std::array<Rgb, 256>& colors, const Rect& at) const {
  const int across = whole(at.width), down = whole(at.height), left = whole(at.x);
  const auto color = [&](int i, int of) { return raster_pixel(colors[i * 256 / of]); };
  for (int y = 0; y < down; ++y) {
    std::uint32_t* const to = row(whole(at.y) + y);
    if (to == nullptr) continue;
    for (int x = 0; x < across; ++x)
      to[left + x] = across > down ? color(x, across) : color(down - 1 - y, down);
  }
}

Picture RasterPixels::picture() const {
  Picture all{width, height, {}};
  all.rgba.reserve(4 * static_cast<std::size_t>(width) * height);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      for (const unsigned shift : {16U, 8U, 0U, 24U})
        all.rgba.push_back(static_cast<std::uint8_t>(shift == 24U ? 255U : row(y)[x] >> shift & 255U));
  return all;
}

}  // namespace headscope
