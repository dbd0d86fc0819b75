#include "core/teach/presenter_page.h"

#include <algorithm>

#include "core/figure/boards/figure_style.h"
#include "core/figure/canvas/canvas.h"
#include "core/figure/page.h"

namespace headscope {

Picture presenter_page(const PresenterPage& page, int width, int height, double scale, TextShaper& shaper,
                       const ShowNumber& show, const Translator& tr) {
  const double em = 15 * scale, margin = em;
  BoardStyle style = board_style(figure_style(Theme::dark, em), shaper);
  const auto& steps = page.lesson.steps;
  const LessonStep& step = steps[page.place.step];
  const double room = width - 2 * margin;
  const ShowNumber unknown = [](const TextSpan&) { return std::string("…"); };
  // A point is a pixel.
  return draw_picture(width, height, points_per_inch, shaper, [&](Canvas& canvas) {
    const auto put = [&](const std::string& text, double y, double size, Rgb color,
                         Anchor anchor = Anchor::start) {
      canvas.text(shortened(text, room, size, style), anchor == Anchor::end ? width - margin : margin, y,
                  {size, color, anchor});
    };
    canvas.fill({0, 0, static_cast<double>(width), static_cast<double>(height)}, style.background);
    put(page.time, margin + 0.9 * em, 1.8 * em, style.text, Anchor::end);
    put(page.since, margin + 2.4 * em, em, style.muted, Anchor::end);
    const double beside = room - 8 * em;
    put(tr("Step {} of {}", page.place.step + 1, steps.size()), margin + 0.6 * em, em, style.muted);
    canvas.text(shortened(step.title.in(tr.language()), beside, 1.4 * em, style), margin, margin + 2.1 * em,
                {1.4 * em, style.text});
    const double top = margin + 3.6 * em, foot = 4.2 * em, bottom = height - margin - foot;
    const LessonText& notes = step.notes.in(tr.language());
    const LessonText& text = notes.empty() ? step.text.in(tr.language()) : notes;
    BoardStyle sized = style;
    Board board;
    for (const double share : {1.5, 1.3, 1.15, 1.0, 0.85, 0.7}) {
      sized.font_size = share * em;
      board = text_board(text, sized, room, show);
      if (board.height <= bottom - top) break;
    }
    draw_board(canvas, board, margin, top);
    canvas.fill({0, bottom, static_cast<double>(width), height - bottom}, style.background);
    canvas.line(margin, bottom, width - margin, bottom, 1, style.border, 1);
    const int next = page.place.step + 1;
    if (next >= std::ssize(steps)) return put(tr("The last step"), bottom + 1.2 * em, em, style.muted);
    put(tr("Next: {}", steps[next].title.in(tr.language())), bottom + 1.2 * em, em, style.muted);
    const LessonText& claim = steps[next].claim.in(tr.language());
    if (!claim.empty())
      draw_board(canvas, text_board(claim, style, room, unknown), margin, bottom + 2.1 * em);
  });
}

}  // namespace headscope
