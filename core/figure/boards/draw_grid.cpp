#include <algorithm>

#include "core/analysis/long_part.h"
#include "core/base/stopped.h"
#include "core/figure/boards/cell_numbers.h"
#include "core/figure/boards/draw_parts.h"
#include "core/figure/boards/map_pictures.h"
#include "core/figure/boards/profiles.h"
#include "core/figure/boards/ticks.h"
#include "core/scene/layer_look.h"
#include "core/scene/range.h"

namespace headscope {
namespace {

LayoutRequest grid_request(const FigurePen& pen, const Scene& scene, const AxisTokens& tokens,
                           const std::vector<ColorRange>& ranges, const Rect& area) {
  std::vector<ColorRange> shown;
  for (const int h : scene.drawn_heads()) shown.push_back(ranges[h]);
  LayoutRequest request = layout_request(pen, scene.view, area, scene.drawn_heads(), tokens, shown);
  request.rows = scene.view.rows;
  request.columns = scene.view.columns;
  request.shared_bar = one_bar_for_all(scene.view.range.kind, request.heads.size());
  request.maps_first = pen.extras.as_on_screen && scene.view.row().arranges;
  request.one_frame = true;
  return request;
}

/// If only a part of the map is shown, the axes name its tokens, and cells have numbers if they fit now.
void fit_to_part(const FigurePen& pen, const GridLayout& grid, PanelLayout& place, const CellPart& part,
                 const AxisTokens& tokens, bool numbers) {
  const MeasureText measure = pen.measure(grid.tick_size);
  label_part(place, part, tokens, grid.tick_line, measure);
  place.numbers_fit = numbers && cell_numbers({}, place.map.width / (part.key_end - part.key_begin),
                                              place.map.height / (part.query_end - part.query_begin),
                                              grid.label_size, pen.measure(grid.label_size))
                                         .size > 0;
}

/// The row and the column of the locked cell, which bars show next to a single map as on the screen.
std::optional<ProfiledCell> profiled_cell(const FigurePen& pen, const FilteredLayer& shown,
                                          const Scene& scene, const LayerLook& look) {
  if (!pen.extras.as_on_screen || !scene.view.row().zooms || !scene.marks_locked || !scene.locked)
    return std::nullopt;
  const int row = shown.row(scene.locked->cell.query), column = shown.column(scene.locked->cell.key);
  if (row < 0 || column < 0) return std::nullopt;
  return ProfiledCell{row,
                      column,
                      look.rows()[row],
                      look.columns()[column],
                      shown.block->is_signed(shown.layer),
                      shown.block->shape.is_softmax(shown.layer)};
}

/// Leaves room for the bars above the map, below its title, and right of it.
void make_room_for_profiles(const FigurePen& pen, LayoutRequest& request, double title) {
  const double bars = profile_size * pen.style.font_size;
  request.titles = false;
  request.area.y += bars + title;
  request.area.height -= bars + title;
  request.area.width -= bars;
}

void draw_profiles_of(const FigurePen& pen, GridLayout& grid, const Rect& area, const std::string& title,
                      double title_room, MapPicture picture, const ProfiledCell& cell) {
  PanelLayout& place = grid.panels.front();
  const double bars = profile_size * pen.style.font_size;
  for (Rect* rect : std::initializer_list<Rect*>{&place.color_bar, &place.color_bar.values, &grid.bar_name})
    rect->x += bars;
  pen.heading(title, {place.map.x, area.y, place.map.width, title_room}, grid.title_size, pen.style.text);
  constexpr int fine = 1000;  // cells may be cut at the edges of a magnified map
  picture.width = picture.height = fine;
  draw_profiles(pen, picture, place.map, cell, grid.tick_size);
}

}  // namespace

void draw_grid(const FigurePen& pen, const FilteredLayer& shown, const Scene& scene, const Rect& area) {
  const View& view = scene.view;
  LayerLook look(shown);
  std::vector<ColorRange> ranges = look.ranges(view.range);
  if (pen.range) std::ranges::fill(ranges, *pen.range);
  const AxisTokens tokens{look.rows(), look.columns()};
  LayoutRequest request = grid_request(pen, scene, tokens, ranges, area);
  const std::optional<ProfiledCell> profiled = profiled_cell(pen, shown, scene, look);
  const double title = 1.6 * pen.style.font_size;
  if (profiled) make_room_for_profiles(pen, request, title);
  GridLayout grid = grid_layout(request);
  const bool whole = !view.row().zooms || view.zoom.factor <= 1;
  // The labels of pooled cells are of so many tokens, however large the figure is.
  if (pen.findings != nullptr && whole && !shown.block->pooled() && !shown.part)
    pen.findings->labelled_every = grid.labelled_every;
  const CellPart part = in_cells(shown, shown_part(scene, zoomed_rows(shown), zoomed_columns(shown)));
  FigurePanel panel;
  panel.tokens.emplace(tokens);
  // The text would cover the numbers of a row that a finite fill gave weights.
  panel.no_key = shown.block->fills_with_infinity();
  if (panel.no_key) panel.empty_text = empty_row_text(pen.tr, true);
  const auto picture_of = [&](int head) {
    MapPicture picture = head_picture(shown, view, head, ranges[head]);
    static_cast<CellPart&>(picture) = part;
    return picture;
  };
  if (request.numbers)
    for (const PanelLayout& place : grid.panels)
      if (place.numbers_fit || !whole) panel.numbers.add(NumberExtent::of(picture_of(place.head)));
  for (PanelLayout& place : grid.panels) {
    check_stop(scene.stop);
    if (!whole && place.map.width > 0) fit_to_part(pen, grid, place, part, tokens, request.numbers);
    panel.title = lettered(pen, grid, place, grid_title(pen.tr, scene, shown.layer, place.head));
    panel.letter = bold_letter(pen, grid, place);
    panel.short_title = lettered(pen, grid, place, std::to_string(place.head + 1));
    for (const std::string& badge : relation_badges(pen.tr, scene, shown.layer, place.head))
      if (pen.width(panel.title + " · " + badge, grid.title_size) <
          title_room(pen, grid, place, ranges[place.head])) {
        panel.title += " · " + badge;
        break;
      }
    panel.place_title(scene.labels, shown.layer, place.head);
    panel.mark.reset();
    const HeadLabel* label = find_label(scene.labels, shown.layer, place.head);
    if (label != nullptr && label->color)
      panel.mark = labelled_color(scene.labels, *shown.block, shown.layer, place.head);
    panel.picture = picture_of(place.head);
    if (profiled) draw_profiles_of(pen, grid, area, panel.title, title, panel.picture, *profiled);
    panel.empty_rows = look.empty_rows(place.head);
    if (scene.marks_locked && scene.locked)
      panel.framed = std::pair(shown.row(scene.locked->cell.query), shown.column(scene.locked->cell.key));
    if (pen.extras.marks) panel.marks = placed_marks(scene.marks, shown, place.head);
    draw_panel(pen, grid, place, panel);
  }
  draw_axis_names(pen, grid);
  if (!grid.panels.empty())
    draw_color_bar(pen, grid, grid.color_bar,
                   grid.panels.size() == 1 ? map_colors(view, *shown.block, shown.layer, grid.panels[0].head)
                                           : cell_colors(view, *shown.block, shown.layer),
                   ranges[grid.panels[0].head]);
  draw_bar_name(pen, grid.bar_name, grid.label_size,
                colors_name(pen.tr, view.range, *shown.block, shown.layer));
}

}  // namespace headscope
