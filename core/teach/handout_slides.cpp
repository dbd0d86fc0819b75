// A lesson as an animation: each step as it is presented, then its text.
#include <algorithm>

#include "core/base/stopped.h"
#include "core/base/utf8.h"
#include "core/figure/animation/animation_writer.h"
#include "core/figure/expect_read.h"
#include "core/figure/figure_size.h"
#include "core/figure/page.h"
#include "core/figure/text/figure_font.h"
#include "core/teach/handout_parts.h"
#include "core/teach/step_header.h"
#include "core/teach/text_board.h"

namespace headscope {
namespace {

constexpr int pixels_wide = 1280, pixels_high = 720;
constexpr double slide_width = 960, slide_height = 540, slide_dpi = 96;  // the same in points
constexpr double margin = 18, em = 18;

/// Numbers have been filled in.
std::string no_number(const TextSpan&) {
  return "";
}

class Slides {
 public:
  Slides(const Handout& handout, AnimationWriter& writer, const HandoutWatch& watch)
      : handout_(handout), writer_(writer), watch_(watch), tr_(handout.language) {
    style_ = board_style(figure_style(Theme::light, em), shaper_);
    lesson_.title[handout.language] = handout.title;
    for (const HandoutStep& step : handout.steps) {
      LessonStep& shown = lesson_.steps.emplace_back();
      shown.title[handout.language] = step.title;
      shown.claim[handout.language] = {step.claim};
    }
  }

  void write() {
    for (std::size_t i = 0; i < handout_.steps.size(); ++i) {
      check_stop(watch_.stop);
      const HandoutStep& step = handout_.steps[i];
      if (const HandoutFigure* const shown = figure_of(step)) picture(i, *shown);
      text(i);
      if (watch_.progress)
        watch_.progress(static_cast<double>(i + 1) / static_cast<double>(handout_.steps.size()));
    }
    expect_letters(shaper_.missing());
  }

  /// Two for each step, or one where it has no figure or no text.
  static int count(const Handout& handout) {
    int frames = 0;
    for (const HandoutStep& step : handout.steps) frames += step.figure_step >= 0 ? 2 : 1;
    return frames;
  }

 private:
  const HandoutFigure* figure_of(const HandoutStep& step) const {
    if (step.figure_step < 0) return nullptr;
    return &handout_.steps[step.figure_step].figure;
  }

  /// With the lesson's line and the texts that it is of; `draw` gets the room that they leave.
  template <typename Draw>
  void add_slide(std::size_t step, const std::vector<std::string>& texts, int milliseconds,
                 const Draw& draw) {
    const Picture picture = draw_picture(slide_width, slide_height, slide_dpi, shaper_, [&](Canvas& canvas) {
      canvas.fill({0, 0, slide_width, slide_height}, style_.background);
      const double width = slide_width - 2 * margin;
      const Board line = step_header(lesson_, {static_cast<int>(step), 0}, style_, width, no_number, tr_);
      draw_board(canvas, line, margin, margin / 2);
      double top = margin / 2 + line.height;
      for (const std::string& one : texts) {
        canvas.text(shortened(one, width, em, style_), margin, top + 0.7 * em, {em, style_.muted});
        top += 1.4 * em;
      }
      top += margin / 2;
      draw(canvas, Rect{margin, top, width, slide_height - margin / 2 - top});
    });
    writer_.add(picture, milliseconds);
  }

  void picture(std::size_t step, const HandoutFigure& figure) {
    constexpr int milliseconds = 4000;
    add_slide(step, figure.texts, milliseconds, [&](Canvas& canvas, const Rect& room) {
      const Scene& scene = *figure.scene;
      if (const std::optional<Board> board = handout_board(scene, style_of_print(), tr_, figure)) {
        const double scale = std::min(room.width / board->width, room.height / board->height);
        draw_scaled(canvas, room, board->width, board->height, scale,
                    [&](Canvas& to) { draw_board(to, *board, 0, 0); });
      } else {
        // In the type of print: larger than on a sheet.
        constexpr double scale = 1.7;
        FigureOptions options = handout_figure(scene, handout_.language);
        options.tight = false;
        options.width = room.width / scale / points_per_inch;
        options.height = room.height / scale / points_per_inch;
        const Page page(scene, options, shaper_, false);
        draw_scaled(canvas, room, page.width(), page.height(), scale, [&](Canvas& to) { page.draw(to); });
      }
      expect_read(scene);
    });
  }

  BoardStyle style_of_print() { return board_style(figure_style(Theme::light), shaper_); }

  void draw_scaled(Canvas& canvas, const Rect& room, double width, double height, double scale,
                   const std::function<void(Canvas&)>& draw) {
    const auto drawn =
        std::make_shared<const Picture>(draw_picture(width, height, slide_dpi * scale, shaper_, draw));
    const double wide = scale * width, high = scale * height;
    canvas.picture(drawn, {room.x + (room.width - wide) / 2, room.y + (room.height - high) / 2, wide, high});
  }

  /// In type as large as it fits.
  void text(std::size_t number) {
    const HandoutStep& step = handout_.steps[number];
    LessonText all;
    const auto put = [&](const std::vector<TextBlock>& blocks) {
      all.blocks.insert(all.blocks.end(), blocks.begin(), blocks.end());
    };
    if (number == 0) put(handout_.text);
    put(step.text);
    for (const HandoutQuestion& question : step.questions) {
      TextBlock heading;
      heading.kind = TextBlock::Kind::heading;
      heading.spans.emplace_back().text = question_title(question, tr_);
      put({heading});
      put(question.text);
      put(choice_list(question, false));
    }
    add_slide(number, {}, reading_time(all), [&](Canvas& canvas, const Rect& room) {
      BoardStyle style = style_;
      Board board;
      for (const double scale : {1.6, 1.4, 1.2, 1.0, 0.85, 0.7, 0.6}) {
        style.font_size = scale * em;
        board = text_board(all, style, room.width, no_number);
        if (board.height <= room.height) break;
      }
      draw_board(canvas, board, room.x, room.y);
    });
  }

  static int reading_time(const LessonText& text) {
    constexpr double of_latin = 60, of_chinese = 170, shortest = 3000, longest = 60'000;  // ms
    double all = 0;
    const std::string plain = plain_text(text);
    for (std::size_t at = 0; at < plain.size(); at = code_point_end(plain, at))
      all += is_ascii(plain[at]) ? of_latin : of_chinese;
    return static_cast<int>(std::clamp(all, shortest, longest));
  }

  const Handout& handout_;
  AnimationWriter& writer_;
  const HandoutWatch& watch_;
  Translator tr_;
  TextShaper shaper_;
  BoardStyle style_;
  Lesson lesson_;
};

}  // namespace

std::string handout_webp(const Handout& handout, Paper, const HandoutWatch& watch) {
  AnimationHead head;
  head.width = pixels_wide;
  head.height = pixels_high;
  head.frames = Slides::count(handout);
  head.dpi = slide_dpi;
  head.metadata = {handout.title, ""};
  const std::unique_ptr<AnimationWriter> writer = make_webp_writer(head);
  Slides(handout, *writer, watch).write();
  return writer->finish();
}

}  // namespace headscope
