#include "core/figure/figure.h"

#include <fmt/ranges.h>

#include <cmath>

#include "core/base/error.h"
#include "core/figure/canvas.h"
#include "core/figure/draw_view.h"
#include "core/figure/metadata.h"
#include "core/io/formats.h"

namespace headscope {
namespace {

constexpr double points_per_inch = 72;

const FigureFormatRow& format_of(const std::string& path) {
  if (const FigureFormatRow* format = find_format(figure_formats(), path)) return *format;
  const std::vector<std::string> known = endings(figure_formats());
  const std::string last = known.back();
  const std::string others = fmt::format("{}", fmt::join(std::span(known).first(known.size() - 1), ", "));
  const std::string end = ending(path);
  if (end.empty()) throw input_error("{} has no extension; expected {} or {}", path, others, last);
  throw input_error("{} ends in {}; expected {} or {}", path, end, others, last);
}

/// NaN is out of every range.
void check_between(const char* message, double value, double low, double high) {
  if (!(value >= low && value <= high)) throw input_error(message, value, low, high);
}

std::string draw(const FigureFormatRow& format, const Scene& scene, const std::string& metadata,
                 const FigureOptions& options) {
  validate(options, format.pixels);
  const Translator tr(options.language);
  const FigureStyle style = figure_style(scene.view.theme);
  const double width = options.width * points_per_inch, height = options.height * points_per_inch;
  const std::string title = figure_title(scene, tr);
  TextShaper shaper;
  const auto canvas =
      format.make_canvas(width, height, options.dpi, shaper, {title.empty() ? "Headscope" : title, metadata});
  draw_view({*canvas, shaper, style, tr}, scene, width, height);
  return canvas->finish();
}

}  // namespace

void validate(const FigureOptions& options, bool pixels) {
  using L = FigureLimits;
  check_between(TR("width is {} inches; expected {} to {}"), options.width, L::least_inches, L::most_inches);
  check_between(TR("height is {} inches; expected {} to {}"), options.height, L::least_inches,
                L::most_inches);
  check_between(TR("dpi is {}; expected {} to {}"), options.dpi, L::least_dpi, L::most_dpi);
  if (!pixels) return;
  check_between(TR("width is {} pixels; expected {} to {}"), std::round(options.width * options.dpi), 1,
                L::most_pixels);
  check_between(TR("height is {} pixels; expected {} to {}"), std::round(options.height * options.dpi), 1,
                L::most_pixels);
  const double megapixels = options.width * options.dpi * options.height * options.dpi / 1e6;
  if (megapixels > L::most_megapixels)
    throw input_error("{} × {} inches at {} dpi is {} megapixels; expected at most {}", options.width,
                      options.height, options.dpi, static_cast<long>(megapixels), L::most_megapixels);
}

void export_figure(const std::string& path, const Scene& scene, const std::string& metadata,
                   const FigureOptions& options) {
  write_file(path, draw(format_of(path), scene, metadata, options));
}

std::string figure_png(const Scene& scene, const std::string& metadata, const FigureOptions& options) {
  return draw(figure_formats().front(), scene, metadata, options);
}

}  // namespace headscope
