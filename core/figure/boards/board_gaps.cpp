#include "core/figure/boards/board_gaps.h"

#include <algorithm>

namespace headscope {

BoardGaps::BoardGaps(const Board& board, double highest, double highest_whole) {
  std::vector<std::pair<double, double>> parts;
  const auto add = [&](double top, double bottom) {
    if (bottom - top <= highest) parts.emplace_back(top, bottom);
  };
  for (const BoardText& text : board.texts)
    add(text.y - 0.8 * text.style.size, text.y + 0.25 * text.style.size);
  for (const BoardFill& fill : board.fills) add(fill.rect.y, fill.rect.bottom());
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
