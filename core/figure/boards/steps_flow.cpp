#include "core/figure/boards/steps_flow.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/figure/boards/role_colors.h"
#include "core/figure/boards/stage_parts.h"
#include "core/figure/text/formula.h"

namespace headscope {
namespace {

constexpr double symbol_height = 1.5, matrix_width = 3.6, matrix_height = 1.2, box_pad = 0.35,
                 box_gap = 1.0;  // em

/// As many cells as can be distinguished. A blocked score has no colour.
void draw_values(Board& board, const StageThumbnail& t, const Rect& area, const BoardStyle& style) {
  constexpr Index max_columns = 16;
  const Index columns = std::min(t.values.cols(), max_columns);
  const double height = area.height / static_cast<double>(t.values.rows());
  for (Index r = 0; r < t.values.rows(); ++r) {
    const Rgb color = role_color(t.roles[static_cast<std::size_t>(r)], style.background);
    double maximum = 0;
    for (const double value : t.values.row(r))
      if (std::isfinite(value)) maximum = std::max(maximum, std::abs(value));
    for (Index c = 0; c < columns; ++c) {
      const double value = t.values(r, c * t.values.cols() / columns);
      const double share = std::isfinite(value) && maximum > 0 ? std::abs(value) / maximum : 0;
      const double width = area.width / static_cast<double>(columns);
      board.fills.push_back(
          {{area.x + static_cast<double>(c) * width, area.y + static_cast<double>(r) * height, width, height},
           blend(style.background, color, std::min(share, 1.0))});
    }
  }
  frame(board, area, 0.06 * style.font_size, role_color(t.roles.front(), style.background));
  if (t.column < 0) return;
  const double column = area.width / static_cast<double>(t.values.cols()),
               width = std::max(column * static_cast<double>(t.span), 0.25 * style.font_size),
               x = std::clamp(area.x + column * static_cast<double>(t.column), area.x, area.right() - width);
  frame(board, {x, area.y, width, area.height}, 0.12 * style.font_size, style.text);
}

}  // namespace

Board steps_flow(std::span<const ArithmeticStage> stages, std::size_t present, const BoardStyle& style) {
  const double em = style.font_size, small = 0.72 * em;
  Board flow;
  flow.height = (symbol_height + matrix_height + 1.1 + 2 * box_pad) * em;
  double x = 0;
  for (std::size_t i = 0; i < stages.size(); ++i) {
    const StageThumbnail& t = stages[i].thumbnail;
    BoardStyle in = style;
    if (i == present) in.text = style.accent;
    Formula symbol = set_formula(t.symbol, in, 0.9 * em);
    const double width =
        std::max({matrix_width * em, symbol.board.width, style.measure(t.shape, small)}) + 2 * box_pad * em;
    const double middle = (box_pad + symbol_height + matrix_height / 2) * em;
    if (i > 0) {
      const double end = x + box_gap * em, head = 0.22 * em, line = 0.08 * em;
      flow.lines.push_back({x + 0.1 * em, middle, end - 0.1 * em, middle, line, style.muted});
      for (const double side : {-head, head})
        flow.lines.push_back(
            {end - 0.1 * em - head, middle + side, end - 0.1 * em, middle, line, style.muted});
      x = end;
    }
    const Rect node{x, 0, width, flow.height};
    if (i == present) {
      flow.fills.push_back({node, blend(style.background, style.accent, 0.1)});
      frame(flow, node, 0.1 * em, style.accent);
    }
    const double center = x + width / 2, top = (box_pad + symbol_height) * em;
    const double symbol_width = symbol.board.width;
    const double symbol_y = std::max(0.1 * em, (box_pad + symbol_height - 0.4) * em - symbol.baseline);
    add(flow, std::move(symbol.board), center - symbol_width / 2, symbol_y);
    if (t.values.size() > 0)
      draw_values(flow, t, {center - matrix_width * em / 2, top, matrix_width * em, matrix_height * em},
                  style);
    flow.texts.push_back(
        {t.shape, center, top + (matrix_height + 0.65) * em, {small, style.muted, Anchor::middle}});
    flow.regions.push_back({node, "steps " + std::to_string(i), stages[i].title});
    x += width;
  }
  flow.width = x;
  return flow;
}

}  // namespace headscope
