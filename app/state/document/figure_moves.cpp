#include "app/state/document/figure_moves.h"

#include <algorithm>
#include <cmath>

#include "app/state/workspace.h"

namespace headscope {
namespace {

double within_reach(double share) {
  return std::clamp(share, -LabelPlace::farthest, LabelPlace::farthest);
}

/// By whole cells, as far as the map has any.
int moved_by(std::optional<TokenRange>& range, double by, double cell, double length) {
  if (!range || cell <= 0) return 0;
  const auto cells = static_cast<int>(std::lround(length / cell));
  const int low = std::min(0, -range->begin), high = std::max(0, cells - range->end);
  const int moved = std::clamp(static_cast<int>(std::lround(by / cell)), low, high);
  range->begin += moved;
  range->end += moved;
  return moved;
}

void move_mark(Mark& mark, const FigureHandle& part, double x, double y) {
  const int across = moved_by(mark.keys, x, part.column, part.map.width),
            down = moved_by(mark.queries, y, part.row, part.map.height);
  if (!mark.place) return;
  mark.place->x = within_reach(mark.place->x + across * part.column / part.map.width);
  mark.place->y = within_reach(mark.place->y + down * part.row / part.map.height);
}

/// The middle of the text follows.
void move_text(Mark& mark, const FigureHandle& part, double x, double y) {
  mark.place =
      LabelPlace{within_reach((part.place.x + part.place.width / 2 + x - part.map.x) / part.map.width),
                 within_reach((part.place.y + part.place.height / 2 + y - part.map.y) / part.map.height)};
}

HeadLabel label_of(const Workspace& work, const FigureHandle& part) {
  const HeadLabel* const label = find_label(work.labels, part.layer, part.head);
  return label != nullptr ? *label : HeadLabel{part.layer, part.head, {}, {}};
}

void move_title(Workspace& work, const FigureHandle& part, double x, double y) {
  HeadLabel label = label_of(work, part);
  const LabelPlace before = label.moved.value_or(LabelPlace{});
  label.moved =
      LabelPlace{within_reach(before.x + x / part.map.width), within_reach(before.y + y / part.map.height)};
  set_label(work.labels, label);
}

}  // namespace

void move_part(Workspace& work, const FigureHandle& part, double x, double y) {
  if (part.map.width <= 0 || part.map.height <= 0) return;
  if (part.of == FigureHandle::Of::title) return move_title(work, part, x, y);
  if (part.mark >= work.marks.size()) return;
  (part.of == FigureHandle::Of::label ? move_text : move_mark)(work.marks[part.mark], part, x, y);
}

void put_back(Workspace& work, const FigureHandle& part) {
  if (part.of == FigureHandle::Of::title) {
    HeadLabel label = label_of(work, part);
    label.moved.reset();
    return set_label(work.labels, label);
  }
  if (part.mark < work.marks.size()) work.marks[part.mark].place.reset();
}

}  // namespace headscope
