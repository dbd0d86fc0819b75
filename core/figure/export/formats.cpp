#include "core/figure/export/formats.h"

#include "core/base/translate.h"
#include "core/figure/canvas/canvas.h"

namespace headscope {
namespace {

constexpr FigureFormatRow rows[] = {
    {FigureFormat::png, ".png", "PNG", TR("Bitmap: for slides and the web"), make_png_canvas, true},
    {FigureFormat::svg, ".svg", "SVG", TR("Vector graphics: for the web and drawing programs"),
     make_svg_canvas},
    {FigureFormat::pdf, ".pdf", "PDF", TR("Vector graphics: for papers"), make_pdf_canvas},
};

}  // namespace

std::span<const FigureFormatRow> figure_formats() {
  return rows;
}

std::unique_ptr<Canvas> make_canvas(FigureFormat format, double width, double height, double dpi,
                                    TextShaper& shaper, const FigureMetadata& metadata) {
  return rows[static_cast<std::size_t>(format)].make_canvas(width, height, dpi, shaper, metadata);
}

}  // namespace headscope
