// In place of cairo_canvas.cpp where there is no Cairo: pixels, with FreeType's rasterizer for lines and
// letters.
#include <ft2build.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>
#include <type_traits>
#include <vector>

#include "core/base/error.h"
#include "core/figure/canvas/canvas.h"
#include "core/figure/canvas/formats.h"
#include "core/figure/canvas/png_writer.h"
#include "core/figure/canvas/raster_pixels.h"
#include "core/figure/text/device_glyph.h"
#include "core/picture/resize.h"
#include FT_OUTLINE_H

namespace headscope {
namespace {

/// Where shapes are drawn, in whole pixels.
struct Clip {
  int left, top, right, bottom;
};

/// A colour on its way to the pixels.
struct Ink {
  RasterPixels pixels;
  Rgb color;
  double opacity;

  static std::uint32_t mixed(unsigned from, unsigned to, double share) {
    return static_cast<std::uint32_t>(std::lround(from + (static_cast<double>(to) - from) * share));
  }
  /// `coverage`: 0 to 255.
  void blend(int x, int y, int length, unsigned coverage) const {
    const double share = opacity * coverage / 255;
    std::uint32_t* const to = pixels.data + static_cast<std::ptrdiff_t>(y) * pixels.stride + x;
    for (int i = 0; i < length; ++i) {
      const std::uint32_t under = to[i];
      to[i] = 0xff000000U | mixed(under >> 16 & 255U, color.r, share) << 16 |
              mixed(under >> 8 & 255U, color.g, share) << 8 | mixed(under & 255U, color.b, share);
    }
  }
};

void blend_spans(int y, int count, const FT_Span* spans, void* ink) {
  for (int i = 0; i < count; ++i)
    static_cast<const Ink*>(ink)->blend(spans[i].x, y, spans[i].len, spans[i].coverage);
}

class PlainCanvas : public Canvas {
 public:
  PlainCanvas(double width, double height, double dpi, TextShaper& shaper, PngInfo info)
      : shaper_(shaper), info_(std::move(info)) {
    if (FT_Init_FreeType(&library_) != 0) throw unable_error("the figure cannot be drawn: {}", "FreeType");
    pixels_.width = pixels_.stride = pixels_of_page(width, dpi);
    pixels_.height = pixels_of_page(height, dpi);
    pixels_.scale = dpi / 72;
    memory_.resize(static_cast<std::size_t>(pixels_.width) * static_cast<std::size_t>(pixels_.height),
                   0xff000000U);
    pixels_.data = memory_.data();
  }
  ~PlainCanvas() override { FT_Done_FreeType(library_); }
  PlainCanvas(const PlainCanvas&) = delete;
  PlainCanvas& operator=(const PlainCanvas&) = delete;

  Rect snapped(const Rect& rect) const override { return pixels_.snapped(rect); }
  double hairline() const override { return std::max(0.5, 1 / pixels_.scale); }

  void fill(const Rect& rect, Rgb color) override {
    const Clip at = clip(snapped(rect));
    for (int y = at.top; y < at.bottom; ++y)
      Ink{pixels_, color, 1}.blend(at.left, y, at.right - at.left, 255);
  }

