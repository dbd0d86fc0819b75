#pragma once
#include <array>
#include <cstdint>

#include "core/figure/canvas/canvas.h"
#include "core/figure/canvas/png_writer.h"
#include "core/picture/picture.h"

namespace headscope {

inline std::uint32_t raster_pixel(Rgb c) {
  return 0xff000000U | static_cast<std::uint32_t>(c.r << 16 | c.g << 8 | c.b);
}
/// Of a cell; masked ones have their background.
inline std::uint32_t raster_pixel(const MapPicture& picture, std::uint16_t code) {
  return raster_pixel(code < 256 ? (*picture.colors)[code] : picture.masked.background);
}

/// What a PNG says of a figure.
PngInfo png_info(double dpi, const FigureMetadata& metadata);
/// How many pixels a page is wide or high.
int pixels_of_page(double points, double dpi);

/// What is drawn pixel by pixel on a surface of 0xffRRGGBB, in points from its upper left corner.
struct RasterPixels {
  std::uint32_t* data = nullptr;
  int width = 0, height = 0, stride = 0;  // in pixels
  double scale = 1;                       // pixels a point

  /// With edges between pixels; at least one pixel where it has a size.
  Rect snapped(const Rect& rect) const;
  int whole(double points) const;
  /// The cells of a snapped rectangle that are not masked.
  void draw_cells(const MapPicture& picture, const MapCodes& codes, const Rect& at) const;
  void draw_color_bar(const std::array<Rgb, 256>& colors, const Rect& at) const;
  Picture picture() const;

 private:
  /// nullptr: it is above or below the surface.
  std::uint32_t* row(int y) const;
};

}  // namespace headscope
