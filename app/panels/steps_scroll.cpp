#include "app/panels/steps_scroll.h"

#include <algorithm>
#include <cmath>

namespace headscope {
namespace {

/// Where the window is scrolled to, so that the part is in view.
/// `edge`: of a card, which is not worth a press.
double place_of(const PagePart& part, bool from_top, double at, double room, double margin, double edge) {
  const double height = part.bottom - part.top - edge;
  if (part.top >= at && part.bottom <= at + room) return at;
  if (height <= room) return std::min(part.top, part.bottom - 0.95 * room);
  if (from_top || part.result - part.top <= room) return part.top;
  return part.result + margin - room;
}

}  // namespace

void follow_part(Ui& ui, const PagePart& part, bool anew) {
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
    at = std::min(at + of_a_room * room, std::max(at, part.bottom + margin - room));
  else if (state.wanted < 0)
    at = std::max(at - of_a_room * room, part.top);
  at = std::max(0.0, at);
  state.wanted = 0;
  // The run of a lesson's step is yet to come.
  if (!ui.stale) state.anew = false;
  if (std::abs(at - before) >= 1) ImGui::SetScrollY(static_cast<float>(at));
  state.above = part.top < at - edge;
  state.below = part.bottom > at + room + edge && part.top < at + room;
}

}  // namespace headscope
