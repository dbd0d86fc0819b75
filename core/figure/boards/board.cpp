#include "core/figure/boards/board.h"

#include <algorithm>

namespace headscope {

BoardStyle board_style(const FigureStyle& style, TextShaper& shaper) {
  BoardStyle board;
  board.font_size = style.font_size;
  board.background = style.background;
  board.text = style.text;
  board.muted = style.muted;
  board.border = style.border;
  const bool dark = style.background.r + style.background.g + style.background.b < 3 * 128;
  board.accent = colors(Colormap::viridis)[dark ? 170 : 96];
  board.panel = style.masked.background;
  board.warning = style.warning;
  board.measure = [&shaper](std::string_view text, double size) { return shaper.width(text, size); };
  return board;
}

void add(Board& board, Board part, double x, double y) {
  for (BoardFill& fill : part.fills) {
    fill.rect.x += x;
    fill.rect.y += y;
    board.fills.push_back(fill);
  }
  for (BoardMap& map : part.maps) {
    map.rect.x += x;
    map.rect.y += y;
    board.maps.push_back(std::move(map));
  }
  for (BoardLine& line : part.lines) {
    line.x0 += x, line.x1 += x;
    line.y0 += y, line.y1 += y;
    board.lines.push_back(line);
  }
  for (BoardText& text : part.texts) {
    text.x += x;
    text.y += y;
    board.texts.push_back(std::move(text));
  }
  for (BoardRegion& region : part.regions) {
    region.rect.x += x;
    region.rect.y += y;
    board.regions.push_back(std::move(region));
  }
  for (const Rect& whole : part.wholes)
    board.wholes.push_back({whole.x + x, whole.y + y, whole.width, whole.height});
}

const BoardRegion* region_at(const Board& board, double x, double y) {
  const auto found = std::find_if(board.regions.rbegin(), board.regions.rend(),
                                  [&](const BoardRegion& region) { return region.rect.contains(x, y); });
  return found == board.regions.rend() ? nullptr : &*found;
}

void draw_board(Canvas& canvas, const Board& board, double x, double y) {
  for (const BoardFill& fill : board.fills)
    canvas.fill({fill.rect.x + x, fill.rect.y + y, fill.rect.width, fill.rect.height}, fill.color);
  for (const BoardMap& map : board.maps)
    canvas.map(map.picture, {map.rect.x + x, map.rect.y + y, map.rect.width, map.rect.height});
  for (const BoardLine& line : board.lines)
    canvas.line(line.x0 + x, line.y0 + y, line.x1 + x, line.y1 + y, line.width, line.color, line.opacity);
  for (const BoardText& text : board.texts) canvas.text(text.text, text.x + x, text.y + y, text.style);
}

}  // namespace headscope
