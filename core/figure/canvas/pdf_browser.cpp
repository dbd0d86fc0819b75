// In a page PDF is what the browser prints (app/window/page/print.js): pages of SVG, whose letters it joins.
#include "core/figure/canvas/canvas.h"
#include "core/figure/canvas/formats.h"

extern "C" int page_prints();

namespace headscope {

bool writes_pdf() {
  return page_prints() != 0;
}
std::unique_ptr<Canvas> make_pdf_canvas(double width, double height, double dpi, TextShaper& shaper,
                                        const FigureMetadata& metadata) {
  return make_svg_canvas(width, height, dpi, shaper, metadata);
}

}  // namespace headscope
