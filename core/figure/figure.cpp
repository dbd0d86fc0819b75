#include "core/figure/figure.h"

#include <cmath>

#include "core/base/error.h"
#include "core/figure/draw_view.h"
#include "core/figure/metadata.h"
#include "core/io/file.h"

namespace headscope {
namespace {

constexpr double points_per_inch = 72;

FigureFormat format_of(const std::string& path) {
  const std::string end = ending(path);
  if (end == ".png") return FigureFormat::png;
  if (end == ".svg") return FigureFormat::svg;
  if (end == ".pdf") return FigureFormat::pdf;
  if (end.empty()) throw input_error("{} has no ending: expected .png, .svg or .pdf", path);
  throw input_error("{} ends in {}: expected .png, .svg or .pdf", path, end);
}

/// NaN is out of every range.
void check_between(const char* message, double value, double low, double high) {
  if (!(value >= low && value <= high)) throw input_error(message, value, low, high);
}

std::string draw(FigureFormat format, const Scene& scene, const std::string& metadata,
                 const FigureOptions& options) {
  validate(options, format == FigureFormat::png);
  const Translator tr(options.language);
  const FigureStyle style = figure_style(scene.view.theme);
  const double width = options.width * points_per_inch, height = options.height * points_per_inch;
  const std::string title = figure_title(scene, tr);
  TextShaper shaper;
  const auto canvas = make_canvas(format, width, height, options.dpi, shaper,
                                  {title.empty() ? "Headscope" : title, metadata});
  draw_view({*canvas, shaper, style, tr}, scene, width, height);
  return canvas->finish();
}

}  // namespace

void validate(const FigureOptions& options, bool pixels) {
  using L = FigureLimits;
  check_between(TR("width {} is out of range: expected {} to {} inches"), options.width, L::least_inches,
                L::most_inches);
  check_between(TR("height {} is out of range: expected {} to {} inches"), options.height, L::least_inches,
                L::most_inches);
  check_between(TR("dpi {} is out of range: expected {} to {}"), options.dpi, L::least_dpi, L::most_dpi);
  if (!pixels) return;
  check_between(TR("width in pixels {} is out of range: expected {} to {}"),
                std::round(options.width * options.dpi), 1, L::most_pixels);
  check_between(TR("height in pixels {} is out of range: expected {} to {}"),
                std::round(options.height * options.dpi), 1, L::most_pixels);
  const double megapixels = options.width * options.dpi * options.height * options.dpi / 1e6;
  if (megapixels > L::most_megapixels)
    throw input_error("{} x {} inches at {} dpi are {} megapixels: expected at most {}", options.width,
                      options.height, options.dpi, static_cast<long>(megapixels), L::most_megapixels);
}

void export_figure(const std::string& path, const Scene& scene, const std::string& metadata,
                   const FigureOptions& options) {
  write_file(path, draw(format_of(path), scene, metadata, options));
}

std::string figure_png(const Scene& scene, const std::string& metadata, const FigureOptions& options) {
  return draw(FigureFormat::png, scene, metadata, options);
}

}  // namespace headscope
