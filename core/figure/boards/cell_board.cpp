#include "core/figure/boards/cell_board.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/figure/boards/board_column.h"
#include "core/figure/boards/word_boxes.h"
#include "core/scene/readable_numbers.h"
#include "core/text/token_label.h"

namespace headscope {

double CellPen::fitted(const std::string& text, const Rect& rect, double share) const {
  const double size = std::min(style.sized(share), 0.86 * rect.height);
  const double room = rect.width - 0.25 * size, width = style.measure(text, size);
  return style.smallest > 0 && width > room ? std::max(std::min(size, style.smallest), size * room / width)
                                            : size;
}

void CellPen::text(const std::string& text, const Rect& rect, double share, Rgb color) const {
  const double size = fitted(text, rect, share);
  if (size < std::min(0.45 * style.font_size, style.smallest > 0 ? style.smallest : style.font_size)) return;
  const std::string fit = shortened(text, rect.width - 0.25 * size, size, style);
  if (fit.empty() || (fit == "…" && text != fit)) return;
  board.texts.push_back(
      {fit, rect.x + rect.width / 2, rect.y + rect.height / 2, {size, color, Anchor::middle, false}});
}

void CellPen::number(const std::string& number, const Rect& rect, double share, Rgb color) const {
  const double size = fitted(number, rect, share);
  if (style.measure(number, size) <= rect.width - 0.25 * size) text(number, rect, share, color);
}

void CellPen::token(const std::vector<Token>& tokens, Index i, const Rect& rect, double share,
                    Rgb color) const {
  const std::string whole = word_label(tokens[i].text);
  const std::string number = number_of_repeated(tokens, static_cast<int>(i));
  const double size = fitted(whole + number, rect, share);
  const double room = rect.width - 0.25 * size - style.measure(number, size);
  const std::string fit = shortened(whole, room, size, style);
  text(fit.empty() || fit == "…" ? whole : fit + number, rect, share, color);
}

double CellPen::fitting_share(std::span<const double> probabilities, double width, double height,
                              double share) const {
  const double smallest = style.smallest > 0 ? style.smallest / style.font_size : 0.55;
  const double size = std::min(style.sized(share), 0.86 * height);
  double widest = 0;
  for (const double probability : probabilities)
    widest = std::max(widest, style.measure(printed_percent(probability), size));
  const double room = width - 0.25 * size;
  return widest > room ? std::max(std::min(share, smallest), share * room / widest) : share;
}

void CellPen::percentage(double probability, const Rect& rect, double share, Rgb color) const {
  for (const std::string& whole : {printed_percent(probability), fmt::format("{:.0f}%", 100 * probability)}) {
    const double size = std::min(style.sized(share), 0.86 * rect.height);
    if (style.measure(whole, size) <= rect.width - 0.25 * size) return text(whole, rect, share, color);
  }
}

void CellPen::label(const std::string& text, double x, double y, double share, Rgb color, Anchor anchor,
                    double room) const {
  const double size = style.sized(share);
  board.texts.push_back({shortened(text, room, size, style), x, y, {size, color, anchor, false}});
}

double CellPen::paragraph_height(const std::string& text, double share, double room) const {
  const double size = style.sized(share);
  return spacing * size * static_cast<double>(wrapped(text, room, size, style.measure).size());
}

double CellPen::paragraph(const std::string& text, double x, double y, double share, double room) const {
  const double size = style.sized(share);
  for (const std::string& line : wrapped(text, room, size, style.measure)) {
    board.texts.push_back({line, x, y + spacing * size / 2, {size, style.text, Anchor::start, false}});
    y += spacing * size;
  }
  return y;
}

void CellPen::cell(const Rect& rect, Rgb color, double gap) const {
  board.fills.push_back({{rect.x, rect.y, rect.width - gap, rect.height - gap}, color});
}

Board color_bar(const Colors& colors, const ColorRange& range, const std::string& name,
                const BoardStyle& style, double width) {
  const double size = style.sized(0.85), named = 1.3 * size;
  Board board;
  board.width = width;
  board.height = named + 1.7 * size;
  board.texts.push_back({shortened(name, width, size, style),
                         width / 2,
                         named / 2,
                         {size, style.muted, Anchor::middle, false}});
  const LevelBar level = level_bar(
      {0, named, width, 1.7 * size}, range, size,
      [&](std::string_view text) { return style.measure(text, size); }, style.minimum > 0);
  add_level_bar(board, level, colors, style);
  return board;
}

void draw_filled(const FigurePen& pen, const Rect& area,
                 const std::function<Board(const BoardStyle& style, bool fill)>& make) {
  draw_board(pen.canvas, filled_board(board_style(pen.style, pen.width), area.height, false, make), area.x,
             area.y);
}

Board filled_board(const BoardStyle& style, double height, bool scrolls,
                   const std::function<Board(const BoardStyle& style, bool fill)>& make) {
  Board plain = make(style, false);
  return scrolls && plain.height >= height ? plain : make(style, true);
}

}  // namespace headscope
