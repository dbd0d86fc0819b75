#include "app/panels/views/steps_scroll.h"

#include <algorithm>
#include <cmath>

#include "app/panels/widgets/board.h"
#include "core/figure/boards/board.h"

namespace headscope {
namespace {

/// The scroll position that brings the part into view. `edge`: border of a card, which is not worth scrolling
/// for.
double place_of(const PagePart& part, bool from_top, double at, double room, double margin, double edge) {
  const double height = part.bottom - part.top - edge;
  if (part.top >= at && part.bottom <= at + room) return at;
  if (height <= room) return std::min(part.top, part.bottom - 0.95 * room);
  if (from_top || part.result - part.top <= room) return part.top;
  return part.result + margin - room;
}

/// The part of a board that a projector shows at scroll position `top`, without cutting anything.
struct Sight {
  double top = 0, bottom = 0;
};
constexpr double max_left_out = 0.6;  // of the height
constexpr double min_shown = 0.1;     // of the height, above what the next page shows in full

Sight in_sight(const Board& board, double top, double room) {
  const BoardGaps gaps(board, max_left_out * room, room);
  const double first = top <= 0 ? 0 : gaps.after(top, top + max_left_out * room);
  const bool to_its_end = board.height <= top + room;
  return {first, to_its_end ? top + room : gaps.before(top + room, first + min_shown * room)};
}

}  // namespace

void draw_scrolled_board(Ui& ui, const Board& board, ImVec2 at) {
  if (!ui.style.presented) return draw_board(ui, board, at);
  const Sight sight = in_sight(board, static_cast<double>(ImGui::GetScrollY()),
                               static_cast<double>(ImGui::GetWindowHeight()));
  ImGui::PushClipRect({at.x, at.y + static_cast<float>(sight.top)},
                      {at.x + ImGui::GetWindowWidth(), at.y + static_cast<float>(sight.bottom)}, true);
  draw_board(ui, board, at);
  ImGui::PopClipRect();
}

void follow_part(Ui& ui, const Board& board, const PagePart& part, bool anew) {
  constexpr double of_a_room = 0.8;
  StepsRoom& state = ui.state.steps_room;
  const auto room = static_cast<double>(ImGui::GetWindowHeight()),
             before = static_cast<double>(ImGui::GetScrollY());
  const auto edge = static_cast<double>(ui.style.font_size);
  const double margin = 0.3 * static_cast<double>(ui.style.font_size);
  double at = before;
  if (anew || state.anew)
    at = place_of(part, state.from_top, at, room, margin, edge);
  else if (state.wanted > 0)
    at = ui.style.presented ? in_sight(board, at, room).bottom
                            : std::min(at + of_a_room * room, std::max(at, part.bottom + margin - room));
  else if (state.wanted < 0)
    at = std::max(at - of_a_room * room, part.top);
  at = std::max(0.0, at);
  state.wanted = 0;
  // The run of a lesson's step is still pending.
  if (!ui.stale) state.anew = false;
  state.moved = std::abs(at - before) >= 1;
  if (state.moved) ImGui::SetScrollY(static_cast<float>(at));
  const Sight sight = ui.style.presented ? in_sight(board, at, room) : Sight{at, at + room};
  state.above = part.top < sight.top - edge;
  state.below = part.bottom > sight.bottom + (ui.style.presented ? 0 : edge) && part.top < at + room;
}

}  // namespace headscope
