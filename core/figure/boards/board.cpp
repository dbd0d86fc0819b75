#include "core/figure/boards/board.h"

#include <algorithm>
#include <cmath>

#include "core/figure/boards/bar_ends.h"

namespace headscope {

BoardStyle board_style(const FigureStyle& style, MeasureSized measure) {
  BoardStyle board;
  board.font_size = style.font_size;
  board.smallest = std::min(style.font_size, style.smallest);
  board.background = style.background;
  board.text = style.text;
  board.muted = style.muted;
  board.border = style.border;
  board.accent = style.accent;
  board.panel = style.masked.background;
  board.warning = style.warning;
  board.measure = std::move(measure);
  return board;
}

BoardStyle board_style(const FigureStyle& style, TextShaper& shaper) {
  return board_style(style, measure_with(shaper));
}

MeasureSized measure_with(TextShaper& shaper) {
  return [&shaper](std::string_view text, double size) { return shaper.width(text, size); };
}

std::string shortened(std::string_view text, double room, double size, const BoardStyle& style) {
  return shortened(text, room, [&](std::string_view part) { return style.measure(part, size); });
}

void frame(Board& board, const Rect& rect, double width, Rgb color) {
  const double left = rect.x - width / 2, right = rect.right() + width / 2;  // including the corners
  board.lines.push_back({left, rect.y, right, rect.y, width, color, 1});
  board.lines.push_back({rect.right(), rect.y, rect.right(), rect.bottom(), width, color, 1});
  board.lines.push_back({left, rect.bottom(), right, rect.bottom(), width, color, 1});
  board.lines.push_back({rect.x, rect.bottom(), rect.x, rect.y, width, color, 1});
}

void arrow(Board& board, double x0, double y0, double x1, double y1, double head, double width, Rgb color,
           double spread) {
  board.lines.push_back({x0, y0, x1, y1, width, color, 1});
  const double length = std::hypot(x1 - x0, y1 - y0);
  if (length <= 0) return;
  const double ux = (x1 - x0) / length, uy = (y1 - y0) / length;
  for (const double side : {-spread, spread})
    board.lines.push_back(
        {x1 - head * (ux - side * uy), y1 - head * (uy + side * ux), x1, y1, width, color, 1});
}

void add_colors(Board& board, const Rect& bar, const Colors& colors, int pieces) {
  for (int i = 0; i < pieces; ++i)
    board.fills.push_back({{bar.x + bar.width * i / pieces, bar.y, bar.width / pieces, bar.height},
                           colors[(2 * i + 1) * 128 / pieces]});
}

void add_level_bar(Board& board, const LevelBar& level, const Colors& colors, const BoardStyle& style) {
  constexpr int pieces = 64;
  const double em = style.font_size;
  add_colors(board, level.bar, colors, pieces);
  frame(board, level.bar, 0.05 * em, style.border);
  const BarEnds ends = bar_ends(level.bar, level.below, level.above, colors);
  for (const BarEnds::Fill& fill : ends.fills) board.fills.push_back({fill.rect, fill.color});
  for (const BarEnds::Line& at : ends.lines)
    board.lines.push_back({at.x0, at.y0, at.x1, at.y1, 0.05 * em, style.border});
  for (const BarTick& tick : level.ticks) {
    const double x = level.x_of(tick), top = level.bar.bottom();
    board.lines.push_back({x, top, x, top + 0.2 * level.font_size, 0.05 * em, style.muted});
    board.texts.push_back({tick.text,
                           level.text_x(tick, style.measure(tick.text, level.font_size)),
                           level.text_y,
                           {level.font_size, style.muted, Anchor::middle, false}});
  }
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
  for (BoardPicture& picture : part.pictures) {
    picture.rect.x += x;
    picture.rect.y += y;
    board.pictures.push_back(std::move(picture));
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

const BoardRegion* region_of(const Board& board, const BoardTarget& target) {
  const auto found = std::ranges::find(board.regions, target, &BoardRegion::target);
  return found == board.regions.end() ? nullptr : &*found;
}

void draw_board(Canvas& canvas, const Board& board, double x, double y) {
  for (const BoardFill& fill : board.fills)
    canvas.fill({fill.rect.x + x, fill.rect.y + y, fill.rect.width, fill.rect.height}, fill.color);
  for (const BoardMap& map : board.maps)
    canvas.map(map.picture, {map.rect.x + x, map.rect.y + y, map.rect.width, map.rect.height});
  for (const BoardPicture& picture : board.pictures)
    canvas.picture(picture.picture,
                   {picture.rect.x + x, picture.rect.y + y, picture.rect.width, picture.rect.height});
  for (const BoardLine& line : board.lines)
    canvas.line(line.x0 + x, line.y0 + y, line.x1 + x, line.y1 + y, line.width, line.color, line.opacity);
  for (const BoardText& text : board.texts) canvas.text(text.text, text.x + x, text.y + y, text.style);
}

BoardGaps::BoardGaps(const Board& board, double highest, double highest_whole) {
  std::vector<std::pair<double, double>> parts;
  const auto add = [&](double top, double bottom) {
    if (bottom - top <= highest) parts.emplace_back(top, bottom);
  };
  for (const BoardText& text : board.texts)
    add(text.y - 0.55 * text.style.size, text.y + 0.6 * text.style.size);  // y is that of its middle
  for (const BoardFill& fill : board.fills) add(fill.rect.y, fill.rect.bottom());
  for (const BoardPicture& picture : board.pictures) add(picture.rect.y, picture.rect.bottom());
  for (const BoardLine& line : board.lines)
    add(std::min(line.y0, line.y1) - line.width / 2, std::max(line.y0, line.y1) + line.width / 2);
  for (const Rect& whole : board.wholes)
    if (whole.height <= highest_whole) parts.emplace_back(whole.y, whole.bottom());
  std::ranges::sort(parts);
  constexpr double touching = 0.5;
  for (const auto& [top, bottom] : parts)
    if (whole_.empty() || top >= whole_.back().second - touching)
      whole_.emplace_back(top, bottom);
    else
      whole_.back().second = std::max(whole_.back().second, bottom);
}

const std::pair<double, double>* BoardGaps::at(double y) const {
  const auto next = std::ranges::upper_bound(whole_, y, {}, &std::pair<double, double>::first);
  if (next == whole_.begin()) return nullptr;
  const auto& part = *std::prev(next);
  return part.first < y && y < part.second ? &part : nullptr;
}

double BoardGaps::before(double y, double minimum) const {
  const auto* part = at(y);
  return part != nullptr && part->first >= minimum ? part->first : y;
}

double BoardGaps::after(double y, double maximum) const {
  const auto* part = at(y);
  return part != nullptr && part->second <= maximum ? part->second : y;
}

}  // namespace headscope
