#include "core/figure/figure_size.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "core/base/translate.h"
#include "core/figure/boards/draw_parts.h"
#include "core/figure/boards/draw_view.h"
#include "core/figure/page.h"

namespace headscope {
namespace {

constexpr double mm(double millimetres) {
  return millimetres / mm_per_inch;
}

// The widths of columns are those of the journals' guides for authors; text is as large as theirs allow.
constexpr FigureSize sizes[] = {
    {"screen", TR("As on screen"), TR("Same proportions as the view in this window"), 16, 8, print_dpi, 9,
     false, true},
    {"column",
     TR("One column"),
     TR("85 mm wide, as high as the figure needs"),
     mm(85),
     {},
     print_dpi,
     8,
     true},
    {"two-columns",
     TR("Two columns"),
     TR("178 mm wide, as high as the figure needs"),
     mm(178),
     {},
     print_dpi,
     8,
     true},
    {"nature",
     TR("Nature, one column"),
     TR("89 mm wide, as high as the figure needs"),
     mm(89),
     {},
     print_dpi,
     7,
     true,
     false,
     Letters::bold},
    {"nature-two-columns",
     TR("Nature, two columns"),
     TR("183 mm wide, as high as the figure needs"),
     mm(183),
     {},
     print_dpi,
     7,
     true,
     false,
     Letters::bold},
    {"ieee",
     TR("IEEE, one column"),
     TR("3.5 inches (88.9 mm) wide, as high as the figure needs"),
     3.5,
     {},
     print_dpi,
     8,
     true},
    {"ieee-two-columns",
     TR("IEEE, two columns"),
     TR("7.16 inches (182 mm) wide, as high as the figure needs"),
     7.16,
     {},
     print_dpi,
     8,
     true},
    {"slide", TR("Slide 16 : 9"), TR("13.3 × 7.5 inches"), 40.0 / 3, 7.5, 288, 14},
    {"poster", TR("Poster"), TR("20 × 13 inches"), 20, 13, 150, 24},
    {"notebook", TR("Notebook"), TR("16 × 8 inches at 100 dpi"), 16, 8, 100, 9},
};

}  // namespace

std::span<const FigureSize> figure_sizes() {
  return sizes;
}

const FigureSize* find_figure_size(std::string_view name) {
  const auto found =
      std::ranges::find(sizes, name, [](const FigureSize& size) { return std::string_view(size.name); });
  return found == std::end(sizes) ? nullptr : found;
}

void use_size(const FigureSize& size, FigureOptions& options) {
  options.width = size.width;
  options.height = size.height;
  options.dpi = size.dpi;
  options.font_size = size.font_size;
  options.extras.as_on_screen = size.as_on_screen;
}

void use_size(const FigureSize& size, View& view) {
  if (!size.column) return;
  view.show_title = false;
  view.theme = Theme::light;  // paper is white
  if (view.range.kind == Range::head) view.range.kind = Range::shared;
}

double figure_height(const Scene& scene, const FigureOptions& options) {
  constexpr double minimum = 0.4, maximum = 1.3;  // of the width
  const double points = options.width * points_per_inch;
  if (scene.empty()) return minimum * options.width;
  const FigureStyle style = figure_style(scene.view.theme, options.font_size);
  double height = view_figure(scene.view.kind).height(scene, points - 2 * style.margin, style.font_size) +
                  2 * style.margin;
  if (options.extras.effect && has_effect(scene)) height += effect_height(style.font_size);
  if (scene.view.show_title) height += 1.7 * style.title_size;
  // Rounded to hundredths, as they are shown.
  return std::ceil(std::clamp(height, minimum * points, std::max(maximum * points, sheet_height)) /
                   points_per_inch * 100) /
         100;
}

}  // namespace headscope
