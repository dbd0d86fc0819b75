#include <cairo-pdf.h>
#include <cairo.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <numbers>

#include "core/base/error.h"
#include "core/base/utf8.h"
#include "core/figure/canvas/canvas.h"
#include "core/figure/canvas/formats.h"
#include "core/figure/canvas/png_writer.h"
#include "core/figure/canvas/pool.h"
#include "core/figure/canvas/raster_pixels.h"

namespace headscope {
namespace {

struct DestroySurface {
  void operator()(cairo_surface_t* surface) const { cairo_surface_destroy(surface); }
};
struct DestroyContext {
  void operator()(cairo_t* cr) const { cairo_destroy(cr); }
};
using Surface = std::unique_ptr<cairo_surface_t, DestroySurface>;
using Context = std::unique_ptr<cairo_t, DestroyContext>;

void check(cairo_status_t status) {
  if (status != CAIRO_STATUS_SUCCESS)
    throw unable_error("the figure cannot be drawn: {}", cairo_status_to_string(status));
}

/// Up to this many cells per side a PDF has rectangles: some viewers ignore that an image is not to be
/// smoothed.
constexpr int max_vector_cells = 64;

/// What PNG and PDF share.
class CairoCanvas : public Canvas {
 public:
  CairoCanvas(Surface surface, TextShaper& shaper) : surface_(std::move(surface)), shaper_(shaper) {
    check(cairo_surface_status(surface_.get()));
    cr_.reset(cairo_create(surface_.get()));
    check(cairo_status(cr_.get()));
  }

  void fill(const Rect& rect, Rgb color) override {
    const Rect r = snapped(rect);
    set_color(color, 1);
    cairo_rectangle(cr(), r.x, r.y, r.width, r.height);
    cairo_fill(cr());
  }

  void text(std::string_view text, double x, double y, const TextStyle& style) override {
    const double share = style.anchor == Anchor::start ? 0 : style.anchor == Anchor::middle ? 0.5 : 1;
    cairo_save(cr());
    cairo_translate(cr(), x, y);
    if (style.rotated) cairo_rotate(cr(), -std::numbers::pi / 2);
    cairo_translate(cr(), share == 0 ? 0 : -share * shaper_.width(text, style.size, style.bold),
                    baseline_drop * style.size);
    set_color(style.color, 1);
    shaper_.draw(cr(), text, style.size, style.bold);
    cairo_restore(cr());
  }

  cairo_t* context() const { return cr_.get(); }

  void picture(const std::shared_ptr<const Picture>& shared, const Rect& rect) override {
    const Picture& picture = *shared;
    const Surface pixels(cairo_image_surface_create(CAIRO_FORMAT_RGB24, picture.width, picture.height));
    check(cairo_surface_status(pixels.get()));
    unsigned char* rows = cairo_image_surface_get_data(pixels.get());
    const int stride = cairo_image_surface_get_stride(pixels.get());
    for (int y = 0; y < picture.height; ++y)
      for (int x = 0; x < picture.width; ++x) {
        const std::uint8_t* from =
            picture.rgba.data() + 4 * (static_cast<std::ptrdiff_t>(y) * picture.width + x);
        const std::uint32_t color = raster_pixel({from[0], from[1], from[2]});
        std::memcpy(rows + static_cast<std::ptrdiff_t>(y) * stride + 4 * x, &color, sizeof color);
      }
    cairo_surface_mark_dirty(pixels.get());
    cairo_save(cr());
    cairo_translate(cr(), rect.x, rect.y);
    cairo_scale(cr(), rect.width / picture.width, rect.height / picture.height);
    cairo_set_source_surface(cr(), pixels.get(), 0, 0);
    cairo_pattern_set_filter(cairo_get_source(cr()), CAIRO_FILTER_GOOD);
    cairo_pattern_set_extend(cairo_get_source(cr()), CAIRO_EXTEND_PAD);
    cairo_rectangle(cr(), 0, 0, picture.width, picture.height);
    cairo_fill(cr());
    cairo_restore(cr());
  }

  void line(double x0, double y0, double x1, double y1, double width, Rgb color, double opacity) override {
    set_color(color, opacity);
    cairo_set_line_width(cr(), width);
    cairo_move_to(cr(), x0, y0);
    cairo_line_to(cr(), x1, y1);
    cairo_stroke(cr());
  }
  void covering_line(double x0, double y0, double x1, double y1, double width, Rgb color, double opacity,
                     Rgb under) override {
    line(x0, y0, x1, y1, width, under, 1);
    line(x0, y0, x1, y1, width, color, opacity);
  }

 protected:
  cairo_t* cr() const { return cr_.get(); }
  cairo_surface_t* surface() const { return surface_.get(); }

  void set_color(Rgb c, double opacity) {
    cairo_set_source_rgba(cr(), c.r / 255.0, c.g / 255.0, c.b / 255.0, opacity);
  }

