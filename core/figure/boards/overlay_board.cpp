#include "core/figure/boards/overlay_board.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/stopped.h"
#include "core/figure/boards/draw_parts.h"
#include "core/figure/canvas/patch_picture.h"
#include "core/scene/range.h"
#include "core/scene/readable_numbers.h"
#include "core/text/token_label.h"

namespace headscope {
bool shares_range(Range range) {
  return range == Range::shared || range == Range::unit || range == Range::fixed;
}

namespace {

const std::string& token_text(const OverlaySheet& sheet, int token) {
  return sheet.block->tokens[token].text;
}

/// The queries that are no patches, in front of them.
int tokens_before_patches(const BlockTrace& block) {
  return block.patches ? std::min(block.patches->first, static_cast<int>(block.n_q())) : 0;
}

/// A frame around the query's own patch.
void mark_query(const OverlaySheet& sheet, const Rect& overlay, const BoardStyle& style, Board& board) {
  const auto& patches = sheet.block->patches;
  const int own = patches ? patches->of_token(sheet.query) : -1;
  if (own < 0) return;
  const double wide = overlay.width / patches->columns, high = overlay.height / patches->rows;
  const int row = own / patches->columns, column = own % patches->columns;
  const Rect patch{overlay.x + column * wide, overlay.y + row * high, wide, high};
  const double line = std::max(0.09 * style.font_size, 0.5);
  frame(board, {patch.x - line, patch.y - line, patch.width + 2 * line, patch.height + 2 * line}, line,
        {0, 0, 0});
  frame(board, patch, line, {255, 255, 255});
}

}  // namespace

int overlay_query(const Scene& scene) {
  const bool locked = scene.marks_locked && scene.locked && scene.locked->cell.query < scene.block->n_q();
  return locked ? scene.locked->cell.query : 0;
}

int overlay_side(const BlockTrace& block, double width) {
  constexpr int smallest = 32, largest = 224;
  return std::clamp(static_cast<int>(width / std::max(1, block.heads())), smallest, largest);
}

std::shared_ptr<const OverlaySheet> make_overlays(std::shared_ptr<const BlockTrace> block, int query,
                                                  const View& view, int side, Rgb gaps, const Picture* below,
                                                  const std::stop_token& stop, bool alone) {
  auto sheet = std::make_shared<OverlaySheet>();
  sheet->block = block;
  sheet->query = query;
  sheet->colormap = view.colormap;
  sheet->shared = shares_range(view.range.kind);
  sheet->side = side;
  sheet->gaps = gaps;
  sheet->first = alone ? std::clamp(view.layer, 0, block->layer_count() - 1) : 0;
  sheet->layers = alone ? 1 : block->layer_count();
  std::vector<PatchRow> rows;
  for (int layer = sheet->first; layer < sheet->first + sheet->layers; ++layer)
    for (int head = 0; head < block->heads(); ++head) {
      if (stop_requested(stop)) return sheet;
      rows.push_back(*patch_row(*block, layer, {head, query, 0}));
      sheet->largest = std::max(sheet->largest, static_cast<double>(own_range(rows.back()).high));
    }
  ColorRange shared;
  shared.high = static_cast<float>(sheet->largest);
  Picture all;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Picture one = patch_picture(rows[i], colors(view.colormap),
                                      sheet->shared ? shared : own_range(rows[i]), below, side);
    if (i == 0) {
      sheet->width = one.width;
      sheet->height = one.height;
      sheet->gap = std::max(2, one.width / 24);
      all.width = block->heads() * (one.width + sheet->gap) - sheet->gap;
      all.height = sheet->layers * (one.height + sheet->gap) - sheet->gap;
      all.rgba.resize(4 * static_cast<std::size_t>(all.width) * all.height);
      for (std::size_t at = 0; at < all.rgba.size(); at += 4)
        std::ranges::copy(std::array<std::uint8_t, 4>{gaps.r, gaps.g, gaps.b, 255}, all.rgba.data() + at);
    }
    const int at = static_cast<int>(i), x = at % block->heads() * (one.width + sheet->gap),
              y = at / block->heads() * (one.height + sheet->gap);
    for (int row = 0; row < one.height; ++row) std::copy_n(one.at(0, row), 4 * one.width, all.at(x, y + row));
  }
  if (!rows.empty()) sheet->picture = std::make_shared<const Picture>(std::move(all));
  return sheet;
}

