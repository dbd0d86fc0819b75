#include "core/figure/figure_size.h"

#include <algorithm>
#include <cmath>

#include "core/base/translate.h"
#include "core/figure/boards/draw_parts.h"
#include "core/figure/boards/draw_view.h"
#include "core/figure/page.h"

namespace headscope {
namespace {

constexpr FigureSize sizes[] = {
    {"notebook", TR("Notebook"), TR("16 × 8 inches at 100 dpi"), 16, 8, 100, 9},
    {"column", TR("One column"), TR("3.4 inches wide, as high as the figure needs"), 3.4, {}, print_dpi, 8},
    {"two-columns", TR("Two columns"), TR("7 inches wide, as high as the figure needs"), 7, {}, print_dpi, 8},
    {"slide", TR("Slide"), TR("13.3 × 7.5 inches"), 13.3, 7.5, print_dpi, 14},
    {"poster", TR("Poster"), TR("20 × 13 inches"), 20, 13, 150, 24},
};

}  // namespace

std::span<const FigureSize> figure_sizes() {
  return sizes;
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