  void hatch(const MaskedStyle& style, const Rect& rect) {
    cairo_save(cr());
    cairo_rectangle(cr(), rect.x, rect.y, rect.width, rect.height);
    cairo_clip(cr());
    set_color(style.background, 1);
    cairo_paint(cr());
    set_color(style.line, 1);
    cairo_set_line_width(cr(), hatch_width);
    for (double at = hatch_spacing; at < rect.width + rect.height; at += hatch_spacing) {
      cairo_move_to(cr(), rect.x + at, rect.y);
      cairo_line_to(cr(), rect.x + at - rect.height, rect.bottom());
    }
    cairo_stroke(cr());
    cairo_restore(cr());
  }

  void finish_drawing() {
    check(cairo_status(cr()));
    cairo_surface_flush(surface());
  }

 private:
  Surface surface_;
  Context cr_;
  TextShaper& shaper_;
};

/// The pixels that PNG is written from.
class RasterCanvas : public CairoCanvas {
 public:
  RasterCanvas(double width, double height, double dpi, TextShaper& shaper, PngInfo info)
      : CairoCanvas(Surface(cairo_image_surface_create(CAIRO_FORMAT_RGB24, pixels_of_page(width, dpi),
                                                       pixels_of_page(height, dpi))),
                    shaper),
        scale_(dpi / 72),
        info_(std::move(info)) {
    cairo_scale(cr(), scale_, scale_);
  }

  Rect snapped(const Rect& rect) const override { return pixels().snapped(rect); }

  double hairline() const override { return std::max(0.5, 1 / scale_); }

  void map(const MapPicture& picture, const Rect& rect) override {
    const Rect at = snapped(rect);
    const MapCodes codes = map_codes(picture, pixels().whole(at.width), pixels().whole(at.height));
    if (codes.any_masked) hatch(picture.masked, at);
    cairo_surface_flush(surface());
    pixels().draw_cells(picture, codes, at);
    cairo_surface_mark_dirty(surface());
  }

  void color_bar(const std::array<Rgb, 256>& colors, const Rect& rect) override {
    cairo_surface_flush(surface());
    pixels().draw_color_bar(colors, snapped(rect));
    cairo_surface_mark_dirty(surface());
  }

  std::string finish() override {
    finish_drawing();
    const RasterPixels all = pixels();
    return png_from_pixels(all.data, all.width, all.height, all.stride, info_);
  }

  Picture drawn() {
    finish_drawing();
    return pixels().picture();
  }

 private:
  RasterPixels pixels() const {
    return {reinterpret_cast<std::uint32_t*>(cairo_image_surface_get_data(surface())),
            cairo_image_surface_get_width(surface()), cairo_image_surface_get_height(surface()),
            cairo_image_surface_get_stride(surface()) / 4, scale_};
  }

  double scale_;  // pixels a point
  PngInfo info_;
};

// No exception may pass through C.
cairo_status_t append_bytes(void* to, const unsigned char* data, unsigned int length) try {
  static_cast<std::string*>(to)->append(reinterpret_cast<const char*>(data), length);
  return CAIRO_STATUS_SUCCESS;
} catch (const std::exception&) {
  return CAIRO_STATUS_NO_MEMORY;
}

class PdfCanvas : public CairoCanvas {
 public:
  PdfCanvas(double width, double height, double dpi, TextShaper& shaper, std::unique_ptr<std::string> bytes)
      : CairoCanvas(Surface(cairo_pdf_surface_create_for_stream(append_bytes, bytes.get(), width, height)),
                    shaper),
        bytes_(std::move(bytes)),
        dpi_(dpi) {
    // Cairo 1.18 would write 1.7, whose compressed object streams older readers do not know.
    cairo_pdf_surface_restrict_to_version(surface(), CAIRO_PDF_VERSION_1_4);
  }

  void describe(const FigureMetadata& metadata) {
    const auto set = [this](cairo_pdf_metadata_t field, const std::string& text) {
      cairo_pdf_surface_set_metadata(surface(), field, without_noncharacters(text).c_str());
    };
    set(CAIRO_PDF_METADATA_TITLE, metadata.title);
    set(CAIRO_PDF_METADATA_CREATOR, "Headscope");
    if (!metadata.session.empty()) set(CAIRO_PDF_METADATA_KEYWORDS, pdf_keywords(metadata.session));
  }

  ~PdfCanvas() override {
    cairo_surface_finish(surface());
  }  // its last bytes, while they can still be stored
  PdfCanvas(const PdfCanvas&) = delete;
  PdfCanvas& operator=(const PdfCanvas&) = delete;

  bool scales() const override { return true; }
  void map(const MapPicture& picture, const Rect& rect) override {
    const WholeCells whole = whole_cells(picture, rect);
    const MapCodes map = map_codes_for_print(whole.picture, whole.rect, dpi_);
    if (map.pooled.columns == 0 || map.pooled.rows == 0) return;
    if (map.any_masked) hatch(picture.masked, rect);
    if (whole.cut) {
      cairo_save(cr());
      cairo_rectangle(cr(), rect.x, rect.y, rect.width, rect.height);
      cairo_clip(cr());
    }
    if (std::max(map.pooled.columns, map.pooled.rows) <= max_vector_cells)
      rectangles(picture, map, whole.rect);
    else
      image(picture, map, whole.rect);
    if (whole.cut) cairo_restore(cr());
  }

