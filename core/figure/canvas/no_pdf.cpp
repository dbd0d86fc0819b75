// In place of the PDF of cairo_canvas.cpp where there is no Cairo.
#include "core/base/error.h"
#include "core/figure/canvas/canvas.h"
#include "core/figure/canvas/formats.h"

namespace headscope {

bool writes_pdf() {
  return false;
}
std::unique_ptr<Canvas> make_pdf_canvas(double, double, double, TextShaper&, const FigureMetadata&) {
  throw unable_error("this headscope was built without Cairo and Pango; it writes no PDF");
}

}  // namespace headscope
