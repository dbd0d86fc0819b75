#include "core/teach/presenter_page.h"

#include <algorithm>

#include "core/figure/boards/figure_style.h"
#include "core/figure/canvas/canvas.h"
#include "core/figure/page.h"
#include "core/teach/course.h"

namespace headscope {
namespace {

/// A page in one size of type.
class Presenter {
 public:
  Presenter(const PresenterPage& page, double em, const BoardStyle& style, const ShowNumber& show,
            const Translator& tr)
      : page_(page), em_(em), style_(style), show_(show), tr_(tr) {
    style_.font_size = em;
  }

  /// The notes, or the text, and next to them the questions, where there are some.
  Board body(double width) const {
    const LessonText& notes = step().notes.in(tr_.language());
    const LessonText& text = notes.empty() ? step().text.in(tr_.language()) : notes;
    const double gap = 1.5 * em_;
    const bool both = !step().questions.empty();
    const double left = both ? 0.48 * (width - gap) : width;
    Board board = text_board(text, style_, left, show_);
    if (!both) return board;
    Board asked = questions(width - gap - left);
    board.height = std::max(board.height, asked.height);
    const double x = left + gap;
    board.lines.push_back({x - gap / 2, 0, x - gap / 2, board.height, 1, style_.border, 1});
    add(board, std::move(asked), x, 0);
    return board;
  }

  Board next(double width) const {
    const auto& steps = page_.lesson.steps;
    const int at = page_.place.step + 1;
    if (at >= std::ssize(steps)) return line(tr_("The last step"), style_.muted, width);
    const LessonStep& after = steps[at];
    Board board =
        line(with_minutes(tr_("Next: {}", after.title.in(tr_.language())), after), style_.text, width);
    const ShowNumber unknown = [](const TextSpan&) { return std::string("…"); };
    if (const LessonText& claim = after.claim.in(tr_.language()); !claim.empty())
      below(board, text_board(claim, style_, width, unknown));
    return board;
  }

  /// Its place, and of a course its minutes and those until its end.
  std::string place() const {
    const auto& steps = page_.lesson.steps;
    std::string text = with_minutes(tr_("Step {} of {}", page_.place.step + 1, steps.size()), step());
    double planned = 0;
    for (int i = 0; i <= page_.place.step; ++i) planned += steps[i].minutes;
    if (planned > 0) text += " · " + tr_("planned until its end: {} min", minutes_text(planned));
    return text;
  }

 private:
  const LessonStep& step() const { return page_.lesson.steps[page_.place.step]; }
  std::string with_minutes(std::string text, const LessonStep& of) const {
    return of.minutes > 0 ? text + " · " + tr_("{} min", minutes_text(of.minutes)) : text;
  }
  Board line(const std::string& text, Rgb color, double width) const {
    Board board;
    board.width = width;
    board.height = 1.45 * em_;
    board.texts.push_back(
        {shortened(text, width, em_, style_), 0, board.height / 2, {em_, color, Anchor::start}});
    return board;
  }
  static void below(Board& board, Board more) {
    const double y = board.height;
    board.height += more.height;
    add(board, std::move(more), 0, y);
  }

  Board questions(double width) const {
    Board board;
    board.width = width;
    for (int i = 0; i < std::ssize(step().questions); ++i) {
      const LessonQuestion& question = step().questions[i];
      if (i > 0) board.height += 0.8 * em_;
      const bool one = step().questions.size() == 1;
      below(board, line(one ? tr_("Question") : tr_("Question {}", i + 1), style_.muted, width));
      below(board, text_board(question.text.in(tr_.language()), style_, width, show_));
      const double indent = 1.3 * em_;
      for (std::size_t at = 0; at < question.choices.size(); ++at) {
        Board choice =
            text_board(question.choices[at].text.in(tr_.language()), style_, width - indent, show_);
        const bool right = page_.right.contains({i, static_cast<int>(at)});
        board.texts.push_back({right ? "✓" : "•",
                               0.2 * em_,
                               board.height + 0.72 * em_,
                               {em_, right ? style_.accent : style_.muted, Anchor::start}});
        const double y = board.height;
        board.height += choice.height;
        add(board, std::move(choice), indent, y);
      }
      const LessonText& answer = question.answer.in(tr_.language());
      if (answer.empty()) continue;
      below(board, line(tr_("Answer"), style_.muted, width));
      below(board, text_board(answer, style_, width, show_));
    }
    return board;
  }

  const PresenterPage& page_;
  double em_;
  BoardStyle style_;
  const ShowNumber& show_;
  const Translator& tr_;
};

}  // namespace

void draw_presenter_page(Canvas& canvas, const PresenterPage& page, int width, int height, double em,
                         TextShaper& shaper, const ShowNumber& show, const Translator& tr) {
  const double margin = em, room = width - 2 * margin;
  const BoardStyle style = board_style(figure_style(Theme::dark, em), shaper);
  const LessonStep& step = page.lesson.steps[page.place.step];
  canvas.fill({0, 0, static_cast<double>(width), static_cast<double>(height)}, style.background);
  const double clock = 2.2 * em, side = 12 * em;
  canvas.text(page.time, width - margin, margin + clock / 2, {clock, style.text, Anchor::end});
  canvas.text(shortened(page.since, side, em, style), width - margin, margin + clock + 0.6 * em,
              {em, style.muted, Anchor::end});
  const double beside = room - side - em;
  canvas.text(shortened(Presenter(page, em, style, show, tr).place(), beside, em, style), margin,
              margin + 0.6 * em, {em, style.muted});
  const double title = 1.4 * em;
  canvas.text(shortened(step.title.in(tr.language()), beside, title, style), margin, margin + 2.2 * em,
              {title, style.text});
  const double top = margin + 4.2 * em;
  Board body, next;
  double bottom = height;
  for (const double share : {1.4, 1.2, 1.0, 0.9, 0.8, 0.75}) {
    const Presenter sized(page, share * em, style, show, tr);
    body = sized.body(room);
    next = sized.next(room);
    bottom = height - margin / 2 - next.height;
    if (top + body.height + 0.5 * em <= bottom) break;
  }
  draw_board(canvas, body, margin, top);
  canvas.fill({0, bottom - 0.3 * em, static_cast<double>(width), height - bottom + 0.3 * em},
              style.background);
  canvas.line(margin, bottom - 0.3 * em, width - margin, bottom - 0.3 * em, 1, style.border, 1);
  draw_board(canvas, next, margin, bottom);
}

Picture presenter_page(const PresenterPage& page, int width, int height, double em, TextShaper& shaper,
                       const ShowNumber& show, const Translator& tr) {
  // A point is a pixel.
  return draw_picture(width, height, points_per_inch, shaper, [&](Canvas& canvas) {
    draw_presenter_page(canvas, page, width, height, em, shaper, show, tr);
  });
}

}  // namespace headscope