  void color_bar(const std::array<Rgb, 256>& colors, const Rect& rect) override {
    // Each reaches to the end, under the next ones: no viewer shows gaps between them.
    for (int i = 0; i < 256; ++i) {
      const double rest = (256 - i) / 256.0;
      set_color(colors[i], 1);
      if (rect.width > rect.height)
        cairo_rectangle(cr(), rect.right() - rest * rect.width, rect.y, rest * rect.width, rect.height);
      else
        cairo_rectangle(cr(), rect.x, rect.y, rect.width, rest * rect.height);
      cairo_fill(cr());
    }
  }

  std::string finish() override {
    finish_drawing();
    cairo_surface_finish(surface());
    check(cairo_surface_status(surface()));
    return std::move(*bytes_);
  }

 private:
  /// Cells reach under those right of and below them, which cover them later: where a viewer smooths their
  /// edges, nothing else shines through.
  void rectangles(const MapPicture& picture, const MapCodes& map, const Rect& rect) {
    const int columns = map.pooled.columns, rows = map.pooled.rows;
    const double width = rect.width / columns, height = rect.height / rows;
    const auto code = [&](int y, int x) {
      return y < rows && x < columns ? map.codes[y * columns + x] : code_masked;
    };
    for (int y = 0; y < rows; ++y)
      for (int x = 0; x < columns; ++x) {
        if (code(y, x) == code_masked) continue;
        const bool right = code(y, x + 1) != code_masked;
        const bool down = code(y + 1, x) != code_masked && (!right || code(y + 1, x + 1) != code_masked);
        const std::uint32_t color = raster_pixel(picture, code(y, x));
        const auto part = [color](int shift) { return static_cast<std::uint8_t>(color >> shift & 255U); };
        set_color({part(16), part(8), part(0)}, 1);
        cairo_rectangle(cr(), rect.x + x * width, rect.y + y * height, width * (right ? 2 : 1),
                        height * (down ? 2 : 1));
        cairo_fill(cr());
      }
  }

  void image(const MapPicture& picture, const MapCodes& map, const Rect& rect) {
    const cairo_format_t format = map.any_masked ? CAIRO_FORMAT_ARGB32 : CAIRO_FORMAT_RGB24;
    const Surface image(cairo_image_surface_create(format, map.pooled.columns, map.pooled.rows));
    check(cairo_surface_status(image.get()));
    const std::ptrdiff_t stride = cairo_image_surface_get_stride(image.get());
    for (int y = 0; y < map.pooled.rows; ++y) {
      auto* to = reinterpret_cast<std::uint32_t*>(cairo_image_surface_get_data(image.get()) + y * stride);
      for (int x = 0; x < map.pooled.columns; ++x) {
        const std::uint16_t code = map.codes[y * static_cast<std::size_t>(map.pooled.columns) + x];
        to[x] = code == code_masked ? 0 : raster_pixel(picture, code);
      }
    }
    paint(image.get(), rect, CAIRO_FILTER_NEAREST);
  }

  void paint(cairo_surface_t* image, const Rect& rect, cairo_filter_t filter) {
    cairo_surface_mark_dirty(image);
    cairo_save(cr());
    cairo_rectangle(cr(), rect.x, rect.y, rect.width, rect.height);
    cairo_clip(cr());
    cairo_translate(cr(), rect.x, rect.y);
    cairo_scale(cr(), rect.width / cairo_image_surface_get_width(image),
                rect.height / cairo_image_surface_get_height(image));
    cairo_set_source_surface(cr(), image, 0, 0);
    cairo_pattern_set_filter(cairo_get_source(cr()), filter);
    cairo_paint(cr());
    cairo_restore(cr());
  }

  std::unique_ptr<std::string> bytes_;  // the surface holds its address
  double dpi_;
};

}  // namespace

std::unique_ptr<Canvas> make_png_canvas(double width, double height, double dpi, TextShaper& shaper,
                                        const FigureMetadata& metadata) {
  return std::make_unique<RasterCanvas>(width, height, dpi, shaper, png_info(dpi, metadata));
}

Picture draw_picture(double width, double height, double dpi, TextShaper& shaper,
                     const std::function<void(Canvas&)>& draw) {
  RasterCanvas canvas(width, height, dpi, shaper, {});
  draw(canvas);
  return canvas.drawn();
}

bool writes_pdf() {
  return true;
}
std::unique_ptr<Canvas> make_pdf_canvas(double width, double height, double dpi, TextShaper& shaper,
                                        const FigureMetadata& metadata) {
  auto canvas = std::make_unique<PdfCanvas>(width, height, dpi, shaper, std::make_unique<std::string>());
  canvas->describe(metadata);
  return canvas;
}

PdfPages::PdfPages(double width, double height, double dpi, TextShaper& shaper,
                   const FigureMetadata& metadata) {
  auto canvas = std::make_unique<PdfCanvas>(width, height, dpi, shaper, std::make_unique<std::string>());
  canvas->describe(metadata);
  context_ = canvas->context();
  canvas_ = std::move(canvas);
}

void PdfPages::next_page() {
  cairo_show_page(context_);
}

}  // namespace headscope