  void text(std::string_view text, double x, double y, const TextStyle& style) override {
    const double share = style.anchor == Anchor::start ? 0 : style.anchor == Anchor::middle ? 0.5 : 1;
    const double along = share == 0 ? 0 : -share * shaper_.width(text, style.size);
    const double below = baseline_drop * style.size;
    // The baseline's beginning and its direction, downwards as pixels are.
    const double angle = style.rotated ? -std::numbers::pi / 2 : 0;
    const double right = std::cos(angle), down = std::sin(angle);
    const double from_x = x + along * right - below * down, from_y = y + along * down + below * right;
    const auto draw_outline = [&](FT_Outline& outline, double em, double advance) {
      constexpr double bold_stroke = 0.04;  // of the text's size
      if (style.bold) FT_Outline_Embolden(&outline, std::lround(bold_stroke * em));
      const double size = style.size * pixels_.scale * 64 / em;  // of a unit of the font, in 1/64 pixel
      const auto fixed = [](double value) { return static_cast<FT_Fixed>(std::lround(value * 65536)); };
      const FT_Matrix matrix{fixed(size * right), fixed(size * down), fixed(size * down),
                             fixed(-size * right)};
      FT_Outline_Transform(&outline, &matrix);
      const auto to = [&](double from, double direction) {
        return static_cast<FT_Pos>(
            std::lround((from + advance * style.size * direction) * pixels_.scale * 64));
      };
      FT_Outline_Translate(&outline, to(from_x, right), to(from_y, down));
      draw(outline, style.color, 1, whole());
    };
    shaper_.outlines(text, draw_outline, [&](char32_t character, double advance) {
      const double along_line = advance * style.size;
      draw_on_device(character, (from_x + along_line * right) * pixels_.scale,
                     (from_y + along_line * down) * pixels_.scale, style);
    });
  }

  void line(double x0, double y0, double x1, double y1, double width, Rgb color, double opacity) override {
    line_in(whole(), x0, y0, x1, y1, width, color, opacity);
  }
  void covering_line(double x0, double y0, double x1, double y1, double width, Rgb color, double opacity,
                     Rgb under) override {
    line(x0, y0, x1, y1, width, under, 1);
    line(x0, y0, x1, y1, width, color, opacity);
  }

  void map(const MapPicture& picture, const Rect& rect) override {
    const Rect at = snapped(rect);
    const MapCodes codes = map_codes(picture, pixels_.whole(at.width), pixels_.whole(at.height));
    if (codes.any_masked) hatch(picture.masked, at);
    pixels_.draw_cells(picture, codes, at);
  }

  void picture(const std::shared_ptr<const Picture>& picture, const Rect& rect) override {
    const Rect at = snapped(rect);
    const int left = pixels_.whole(at.x), top = pixels_.whole(at.y);
    const int across = pixels_.whole(at.width), down = pixels_.whole(at.height);
    if (across <= 0 || down <= 0) return;
    const Picture shown = resized(*picture, across, down, Resample::bilinear);
    const Clip seen = clip(at);
    for (int y = seen.top; y < seen.bottom; ++y)
      for (int x = seen.left; x < seen.right; ++x) {
        const std::uint8_t* from = shown.at(x - left, y - top);
        Ink{pixels_, {from[0], from[1], from[2]}, 1}.blend(x, y, 1, 255);
      }
  }

  void color_bar(const std::array<Rgb, 256>& colors, const Rect& rect) override {
    pixels_.draw_color_bar(colors, snapped(rect));
  }

  std::string finish() override {
    return png_from_pixels(pixels_.data, pixels_.width, pixels_.height, pixels_.stride, info_);
  }
  Picture drawn() const { return pixels_.picture(); }

 private:
  Clip whole() const { return {0, 0, pixels_.width, pixels_.height}; }
  /// A snapped rectangle, as far as it is on the page.
  Clip clip(const Rect& at) const {
    const int left = pixels_.whole(at.x), top = pixels_.whole(at.y);
    return {std::clamp(left, 0, pixels_.width), std::clamp(top, 0, pixels_.height),
            std::clamp(left + pixels_.whole(at.width), 0, pixels_.width),
            std::clamp(top + pixels_.whole(at.height), 0, pixels_.height)};
  }

  void draw(FT_Outline& outline, Rgb color, double opacity, const Clip& within) {
    Ink ink{pixels_, color, opacity};
    FT_Raster_Params how{};
    how.flags = FT_RASTER_FLAG_AA | FT_RASTER_FLAG_DIRECT | FT_RASTER_FLAG_CLIP;
    how.gray_spans = blend_spans;
    how.user = &ink;
    how.clip_box = {within.left, within.top, within.right, within.bottom};
    FT_Outline_Render(library_, &outline, &how);
  }

