#include "core/teach/step_header.h"

#include <algorithm>

namespace headscope {
namespace {

/// The term before the phrase: "Masks" of "Masks: causal, padding".
std::string term_of(const std::string& title) {
  return title.substr(0, std::min(title.find(": "), title.find("：")));
}

double right_of(const Board& board, const BoardStyle& style) {
  double right = 0;
  for (const BoardText& text : board.texts)
    right = std::max(right, text.x + style.measure(text.text, text.style.size));
  return right;
}

}  // namespace

Board step_header(const Lesson& lesson, const LessonPlace& place, const BoardStyle& style, double width,
                  const ShowNumber& show, const Translator& tr, const LessonText* now) {
  const LessonStep& shown = lesson.steps[place.step];
  LessonText name_of_step;
  TextSpan& span = name_of_step.blocks.emplace_back().spans.emplace_back();
  span.text = shown.title.in(tr.language());
  // Never a copy: live numbers are kept by their place in the lesson.
  const LessonText& stated = now != nullptr ? *now : shown.claim.in(tr.language());
  const LessonText& claim = stated.empty() ? name_of_step : stated;
  constexpr double one_line = 1e6;  // in any unit
  const double em = style.font_size, gap = em;
  BoardStyle of_claim = style;
  Board line = text_board(claim, of_claim, one_line, show);
  double needed = right_of(line, of_claim);

  const std::string& title = lesson.title.in(tr.language());
  const auto prefix = [&](const std::string& name) {
    if (place.ended) return tr("{} · this was the last step", name);
    return tr("{} · step {} of {}", name, place.step + 1, lesson.steps.size());
  };
  const int parts = shown.parts() > 1 ? shown.parts() : 0;
  const std::string dot = "•";
  const double dot_width = 1.4 * style.measure(dot, em), dots = parts * dot_width;
  const auto prefix_width = [&](const std::string& name) { return style.measure(prefix(name), em) + dots; };
  std::string name = title;
  if (prefix_width(name) + gap + needed > width) name = term_of(title);
  const double room = width - gap - needed - prefix_width("");
  name = shortened(name, std::max(room, 4 * em), em, style);
  const double left = prefix_width(name) + gap;
  if (left + needed > width) {
    of_claim.font_size *= std::max(0.6, (width - left) / needed);
    line = text_board(claim, of_claim, one_line, show);
    needed = std::min(width - left, right_of(line, of_claim));
  }

  Board board;
  board.width = width;
  // A formula may be higher than a line.
  board.height = std::max(1.45 * em, line.height);
  const double down = (board.height - std::max(1.45 * of_claim.font_size, line.height)) / 2;
  const bool on_line = !line.texts.empty() && line.texts.front().style.size == em;
  const double y = on_line ? down + line.texts.front().y : board.height / 2;
  board.texts.push_back({prefix(name), 0, y, {em, style.muted, Anchor::start}});
  for (int part = 0; part < parts; ++part) {
    const double x = left - gap - dots + (part + 0.7) * dot_width;
    board.texts.push_back(
        {dot, x, y, {em, part <= place.part ? style.accent : style.border, Anchor::middle}});
    board.regions.push_back(
        {{x - dot_width / 2, 0, dot_width, board.height}, "part " + std::to_string(part + 1), ""});
  }
  board.regions.push_back({{0, 0, left - gap, board.height}, "title", title});
  add(board, std::move(line), left, down);
  board.regions.push_back({{left, 0, needed, board.height}, "claim", ""});
  return board;
}

}  // namespace headscope
