#include "core/figure/export/figure_size.h"

#include <algorithm>
#include <cmath>

#include "core/base/translate.h"
#include "core/figure/boards/figure_style.h"
#include "core/figure/boards/layout.h"
#include "core/figure/boards/vertical_text.h"

namespace headscope {
namespace {

constexpr double points_per_inch = 72;

constexpr FigureSize sizes[] = {
    {"notebook", TR("Notebook"), TR("16 × 8 inches at 100 dpi"), 16, 8, 100},
    {"column", TR("One column"), TR("3.4 inches wide, as high as the figure needs"), 3.4, {}, print_dpi},
    {"two-columns", TR("Two columns"), TR("7 inches wide, as high as the figure needs"), 7, {}, print_dpi},
    {"slide", TR("Slide"), TR("13.3 × 7.5 inches"), 13.3, 7.5, print_dpi},
};

/// How far key labels extend below a map, in sizes of their text.
double key_length(const Scene& scene) {
  constexpr double letter = 0.55, maximum = 6;
  double longest = 0;
  for (const Token& token : scene.block->key_tokens) {
    const auto characters = static_cast<double>(character_starts(token.text).size());
    longest = std::max(longest, characters * (is_vertical(token.text) ? 1 : letter));
  }
  return std::min(longest, maximum);
}

/// For maps side by side with this ratio of height to width: the rest is text, smaller next to small maps,
/// and colour bars.
double of_maps(const Scene& scene, GridShape shape, double aspect, double width, double font, bool own_bars) {
  constexpr double roomy = 110;  // points for a map with text of the full size
  const double column = width / shape.columns, text = font * std::clamp(column / roomy, 0.7, 1.0);
  const double map = (own_bars ? 0.62 : 0.74) * column;
  return shape.rows * (map * aspect + 2.4 * text) + (2 + key_length(scene)) * text;
}

GridShape shape_of(const Scene& scene, double aspect) {
  const auto heads = static_cast<int>(scene.heads.size());
  return largest_shape(grid_shapes(heads, scene.view.rows, scene.view.columns), heads, [&](GridShape shape) {
    return std::min(2.0 / shape.columns, 1.0 / shape.rows / aspect);
  });
}

/// For maps above each other, each high enough that every row has its word.
double of_whole_model(const Scene& scene, double font) {
  if (scene.trace == nullptr) return 0;
  double maps = 0;
  for (const BlockTrace& block : scene.trace->blocks)
    maps = std::max(maps, block.layer_count() * (static_cast<double>(block.n_q()) + 2.5));
  return (maps + 8) * 0.95 * font;
}

double of_table(const Scene& scene, double width, double font) {
  const double rows = scene.block->layer_count() * scene.block->heads();
  const double table = std::min(rows, 40.0) * 1.8 * font + 5 * font;
  if (scene.view.table == TableHalf::numbers || rows < 2) return table;
  if (scene.view.table == TableHalf::similarity) return width;
  return 0.85 * width + table;
}

/// In points, without title and margins.
double content_height(const Scene& scene, double width, double font) {
  const auto n_q = static_cast<double>(scene.block->n_q()), n_k = static_cast<double>(scene.block->n_k());
  const double aspect = std::clamp(n_q / n_k, 0.2, 4.0);
  switch (scene.view.kind) {
    case ViewKind::head:
      return of_maps(scene, {1, 1}, aspect, width - 8 * font, font, false);
    case ViewKind::compare:
      if (scene.other != nullptr) return of_maps(scene, {1, 3}, aspect, width, font, true);
      break;
    case ViewKind::lines:
      return std::max(n_q, n_k) * 1.9 * font + 5 * font;
    case ViewKind::layers: {
      const double map = (width - 12 * font) / scene.block->heads();
      return scene.block->layer_count() * map + 2 * font;
    }
    case ViewKind::head_table:
      return of_table(scene, width, font);
    case ViewKind::steps:
    case ViewKind::contributions:
      return width * 9 / 16;
    case ViewKind::model:
      return std::max(width * 9 / 16, of_whole_model(scene, font));
    case ViewKind::lens:
      return (scene.block->layer_count() + 5) * 2.4 * font;
    case ViewKind::grid:
      break;
  }
  const bool own_bars = scene.view.range == Range::head;
  return of_maps(scene, shape_of(scene, aspect), aspect, width, font, own_bars);
}

}  // namespace

std::span<const FigureSize> figure_sizes() {
  return sizes;
}

double figure_height(const Scene& scene, double width) {
  constexpr double minimum = 0.4, maximum = 1.3;  // of the width
  const double points = width * points_per_inch;
  if (scene.empty()) return minimum * width;
  const FigureStyle style = figure_style(scene.view.theme);
  double height = content_height(scene, points - 2 * style.margin, style.font_size) + 2 * style.margin;
  if (scene.view.show_title) height += 1.7 * style.title_size;
  // Rounded to hundredths, as they are shown.
  return std::ceil(std::clamp(height, minimum * points, maximum * points) / points_per_inch * 100) / 100;
}

}  // namespace headscope
