#include <algorithm>
#include <cmath>

#include "core/base/stopped.h"
#include "core/figure/boards/draw_marks.h"
#include "core/figure/boards/draw_parts.h"
#include "core/figure/boards/map_pictures.h"
#include "core/scene/range.h"

namespace headscope {
namespace {

/// Layers down, heads across, square thumbnails; in points.
struct LayersTable {
  double x = 0, y = 0, side = 0, gap = 0;
  double below = 0;  ///< below each thumbnail, for what is known about its head
  Rect cell(int layer, int head) const {
    return {x + head * (side + gap), y + layer * (side + gap + below), side, side};
  }
};

LayersTable place_table(const Rect& room, int layers, int heads, double below, bool as_on_screen) {
  const double gap_share = as_on_screen ? 0.02 : 0.1;  // of a side
  LayersTable t;
  t.side = std::min(room.width / (heads + gap_share * (heads - 1)),
                    std::max(0.0, room.height - layers * below) / (layers + gap_share * (layers - 1)));
  t.below = below;
  t.gap = gap_share * t.side;
  t.x = room.x;
  t.y = room.y;
  if (as_on_screen) return t;
  t.x += (room.width - heads * t.side - (heads - 1) * t.gap) / 2;
  t.y += (room.height - layers * (t.side + below) - (layers - 1) * t.gap) / 2;
  return t;
}

/// As much of "Layer 1" as fits into `room`: all of it or the number alone.
std::string heading(const FigurePen& pen, const std::string& words, int number, double room, double size) {
  return pen.width(words, size) <= room ? words : std::to_string(number);
}

/// Where cells are smaller than their labels, only every n-th has one.
int step_of(double label, const LayersTable& table) {
  return std::max(1, static_cast<int>(std::ceil(label / std::max(table.side + table.gap, 1e-9) - 1e-9)));
}

/// With square cells, in the middle of its place; `marked`: a framed cell, unless cells are pooled; `marks`:
/// the user's.
void draw_thumbnail(const FigurePen& pen, const MapPicture& picture, const Rect& cell,
                    const std::optional<Cell>& marked, std::span<const PlacedMark> marks) {
  const double longer = static_cast<double>(std::max(picture.n_q, picture.n_k));
  const double width = cell.width * static_cast<double>(picture.n_k) / longer;
  const double height = cell.height * static_cast<double>(picture.n_q) / longer;
  const Rect place{cell.x + (cell.width - width) / 2, cell.y + (cell.height - height) / 2, width, height};
  pen.map(picture, place);
  draw_marks(pen, marks, picture, place, pen.style.smallest);
  if (!marked || marked->query >= picture.n_q || marked->key >= picture.n_k) return;
  const double wide = place.width / static_cast<double>(picture.n_k),
               high = place.height / static_cast<double>(picture.n_q);
  draw_marked(pen.canvas, {place.x + marked->key * wide, place.y + marked->query * high, wide, high},
              pen.canvas.hairline());
}

/// For an ablated head.
void draw_ablated(const FigurePen& pen, const Rect& cell) {
  const std::string text = pen.tr("off");
  const double size = pen.style.smallest, width = pen.width(text, size) + 0.6 * size;
  if (width > cell.width || 1.3 * size > cell.height) return;
  const double x = cell.x + cell.width / 2, y = cell.y + cell.height / 2;
  pen.canvas.fill({x - width / 2, y - 0.65 * size, width, 1.3 * size}, pen.style.background);
  pen.text(text, x, y, size, pen.style.text, Anchor::middle);
}

constexpr double guided_line = 1.3;  // of its text

/// For a head that was trained towards a relation: below its map, as many words as fit.
void draw_guided(const FigurePen& pen, const Scene& scene, int layer, int head, const Rect& cell) {
  if (!is_guided(scene, layer, head)) return;
  const double size = pen.style.smallest;
  for (const std::string& badge : relation_badges(pen.tr, scene, layer, head)) {
    if (pen.width(badge, size) > cell.width) continue;
    pen.text(badge, cell.x + cell.width / 2, cell.bottom() + guided_line * size / 2, size, pen.style.text,
             Anchor::middle);
    return;
  }
}

/// The height reserved below thumbnails of this width: none if no head was guided, or if the shortest word
/// does not fit.
double guided_room(const FigurePen& pen, const Scene& scene, double side) {
  const double size = pen.style.smallest;
  for (int layer = 0; layer < scene.block->layer_count(); ++layer)
    for (int head = 0; head < scene.block->heads(); ++head)
      if (is_guided(scene, layer, head))
        return pen.width(relation_badges(pen.tr, scene, layer, head).back(), size) < 0.9 * side
                   ? guided_line * size
                   : 0;
  return 0;
}

/// What the maps of some layers are, and their colours.
struct LayersBar {
  std::string name, brief;
  const Colors* colors = nullptr;
  bool is_signed = false;
};

LayersBar bar_of(const View& view, const BlockTrace& block, std::optional<int> named, int layer,
                 const Translator& tr) {
  return {colors_name(tr, view.range, block, named), brief_cells_name(tr, block, layer),
          &cell_colors(view, block, layer), block.is_signed(layer)};
}

/// One for all layers; of layers with a softmax and others one for each.
std::vector<LayersBar> bars_of(const View& view, const BlockTrace& block, const Translator& tr) {
  const int softmax = block.shape.softmax_layer();
  const std::vector<LayerMixer>& mixers = block.shape.mixers;
  const auto other = std::ranges::find_if(
      mixers, [](const LayerMixer& one) { return one.kind != Mixer::softmax && one.heads > 0; });
  const int state = static_cast<int>(other - mixers.begin());
  const bool both = block.shape.softmax_layers() > 0 && other != mixers.end();
  if (!both || block.is_signed(softmax) == block.is_signed(state))
    return {bar_of(view, block, {}, softmax, tr)};
  return {bar_of(view, block, softmax, softmax, tr), bar_of(view, block, state, state, tr)};
}

/// Width of the words at the ends of a bar.
double bar_words(const FigurePen& pen) {
  const double size = pen.style.font_size;
  return std::max(pen.width(pen.tr("highest"), size), pen.width(pen.tr("lowest"), size));
}

/// With its words, and the space before it.
double bar_width(const FigurePen& pen, const std::optional<ColorRange>& range) {
  return 3.7 * pen.style.font_size + (range ? 3.7 * pen.style.font_size : bar_words(pen));
}

/// Right of the maps, behind `before` others: the colours with numbers, or with words if every map has its
/// own.
void draw_upright_bar(const FigurePen& pen, const Scene& scene, const Rect& area, const LayersTable& table,
                      const std::optional<ColorRange>& range, const LayersBar& shown, double before) {
  const double size = pen.style.font_size;
  const int columns = scene.block->rolled ? scene.block->rolled->heads() + 1 : scene.block->heads();
  const Rect last = table.cell(scene.block->layer_count() - 1, columns - 1);
  // High enough for its two words.
  const double wanted = std::clamp(last.bottom() - table.y, 2.6 * size, 20 * size);
  const double height = std::min(wanted, area.bottom() - table.y);
  const Rect bar{last.right() + size + before, table.y, 0.7 * size, height};
  const double x = bar.right() + 0.3 * size;
  const auto fits = [&](const std::string& name) { return pen.width(name, size) <= bar.height; };
  const std::string whole = bar_name_that_fits(shown.name, bar.height, pen.measure(size));
  draw_bar_name(pen, {x + (range ? 3.4 * size : bar_words(pen)), bar.y, 1.4 * size, bar.height}, size,
                fits(whole) ? whole : shown.brief);
  if (range) return draw_color_bar(pen, {bar, {x, bar.y, 4 * size, bar.height}}, size, *shown.colors, *range);
  pen.canvas.color_bar(*shown.colors, bar);
  const char *const high = shown.is_signed ? "max" : pen.tr("highest"),
                    *low = shown.is_signed ? "−max" : pen.tr("lowest");
  pen.text(high, x, bar.y + 0.5 * size, size, pen.style.text, Anchor::start);
  pen.text(low, x, bar.bottom() - 0.5 * size, size, pen.style.text, Anchor::start);
}

Board level_colors(const LayersBar& shown, const std::optional<ColorRange>& range, const BoardStyle& style,
                   double width, const Translator& tr) {
  constexpr int pieces = 64;
  const double em = style.font_size, gap = 0.4 * em, bar_high = 0.7 * em;
  const auto measured = [&](const std::string& text) { return style.measure(text, em); };
  const std::string low = range             ? ""
                          : shown.is_signed ? "−max"
                                            : tr("each head's lowest"),
                    high = range             ? ""
                           : shown.is_signed ? "max"
                                             : tr("highest");
  const double ends = measured(low) + measured(high);
  Board board;
  board.width = std::min(width, measured(shown.name) + ends + 9 * em);
  board.height = 1.7 * em;
  const double middle = board.height / 2, room = board.width - ends - 5 * em;
  double x = 0;
  const auto add_text = [&](const std::string& text, double at) {
    board.texts.push_back({text, at, middle, {em, style.muted, Anchor::start, false}});
  };
  const std::string fitting =
      bar_name_that_fits(shown.name, room, [&](std::string_view text) { return style.measure(text, em); });
  if (const std::string name = shortened(measured(fitting) <= room ? fitting : shown.brief, room, em, style);
      !name.empty()) {
    add_text(name, 0);
    x = measured(name) + 2 * gap;
  }
  if (!range) {
    const double after = board.width - measured(high);
    add_text(low, x);
    add_text(high, after);
    x += measured(low) + gap;
    const Rect bar{x, middle - bar_high / 2, after - gap - x, bar_high};
    add_colors(board, bar, *shown.colors, pieces);
    frame(board, bar, 0.05 * em, style.border);
    return board;
  }
  const double size = style.sized(0.85);
  const LevelBar level = level_bar(
      {x, (board.height - 1.7 * size) / 2, board.width - x, 1.7 * size}, *range, size,
      [&](std::string_view text) { return style.measure(text, size); }, style.minimum > 0);
  add_level_bar(board, level, *shown.colors, style);
  return board;
}

}  // namespace

Board layers_colors(const View& view, const BlockTrace& block, const std::optional<ColorRange>& range,
                    const BoardStyle& style, double width, const Translator& tr) {
  const std::vector<LayersBar> bars = bars_of(view, block, tr);
  const double gap = 1.5 * style.font_size, each = (width + gap) / static_cast<double>(bars.size()) - gap;
  Board board;
  for (const LayersBar& bar : bars) {
    Board one = level_colors(bar, range, style, each, tr);
    const double left = board.width > 0 ? board.width + gap : 0, wide = one.width, high = one.height;
    add(board, std::move(one), left, 0);
    board.width = left + wide;
    board.height = high;
  }
  return board;
}

void draw_layers(const FigurePen& pen, const Scene& scene, const Rect& whole) {
  Rect area = whole;
  constexpr Index thumbnail_cells = 512;
  const View& view = scene.view;
  const auto thumbnails = make_thumbnails(scene.block, view.filter, view.range, thumbnail_cells, scene.stop);
  check_stop(scene.stop);
  const int heads = thumbnails->heads();
  if (heads == 0) return;
  // Of a rollout the heads that it mixes, and after them its own.
  const BlockTrace& mixed = scene.block->rolled ? *scene.block->rolled : *scene.block;
  const int layers = scene.block->layer_count();
  const auto is_rollout = [&](int head) { return scene.block->rolled && head == heads - 1; };
  const double size = pen.style.font_size, line = 1.6 * size;
  const double left = pen.width(pen.tr("Layer {}", std::max(layers, 12)), size) + size;
  const std::optional<ColorRange> range = pen.range ? pen.range : shared_range(all_ranges(*thumbnails));
  const std::vector<LayersBar> bars = bars_of(view, *scene.block, pen.tr);
  const double beside = static_cast<double>(bars.size()) * bar_width(pen, range);
  constexpr double enough = 0.4;  // of the width, for the maps next to a bar
  const bool on_screen = pen.extras.as_on_screen;
  const bool has_bar = !on_screen && area.width - left - beside > enough * area.width;
  if (on_screen) {
    const Board bar =
        layers_colors(view, *scene.block, range, board_style(pen.style, pen.width), area.width, pen.tr);
    draw_board(pen.canvas, bar, area.right() - bar.width, area.y);
    area.y += bar.height;
    area.height -= bar.height;
  }
  const double bar_room = has_bar ? beside : 0;
  const Rect room{area.x + left, area.y + line, area.width - left - bar_room, area.height - line};
  const double below = guided_room(pen, scene, place_table(room, layers, heads, 0, on_screen).side);
  const LayersTable table = place_table(room, layers, heads, below, on_screen);
  const int head_step = step_of(1.2 * pen.width(std::to_string(heads), size), table),
            layer_step = step_of(1.05 * size, table);
  for (int h = 0; h < heads; h += head_step) {
    const Rect cell = table.cell(0, h);
    if (is_rollout(h)) continue;
    const std::string text = heading(pen, head_title(pen.tr, scene.labels, -1, h), h + 1, cell.width, size);
    const double half = pen.width(text, size) / 2;
    if (cell.x + cell.width / 2 + half > area.right()) continue;
    pen.text(text, cell.x + cell.width / 2, cell.y - 0.6 * line, size, pen.style.text, Anchor::middle);
  }
  if (is_rollout(heads - 1)) {
    const Rect cell = table.cell(0, heads - 1);
    pen.text(pen.tr("Rollout"), cell.x + cell.width / 2, cell.y - 0.6 * line, size, pen.style.text,
             Anchor::middle);
  }
  const std::optional<Cell> marked =
      scene.marks_locked && scene.locked &&
              std::max(scene.block->n_q(), scene.block->n_k()) <= thumbnail_cells
          ? std::optional(scene.locked->cell)
          : std::nullopt;
  for (int l = 0; l < layers; ++l) {
    const Rect first = table.cell(l, 0);
    if (l % layer_step == 0)
      pen.text(pen.tr("Layer {}", l + 1), first.x - 0.6 * size, first.y + first.height / 2, size,
               pen.style.text, Anchor::end);
    for (int h = 0; h < heads; ++h) {
      const bool rollout = is_rollout(h);
      if (!rollout && !mixed.shape.has_map(l, h)) continue;
      const ColorRange own = thumbnails->layers[l].ranges[h];
      const MapPicture picture = thumbnail_picture(*thumbnails, rollout ? *scene.block : mixed, view, l,
                                                   rollout ? 0 : h, h, pen.range.value_or(own));
      if (rollout) {
        draw_thumbnail(pen, picture, table.cell(l, h), marked, {});
        continue;
      }
      draw_thumbnail(pen, picture, table.cell(l, h), marked,
                     placed_marks(scene.marks, mixed, thumbnails->layers[l], l, h));
      draw_guided(pen, scene, l, h, table.cell(l, h));
      if (is_ablated(mixed, l, h)) draw_ablated(pen, table.cell(l, h));
    }
  }
  double before = 0;
  for (const LayersBar& bar : bars)
    if (has_bar) {
      draw_upright_bar(pen, scene, area, table, range, bar, before);
      before += bar_width(pen, range);
    }
}

}  // namespace headscope
