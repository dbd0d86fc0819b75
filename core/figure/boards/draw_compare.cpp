#include <algorithm>

#include "core/figure/boards/draw_parts.h"
#include "core/figure/boards/map_pictures.h"
#include "core/scene/range.h"

namespace headscope {
namespace {

std::array<FigurePanel, 3> panels(const FigurePen& pen, const Comparison& c, const ComparedHead& maps,
                                  const ComparisonLook& look, const Scene& scene, int head) {
  const auto h = static_cast<std::size_t>(head);
  const auto panel = [&](ComparedMap map, const ColorRange& range) {
    return FigurePanel{compared_title(pen.tr, c, head, map),
                       {},
                       compared_picture(c, maps, scene.view, head, map, range),
                       {},
                       "",
                       {},
                       AxisTokens{look.rows, look.columns}};
  };
  return {panel(ComparedMap::a, look.weights[h]), panel(ComparedMap::b, look.weights[h]),
          panel(ComparedMap::difference, look.difference[h])};
}

}  // namespace

void draw_compare(const FigurePen& pen, std::shared_ptr<const FilteredLayer> a,
                  std::shared_ptr<const FilteredLayer> b, const Scene& scene, const Rect& area) {
  const auto c = compare_layers(std::move(a), std::move(b));
  if (c->heads == 0 || c->rows() == 0 || c->columns() == 0)
    return pen.centered(pen.tr("Nothing to compare"), area, pen.style.title_size, pen.style.muted);
  const int head = scene.head.value_or(0);
  ComparisonLook look = comparison_look(*c, scene.view.range);
  if (pen.range) {
    const float end = pen.range->high - pen.range->low;  // the largest possible difference of two weights
    std::ranges::fill(look.weights, *pen.range);
    std::ranges::fill(look.difference, ColorRange{-end, end});
  }
  const ComparedHead maps = compare_head(*c, head);
  auto three = panels(pen, *c, maps, look, scene, head);
  if (scene.marks_locked && scene.locked) {
    const auto place = [](const CommonAxis& axis, int token) {
      return static_cast<int>(std::ranges::find(axis.tokens, token, &AlignedToken::a) - axis.tokens.begin());
    };
    const Cell& cell = scene.locked->cell;
    for (FigurePanel& panel : three)
      panel.framed = std::pair(place(c->queries, cell.query), place(c->keys, cell.key));
  }
  std::vector<ColorRange> ranges;
  for (const FigurePanel& panel : three) ranges.push_back(panel.picture.range);
  const GridLayout grid =
      grid_layout(layout_request(pen, scene.view, area, {0, 1, 2}, *three[0].tokens, ranges));
  for (const PanelLayout& place : grid.panels)
    draw_panel(pen, grid, place, three[static_cast<std::size_t>(place.head)]);
}

}  // namespace headscope
