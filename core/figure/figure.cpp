#include "core/figure/figure.h"

#include <fmt/format.h>

#include <cmath>

#include "core/base/error.h"
#include "core/base/stopped.h"
#include "core/base/utf8.h"
#include "core/figure/boards/draw_view.h"
#include "core/figure/canvas/canvas.h"
#include "core/figure/expect_read.h"
#include "core/figure/figure_size.h"
#include "core/figure/page.h"
#include "core/figure/text/figure_font.h"
#include "core/io/formats.h"

namespace headscope {
namespace {

/// NaN is out of every range.
void check_between(const char* message, double value, double low, double high) {
  // A length in millimetres is many digits of an inch.
  if (!(value >= low && value <= high)) throw input_error(message, fmt::format("{:.6g}", value), low, high);
}

FigureOptions with_height(FigureOptions options, const Scene& scene) {
  options.keep_width = options.keep_width || !options.height;
  if (!options.height) options.height = figure_height(scene, options);
  return options;
}

std::string draw(const FigureFormatRow& format, const Scene& scene, const std::string& metadata,
                 const FigureOptions& options, FigureFindings* findings = nullptr) {
  const FigureOptions sized = with_height(options, scene);
  validate(sized, format.pixels);
  TextShaper shaper(options.font);
  Page page(scene, sized, shaper, !format.pixels);
  page.note_into(findings);
  // The title may be the sentence itself.
  const std::string title = metadata.empty() ? "" : figure_title(scene, Translator(options.language));
  const auto canvas = format.make_canvas(page.width(), page.height(), options.dpi, shaper,
                                         {title.empty() ? "Headscope" : printable(title), metadata});
  page.draw(*canvas);
  if (findings != nullptr) findings->missing = shaper.missing();
  check_stop(scene.stop);
  expect_read(scene);
  return canvas->finish();
}

}  // namespace

void validate(const FigureOptions& options, bool pixels) {
  using L = FigureLimits;
  check_between(TR("width is {} inches; expected {} to {}"), options.width, L::min_inches, L::max_inches);
  const double height = options.height.value_or(options.width);
  check_between(TR("height is {} inches; expected {} to {}"), height, L::min_inches, L::max_inches);
  check_between(TR("dpi is {}; expected {} to {}"), options.dpi, L::min_dpi, L::max_dpi);
  if (!pixels) return;
  check_between(TR("width is {} pixels; expected {} to {}"), std::round(options.width * options.dpi), 1,
                L::max_pixels);
  check_between(TR("height is {} pixels; expected {} to {}"), std::round(height * options.dpi), 1,
                L::max_pixels);
  const double megapixels = options.width * options.dpi * height * options.dpi / 1e6;
  if (megapixels > L::max_megapixels)
    throw input_error("{} × {} inches at {} dpi is {} megapixels; expected at most {}",
                      fmt::format("{:.3g}", options.width), fmt::format("{:.3g}", height), options.dpi,
                      static_cast<std::int64_t>(megapixels), L::max_megapixels);
}

Forecast forecast_of_figure(const Scene& scene) {
  const auto forecast = view_figure(scene.view.kind).forecast;
  return forecast == nullptr || scene.empty() ? Forecast() : forecast(scene);
}

FigureFindings export_figure(const std::string& path, const Scene& scene, const std::string& metadata,
                             const FigureOptions& options) {
  FigureFindings findings;
  const FigureFormatRow& format = expect_format(figure_formats(), path);
  const std::string drawn = draw(format, scene, metadata, options, &findings);
  if (options.expects_letters && format.format != FigureFormat::svg) expect_letters(findings.missing);
  write_file(path, drawn);
  return findings;
}

namespace {

std::string labels_text(const Translator& tr, int every) {
  if (every == 1) return "";
  return every == 0 ? tr("Tokens have no labels: the figure is too small")
                    : tr("1 of {} tokens has a label: a larger figure has more", every);
}

}  // namespace

std::string small_text(const Translator& tr, const FigureFindings& findings) {
  constexpr double rounding = 0.05;
  if (findings.smallest_text <= 0 || findings.smallest_text >= readable_text - rounding) return "";
  return tr("The smallest text is {} pt: under {} pt is hard to read in print",
            fmt::format("{:.1f}", findings.smallest_text), readable_text);
}

std::string findings_text(const Translator& tr, const FigureFindings& findings) {
  std::string found = missing_text(tr, findings.missing);
  for (const std::string& text : {small_text(tr, findings), labels_text(tr, findings.labelled_every)})
    if (!text.empty()) found += (found.empty() ? "" : tr("; ")) + text;
  return found;
}

std::string figure_png(const Scene& scene, const std::string& metadata, const FigureOptions& options) {
  return draw(figure_formats().front(), scene, metadata, options);
}

Picture figure_picture(const Scene& scene, const FigureOptions& options, FigureFindings* findings) {
  TextShaper shaper(options.font);
  const FigureOptions sized = with_height(options, scene);
  Page page(scene, sized, shaper, false);
  page.note_into(findings);
  Picture picture = draw_picture(page.width(), page.height(), options.dpi, shaper,
                                 [&](Canvas& canvas) { page.draw(canvas); });
  if (findings == nullptr) return picture;
  findings->missing = shaper.missing();
  for (FigureHandle& handle : findings->handles)
    for (Rect* const rect : {&handle.place, &handle.map}) rect->x -= page.cut().x, rect->y -= page.cut().y;
  return picture;
}

}  // namespace headscope
