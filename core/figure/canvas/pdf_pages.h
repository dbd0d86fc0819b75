#pragma once
#include "core/figure/canvas/canvas.h"

namespace headscope {

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

}  // namespace headscope