  /// With the pen at (x, y), in pixels.
  void draw_on_device(char32_t character, double x, double y, const TextStyle& style) {
    const std::optional<DeviceGlyph> glyph = device_glyph(character, style.size * pixels_.scale);
    if (!glyph) return;
    const auto pen_x = static_cast<int>(std::lround(x)), pen_y = static_cast<int>(std::lround(y));
    for (int row = 0; row < glyph->height; ++row)
      for (int column = 0; column < glyph->width; ++column) {
        const std::uint32_t pixel = glyph->pixels[row * glyph->width + column];
        const int across = glyph->left + column, below = row - glyph->top;  // of the pen, before it is turned
        const int at_x = pen_x + (style.rotated ? below : across);
        const int at_y = pen_y + (style.rotated ? -across : below);
        if (at_x < 0 || at_y < 0 || at_x >= pixels_.width || at_y >= pixels_.height) continue;
        const auto part = [pixel](unsigned shift) {
          return static_cast<std::uint8_t>(pixel >> shift & 255U);
        };
        const Rgb color = glyph->colored ? Rgb{part(0), part(8), part(16)} : style.color;
        Ink{pixels_, color, 1}.blend(at_x, at_y, 1, part(24));
      }
  }

  void line_in(const Clip& within, double x0, double y0, double x1, double y1, double width, Rgb color,
               double opacity) {
    const double length = std::hypot(x1 - x0, y1 - y0);
    if (!(length > 0)) return;
    const double across = width / 2 * (y1 - y0) / length, down = width / 2 * (x1 - x0) / length;
    const auto point = [this](double x, double y) {
      // Beyond what FreeType computes with nothing is seen.
      const auto in_64ths = [this](double v) {
        return static_cast<FT_Pos>(std::lround(std::clamp(v * pixels_.scale, -1e6, 1e6) * 64));
      };
      return FT_Vector{in_64ths(x), in_64ths(y)};
    };
    std::array<FT_Vector, 4> points{point(x0 + across, y0 - down), point(x1 + across, y1 - down),
                                    point(x1 - across, y1 + down), point(x0 - across, y0 + down)};
    FT_Outline outline{};
    std::array on_curve{on_, on_, on_, on_};
    std::array<std::remove_pointer_t<decltype(outline.contours)>, 1> ends{3};
    outline.n_contours = 1;
    outline.n_points = static_cast<decltype(outline.n_points)>(points.size());
    outline.points = points.data();
    outline.tags = on_curve.data();
    outline.contours = ends.data();
    draw(outline, color, opacity, within);
  }

  void hatch(const MaskedStyle& style, const Rect& at) {
    fill(at, style.background);
    const Clip within = clip(at);
    for (double along = hatch_spacing; along < at.width + at.height; along += hatch_spacing)
      line_in(within, at.x + along, at.y, at.x + along - at.height, at.bottom(), hatch_width, style.line, 1);
  }

  using Tag = std::remove_pointer_t<decltype(FT_Outline::tags)>;
  static constexpr Tag on_ = FT_CURVE_TAG_ON;

  TextShaper& shaper_;
  PngInfo info_;
  FT_Library library_ = nullptr;
  std::vector<std::uint32_t> memory_;
  RasterPixels pixels_;
};

}  // namespace

std::unique_ptr<Canvas> make_png_canvas(double width, double height, double dpi, TextShaper& shaper,
                                        const FigureMetadata& metadata) {
  return std::make_unique<PlainCanvas>(width, height, dpi, shaper, png_info(dpi, metadata));
}

Picture draw_picture(double width, double height, double dpi, TextShaper& shaper,
                     const std::function<void(Canvas&)>& draw) {
  PlainCanvas canvas(width, height, dpi, shaper, {});
  draw(canvas);
  return canvas.drawn();
}

}  // namespace headscope