Board overlay_board(const OverlaySheet& sheet, const View& view, const BoardStyle& style, double width,
                    double height, bool buttons, const Translator& tr) {
  Board board;
  const double em = style.font_size, line = 1.6 * em;
  const int first = sheet.first, layers = sheet.layers, heads = sheet.block->heads();
  const auto add_text = [&](std::string text, double x, double y, Rgb color, Anchor anchor) {
    board.texts.push_back({std::move(text), x, y, {em, color, anchor, false}});
  };
  // What is pointed at, and the tokens that are not in the picture.
  double x = 0;
  const ShownCells& cells = sheet.block->cells;
  const bool rollout = cells.rollout != Rollout::off;
  const std::string query = token_label(token_text(sheet, sheet.query));
  const std::string title = shortened(rollout ? tr("What has reached “{}” through the layers so far", query)
                                              : tr("Where each head looks from “{}”", query),
                                      width, em, style);
  add_text(title, x, line / 2, style.text, Anchor::start);
  x += style.measure(title, em) + 1.5 * em;
  for (int token = 0; buttons && token < tokens_before_patches(*sheet.block); ++token) {
    const std::string text = token_label(token_text(sheet, token));
    const Rect chip{x, 0.1 * line, style.measure(text, em) + 0.8 * em, 0.8 * line};
    if (chip.right() > width) break;
    board.fills.push_back({chip, style.panel});
    frame(board, chip, 0.07 * em, token == sheet.query ? style.accent : style.border);
    add_text(text, chip.x + chip.width / 2, line / 2, style.text, Anchor::middle);
    board.regions.push_back({chip, "token " + std::to_string(token + 1),
                             tr("Point here to see where each head looks from this token; click to lock"),
                             TokenOfLayer{0, token}});
    x = chip.right() + 0.4 * em;
  }
  // Layers down, heads across.
  double left = style.measure(std::to_string(first + layers), em) + 0.8 * em;
  const double top = 2 * line;
  const double footer = line;
  const double gap_share = sheet.width > 0 ? static_cast<double>(sheet.gap) / sheet.width : 0;
  const double aspect = sheet.width > 0 ? static_cast<double>(sheet.height) / sheet.width : 1;
  const double by_width = (width - left) / (heads * (1 + gap_share) - gap_share);
  const double by_height = std::max(0.0, height - top - footer) / (layers * (aspect + gap_share) - gap_share);
  const double wide = std::max(1.0, std::min(by_width, by_height)), high = wide * aspect,
               gap = wide * gap_share;
  const double sheet_width = heads * (wide + gap) - gap;
  board.width = std::max(width, left + sheet_width);
  left += std::max(0.0, (width - left - sheet_width) / 2);
  const Rect all{left, top, sheet_width, layers * (high + gap) - gap};
  board.height = all.bottom() + footer;
  if (sheet.picture) board.pictures.push_back({all, sheet.picture});
  const int head_step =
      std::max(1, static_cast<int>(std::ceil(1.3 * style.measure(std::to_string(heads), em) / (wide + gap))));
  const int layer_step = std::max(1, static_cast<int>(std::ceil(1.1 * em / (high + gap))));
  for (int head = 0; head < heads; head += head_step)
    add_text(rollout ? tr("Rollout") : std::to_string(head + 1), left + head * (wide + gap) + wide / 2,
             top - 0.35 * line, style.muted, Anchor::middle);
  for (int layer = first; layer < first + layers; ++layer) {
    const double y = top + (layer - first) * (high + gap);
    if ((layer - first) % layer_step == 0)
      add_text(std::to_string(layer + 1), left - 0.5 * em, y + high / 2,
               layer == view.layer ? style.accent : style.muted, Anchor::end);
    for (int head = 0; head < heads; ++head) {
      const Rect overlay{left + head * (wide + gap), y, wide, high};
      mark_query(sheet, overlay, style, board);
      if (is_ablated(*sheet.block, layer, head)) {
        const double x = overlay.x + wide / 2, y = overlay.y + high / 2,
                     half = 0.5 * style.measure(tr("off"), em) + 0.3 * em;
        board.lines.push_back({x - half, y, x + half, y, 1.3 * em, style.background});
        add_text(tr("off"), x, y, style.text, Anchor::middle);
      }
      board.regions.push_back({overlay, fmt::format("overlay {}.{}", layer + 1, head + 1), "",
                               HeadPlace{sheet.block->shape.kind, layer, head}});
    }
  }
  std::string range =
      sheet.shared
          ? tr("Layers down, heads across; colours from 0 to {} for all heads",
               cell_text(static_cast<float>(sheet.largest)))
          : tr("Layers down, heads across; each head's colours from 0 to its largest value on a patch");
  range = tr("{}: {}", cells_name(tr, *sheet.block, {}), range);
  add_text(shortened(range, width, em, style), 0, all.bottom() + footer / 2 + 0.1 * em, style.muted,
           Anchor::start);
  return board;
}

bool overlays_fit(const BlockTrace& block, double width, double height, double smallest, double em) {
  const double wide = width / block.heads(), lines = 5 * em;
  const double high = (height - lines) / std::max(1, block.layer_count());
  return std::min(wide, high) >= smallest;
}

int token_of_overlay(const OverlaySheet& sheet, const Rect& overlay, double x, double y) {
  const Patches& patches = *sheet.block->key_patches;
  const auto at = [](double share, int count) {
    return std::clamp(static_cast<int>(std::floor(share * count)), 0, count - 1);
  };
  return patches.first + at((y - overlay.y) / overlay.height, patches.rows) * patches.columns +
         at((x - overlay.x) / overlay.width, patches.columns);
}

namespace {

void draw_overlays(const FigurePen& pen, const Scene& scene, const Rect& area) {
  const auto below = picture_below(*scene.block->key_patches);
  constexpr double pixels = 2400;
  const auto sheet =
      make_overlays(scene.block, overlay_query(scene), scene.view, overlay_side(*scene.block, pixels),
                    pen.style.background, below.get(), scene.stop);
  check_stop(scene.stop);
  draw_board(pen.canvas,
             overlay_board(*sheet, scene.view, board_style(pen.style, pen.width), area.width, area.height,
                           false, pen.tr),
             area.x, area.y);
}

double overlays_height(const Scene& scene, double width, double font) {
  const double lines = 5 * font;
  if (!scene.block->key_patches) return lines;
  const Patches& patches = *scene.block->key_patches;
  return lines + width / std::max(1, scene.block->heads()) * scene.block->layer_count() *
                     (static_cast<double>(patches.rows) / patches.columns + 0.05);
}

}  // namespace

const ViewFigure picture_figure{draw_overlays, overlays_height, title_of_layers};

}  // namespace headscope
