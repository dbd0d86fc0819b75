#pragma once
#include <array>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/figure/canvas/formats.h"
#include "core/figure/canvas/pool.h"
#include "core/figure/canvas/rect.h"
#include "core/figure/text/text_shaper.h"
#include "core/picture/picture.h"
#include "core/scene/colormap.h"

namespace headscope {

enum class Anchor { start, middle, end };

/// One line of text. Its middle (of a small letter with its ascender) is at (x, y); `anchor` says which point
/// of the line is there. Rotated text reads upwards.
struct TextStyle {
  double size = 9;
  Rgb color;
  Anchor anchor = Anchor::start;
  bool rotated = false;
  bool bold = false;
};

/// Metadata stored in a figure's file.
struct FigureMetadata {
  std::string title;    ///< for people
  std::string session;  ///< JSON; empty: not stored
};

/// A surface to draw a figure on, in points (1/72 inch) from its upper left corner. Everything is drawn in
/// the order of the calls.
class Canvas {
 public:
  virtual ~Canvas() = default;
  virtual void fill(const Rect& rect, Rgb color) = 0;
  virtual void text(std::string_view text, double x, double y, const TextStyle& style) = 0;
  virtual void line(double x0, double y0, double x1, double y1, double width, Rgb color, double opacity) = 0;
  /// The same, opaque, as if blended over `under`: it covers earlier lines instead of mixing with them.
  virtual void covering_line(double x0, double y0, double x1, double y1, double width, Rgb color,
                             double opacity, [[maybe_unused]] Rgb under) {
    line(x0, y0, x1, y1, width, color, opacity);
  }
  virtual void map(const MapPicture& picture, const Rect& rect) = 0;
  /// Pixels, scaled to `rect`.
  virtual void picture(const std::shared_ptr<const Picture>& picture, const Rect& rect) = 0;
  /// The 256 colours, the last one on top; in a bar that is wider than high, to the right.
  virtual void color_bar(const std::array<Rgb, 256>& colors, const Rect& rect) = 0;
  /// `rect` with edges where the canvas can draw them sharply.
  virtual Rect snapped(const Rect& rect) const { return rect; }
  /// Whether viewers scale the drawing, so that a map keeps its cells (map_codes_for_print).
  virtual bool scales() const { return false; }
  /// Thinnest line that is drawn evenly.
  virtual double hairline() const { return 0.5; }
  /// The file's bytes; nothing can be drawn afterwards.
  virtual std::string finish() = 0;
};

/// As FigureFormatRow::make_canvas.
std::unique_ptr<Canvas> make_canvas(FigureFormat format, double width, double height, double dpi,
                                    TextShaper& shaper, const FigureMetadata& metadata);

/// A PDF of several pages of one size, in points. Drawing goes to the current page; the last one drawn on is
/// the last of the file.
class PdfPages {
 public:
  /// `dpi`: the resolution that a map with more cells is pooled for.
  PdfPages(double width, double height, double dpi, TextShaper& shaper, const FigureMetadata& metadata);

  Canvas& canvas() { return *canvas_; }
  /// The context that the canvas draws on, for text of several looks and for figures elsewhere than at the
  /// corner.
  cairo_t* context() { return context_; }
  void next_page();
  /// As Canvas::finish.
  std::string finish() { return canvas_->finish(); }

 private:
  std::unique_ptr<Canvas> canvas_;
  cairo_t* context_ = nullptr;
};

/// What `draw` draws on a page of width x height points, as a PNG would show it.
Picture draw_picture(double width, double height, double dpi, TextShaper& shaper,
                     const std::function<void(Canvas&)>& draw);

/// The vertical extent of a text: from its highest letters to those that reach below the line.
Rect text_box(TextShaper& shaper, std::string_view text, double x, double y, const TextStyle& style);

/// The hatch of masked cells: lines at 45 degrees, this far apart along the axes and this wide, in points. On
/// the screen one pixel in six (heatmap_painter.h), at 96 pixels an inch.
inline constexpr double hatch_spacing = 4.5;
inline constexpr double hatch_width = 0.55;

/// A text's baseline is this share of its size below its middle.
inline constexpr double baseline_drop = 0.35;

}  // namespace headscope
