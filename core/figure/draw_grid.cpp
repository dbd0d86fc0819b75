#include <algorithm>

#include "core/analysis/head_tree.h"
#include "core/figure/draw_parts.h"
#include "core/scene/head_table.h"
#include "core/scene/labels.h"
#include "core/scene/range.h"

namespace headscope {
namespace {

/// As the grid on the screen: in the order of the view, without those that are toggled off.
std::vector<int> heads_in_order(const Scene& scene, int layer, const BlockStatistics* statistics,
                                const HeadSimilarity* alike) {
  const View& view = scene.view;
  if (const auto head = single_head(*scene.block, view)) return {*head};
  std::vector<int> heads = sorted_heads(*scene.block, layer, statistics, view, scene.labels, alike);
  if (heads.empty())
    for (int h = 0; h < scene.block->heads(); ++h) heads.push_back(h);
  std::vector<int> visible;
  for (const int h : heads)
    if (!view.hidden_heads.contains(h)) visible.push_back(h);
  return visible.empty() ? heads : visible;
}

/// Rows of the shown layer that no key is left for.
std::vector<int> empty_rows(const FilteredLayer& shown, int head) {
  std::vector<int> rows;
  for (const Index query : shown.block->mask.empty_queries(head)) {
    const int row = shown.row(static_cast<int>(query));
    if (row >= 0) rows.push_back(row);
  }
  return rows;
}

LayoutRequest grid_request(const FigurePen& pen, const FilteredLayer& shown, const View& view,
                           std::vector<int> heads, const std::vector<ColorRange>& ranges, const Rect& area) {
  LayoutRequest request;
  request.area = area;
  request.x_tokens = texts(shown.block->key_tokens, shown.keys);
  request.y_tokens = texts(shown.block->tokens, shown.queries);
  request.rows = view.rows;
  request.columns = view.columns;
  request.font_size = pen.style.font_size;
  request.numbers = view.numbers == Numbers::automatic;
  request.shared_bar = one_bar_for_all(view.range, heads.size());
  for (const int h : heads) {
    const ColorRange& range = ranges[static_cast<std::size_t>(h)];
    request.bar_values.push_back(bound_text(range.low));
    request.bar_values.push_back(bound_text(range.high));
  }
  if (!heads.empty() && ranges[static_cast<std::size_t>(heads[0])].logarithm)
    request.bar_values.push_back(pen.tr("log"));
  request.heads = std::move(heads);
  request.measure = pen.measure();
  return request;
}

}  // namespace

void draw_grid(const FigurePen& pen, const FilteredLayer& shown, const Scene& scene, const Rect& area) {
  const View& view = scene.view;
  const std::vector<ColorRange> ranges = color_ranges(shown, view.range);
  const auto alike =
      view.sort == "similarity" && !single_head(*shown.block, view) ? head_similarity(*shown.block) : nullptr;
  const auto statistics =
      find_head_column(view.sort) != nullptr ? block_statistics(*shown.block, shown.layer) : nullptr;
  const HeadTree tree = alike && view.groups > 1 ? head_tree(*alike, view.groups) : HeadTree();
  const GridLayout grid = grid_layout(grid_request(
      pen, shown, view, heads_in_order(scene, shown.layer, statistics.get(), alike.get()), ranges, area));
  FigurePanel panel;
  panel.x_label = pen.tr("Key");
  panel.y_label = pen.tr("Query");
  panel.empty_text = shown.block->fills_with_infinity() ? pen.tr("no key to attend to")
                                                        : pen.tr("every key masked: uniform");
  for (const PanelLayout& place : grid.panels) {
    panel.title = head_title(pen.tr, scene, shown.layer, place.head);
    if (const int group = tree.group_of(shown.layer, place.head); group >= 0)
      panel.title += " · " + pen.tr.format("group {}", group + 1);
    const HeadLabel* label = find_label(scene.labels, shown.layer, place.head);
    panel.mark.reset();
    if (label != nullptr && label->color)
      panel.mark = labelled_color(scene.labels, shown.layer, place.head, shown.block->heads());
    panel.picture =
        map_picture(shown.weights(place.head), shown.state(place.head), shown.n_q(), shown.n_k(),
                    colors(view.colormap), ranges[static_cast<std::size_t>(place.head)], pen.style.masked);
    panel.empty_rows = empty_rows(shown, place.head);
    draw_panel(pen, grid, place, panel);
  }
  if (!grid.panels.empty())
    draw_color_bar(pen, grid.color_bar, grid.bar_high, grid.bar_low, grid.tick_size, colors(view.colormap),
                   ranges[static_cast<std::size_t>(grid.panels[0].head)]);
}

}  // namespace headscope
