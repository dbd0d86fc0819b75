#include "core/teach/handout.h"

#include <algorithm>
#include <array>
#include <functional>
#include <iterator>

#include "core/analysis/statistics.h"
#include "core/base/stopped.h"
#include "core/base/utf8.h"
#include "core/figure/boards/shape_strip.h"
#include "core/figure/boards/steps_board.h"
#include "core/figure/boards/steps_page.h"
#include "core/figure/canvas/formats.h"
#include "core/figure/figure_size.h"
#include "core/io/formats.h"
#include "core/scene/locked_text.h"
#include "core/scene/scene.h"
#include "core/scene/view_kinds.h"
#include "core/session/session_figure.h"
#include "core/source/maps/pooled_maps.h"
#include "core/system/machine_memory.h"
#include "core/teach/check.h"
#include "core/teach/handout_parts.h"

namespace headscope {
namespace {

using Asked = std::function<bool(const Expression&)>;

/// Whether a question of any step with the same inputs as this one asks for a number.
Asked asked_beside(const Lesson& lesson, const LessonStep& step) {
  return [&](const Expression& number) {
    const bool of_b = std::ranges::any_of(number.uses(), &MeasureUse::side_b);
    return std::ranges::any_of(lesson.steps, [&](const LessonStep& one) {
      return is_asked(one, number) && one.session.inputs == step.session.inputs &&
             (!of_b || one.session.compare == step.session.compare);
    });
  };
}

/// Replaces expressions by their numbers, and by a gap those that are asked for.
void fill_in(std::vector<TextBlock>& blocks, const LessonNumbers& numbers, const Asked& asked) {
  for_each_span(blocks, [&](TextSpan& span) {
    if (span.kind != TextSpan::Kind::number) return;
    const bool gap = asked && asked(span.value.at(0));
    span.text = gap ? "______" : span.form(live_number(span.value.at(0), numbers));
    span.kind = TextSpan::Kind::text;
    span.value.clear();
  });
}
std::vector<TextBlock> filled(const InLanguages<LessonText>& text, Language language,
                              const LessonNumbers& numbers, const Asked& asked = {}) {
  std::vector<TextBlock> blocks = text.in(language).blocks;
  fill_in(blocks, numbers, asked);
  return blocks;
}

class Writer {
 public:
  Writer(Language language, const std::string& source, Engine& engine, bool answers,
         const std::stop_token& stop)
      : tr_(language), source_(source), run_(engine, few_maps()), stop_(stop) {
    handout.language = language;
    handout.source = source;
    handout.answers = answers;
  }

  void step(const Lesson& lesson, const LessonStep& step, const LessonStep* before) {
    if (const auto mistakes = run_.check(step, before == nullptr ? &lesson.text : nullptr); !mistakes.empty())
      throw in_file(mistakes.front(), source_);
    const LessonNumbers& numbers = run_.numbers();
    if (before == nullptr) handout.text = filled(lesson.text, language(), numbers);
    HandoutStep& to = handout.steps.emplace_back();
    to.title = step.title.in(language());
    const Asked asked_here = asked_beside(lesson, step);
    to.claim = filled(step.claim, language(), numbers, asked_here);
    to.text = filled(step.text, language(), numbers, asked_here);
    const bool same =
        before != nullptr && shows_the_same(*before, step) && marks_of(*before) == marks_of(step);
    const int earlier = same ? 0 : earlier_step(lesson, step);
    HandoutFigure& figure = to.figure;
    figure.cards = earlier == 0;
    const int number = static_cast<int>(handout.steps.size()) - 1;
    if (earlier > 0 && marks_of(step).empty()) {
      figure.caption = tr_("Figure: see step {}", earlier);
      to.figure_step = handout.steps[earlier - 1].figure_step;
    } else if (!same) {
      draw(figure, step, run_);
      to.figure_step = number;
    } else {
      to.figure_step = handout.steps[number - 1].figure_step;
    }
    for (const LessonQuestion& question : step.questions)
      to.questions.push_back(asked(question, step, numbers));
  }

  Handout handout;

 private:
  HandoutQuestion asked(const LessonQuestion& question, const LessonStep& step,
                        const LessonNumbers& numbers) {
    HandoutQuestion to;
    to.number = ++questions_;
    to.text = filled(question.text, language(), numbers,
                     [&](const Expression& number) { return is_asked(step, number); });
    to.answer = filled(question.answer, language(), numbers);
    for (const LessonChoice& choice : question.choices)
      to.choices.push_back({filled(choice.text, language(), numbers), is_right(choice, numbers)});
    to.takes_one = takes_one(question, numbers);
    if (question.number) to.predicted = NumberForm()(live_number(question.number->value, numbers));
    if (handout.answers && question.solution) solve(to.solution, step, *question.solution);
    return to;
  }

  /// What a step shows.
  void draw(HandoutFigure& figure, const LessonStep& step, const LessonRun& run) {
    check_figure(*run.a());
    Scene scene = scene_of(step.session, run.a(), run.b(), {}, tr_);
    scene.trace = run.a();
    scene.view.theme = Theme::light;
    scene.view.show_title = !scene.view.title.empty();  // the step already has one
    if (step.cell) {
      scene.locked = Locked{*step.cell};
      if (scene.view.row().has_steps && !scene.view.head) scene.head = step.cell->head;
    }
    scene.marks_locked = true;
    scene.steps.component = step.component;
    scene.stop = stop_;
    const bool asked = std::ranges::any_of(step.questions, asks_for_shown);
    if (asked) scene.view.numbers = Numbers::off;
    figure.texts = texts_of(step.session);
    figure.shapes = std::ranges::find(step.highlight, "shapes") != step.highlight.end();
    figure.marked = marks_of(step);
    if (figure.marked.empty()) figure.marked = shape_mark_of_stage(step.session.view.steps.stage);
    figure.caption = scene.view.show_title || asked ? "" : locked_text(tr_, scene);
    figure.scene = std::move(scene);
  }

  /// The texts of both sides, of queries and keys, where there is more than one.
  std::vector<std::string> texts_of(const Session& session) const {
    constexpr std::size_t longest = 400;  // in characters
    std::vector<std::string> texts;
    const Inputs &a = session.inputs, &b = session.compare.value_or(a);
    const bool sides = a.sentence != b.sentence || a.key_sentence != b.key_sentence;
    const auto add = [&](Side side, const char* role, const std::string& text) {
      std::string name = sides ? letter(side) : "";
      if (role != nullptr) name += (name.empty() ? "" : " · ") + std::string(tr_(role));
      texts.push_back(tr_("{}: {}", name, cut_off(text, longest)));
    };
    for (const Side side : both_sides) {
      if (side == Side::b && !sides) continue;
      const Inputs& inputs = side == Side::b ? b : a;
      const bool cross = inputs.cross() && inputs.key_sentence;
      if (!sides && !cross) continue;
      add(side, cross ? TR("Query") : nullptr, inputs.sentence);
      if (cross) add(side, TR("Key"), *inputs.key_sentence);
    }
    return texts;
  }

  /// Drawn if the locked cell exists there, too: a solution may have another sentence.
  void solve(HandoutFigure& figure, const LessonStep& step, const Session& solution) {
    LessonStep solved = step;
    solved.session = solution;
    solved.questions.clear();
    solved.claims.clear();
    solved.withs.clear();
    solved.text = {};
    LessonRun run = run_;
    if (run.check(solved, nullptr).empty()) draw(figure, solved, run);
  }

  /// For a large run each map is computed when it is drawn.
  static RunOptions few_maps() {
    RunOptions options;
    options.map_budget = std::size_t{1} << 26;
    return options;
  }
  Language language() const { return tr_.language(); }

  /// Drawing is the purpose of a handout: only a share of its work counts, so that hours are refused but not
  /// minutes.
  void check_figure(const Trace& trace) {
    constexpr double of_any = 100e6, of_cell = 1000, of_cell_in_passing = 100, share = 0.02;
    const bool in_passing = has_long_text(trace.inputs);
    const BlockTrace& block = trace.blocks.front();
    const double cells = static_cast<double>(block.n_q()) * static_cast<double>(block.n_k()) * block.heads();
    drawn_.spend(WorkBudget::steps_of(
        of_any + share * cells * ((in_passing ? of_cell_in_passing : of_cell) + block.shape.d_k)));
  }

  /// The part of the shapes that it marks; empty: none.
  static std::string marks_of(const LessonStep& step) {
    for (const char* mark : shape_marks)
      if (std::ranges::find(step.highlight, mark) != step.highlight.end()) return mark;
    return "";
  }

  static bool shows_the_same(const LessonStep& a, const LessonStep& b) {
    // On paper the page of costs is complete, whatever part of it a step scrolls to.
    const auto drawn = [](Session session) {
      if (session.view.row().has_steps && session.view.steps.page == StepsPage::cost)
        session.view.steps.stage.clear();
      return session;
    };
    return a.cell == b.cell && a.component == b.component && drawn(a.session) == drawn(b.session);
  }
  /// The earlier step, from 1, that has the same figure; 0: none.
  static int earlier_step(const Lesson& lesson, const LessonStep& step) {
    const auto found = std::ranges::find_if(lesson.steps, [&](const LessonStep& other) {
      return &other == &step || shows_the_same(other, step);
    });
    return &*found == &step ? 0 : static_cast<int>(found - lesson.steps.begin()) + 1;
  }

  Translator tr_;
  const std::string& source_;
  LessonRun run_;
  std::stop_token stop_;
  WorkBudget drawn_{source_, 0};
  int questions_ = 0;
};

/// The cost of its figures, which are drawn one after the other.
Forecast forecast_of(const Handout& handout) {
  Forecast all;
  for (const HandoutStep& step : handout.steps) {
    const auto add = [&](const HandoutFigure& one) {
      if (!one.scene) return;
      const Forecast figure = forecast_of_figure(*one.scene);
      all.seconds += figure.seconds;
      all.bytes = std::max(all.bytes, figure.bytes);
    };
    add(step.figure);
    for (const HandoutQuestion& question : step.questions) add(question.solution);
  }
  return all;
}

/// Refuses what would run the machine out of memory.
void check_memory(const Forecast& forecast, const std::string& source) {
  constexpr double gigabyte = 1e9, share = 0.9;
  const auto available = static_cast<double>(available_memory());
  if (forecast.bytes <= share * available) return;
  throw unable_error(
      "{}: a figure needs {} GB of memory, {} GB are free; use shorter sentences or fewer heads", source,
      fmt::format("{:.1f}", forecast.bytes / gigabyte), fmt::format("{:.1f}", available / gigabyte));
}

constexpr std::array formats{HandoutFormat{".pdf", TR("Pages (.pdf)"), handout_pdf, writes_pdf},
                             HandoutFormat{".html", TR("Web page (.html)"), handout_html},
                             HandoutFormat{".webp", TR("Animation (.webp)"), handout_webp}};

}  // namespace

Handout make_handout(const Lesson& lesson, const std::string& source, Language language, Engine& engine,
                     bool answers, const std::stop_token& stop) {
  if (!lesson.flaws.empty()) throw in_file(lesson.flaws.front(), source);
  Writer writer(language, source, engine, answers, stop);
  writer.handout.title = lesson.title.in(language);
  const LessonStep* before = nullptr;
  for (const LessonStep& step : lesson.steps) {
    check_stop(stop);
    writer.step(lesson, step, before);
    before = &step;
  }
  return std::move(writer.handout);
}

std::span<const HandoutFormat> handout_formats() {
  return formats;
}

std::vector<HandoutFormat> written_handout_formats() {
  std::vector<HandoutFormat> written;
  std::ranges::copy_if(formats, std::back_inserter(written), [](const HandoutFormat& format) {
    return format.is_built_in == nullptr || format.is_built_in();
  });
  return written;
}

void export_handout(const std::string& path, const Lesson& lesson, const std::string& source,
                    Language language, Paper paper, bool answers, Engine& engine, const HandoutWatch& watch) {
  const HandoutFormat& format = expect_format(handout_formats(), path);
  const Handout handout = make_handout(lesson, source, language, engine, answers, watch.stop);
  const Forecast forecast = forecast_of(handout);
  check_memory(forecast, source);
  if (watch.forecast) watch.forecast(forecast);
  const std::string file = format.write(handout, paper, watch);
  check_stop(watch.stop);
  write_file(path, file);
}

std::optional<Board> handout_board(const Scene& scene, const BoardStyle& style, const Translator& tr,
                                   const HandoutFigure& figure) {
  constexpr double width = handout_width * points_per_inch;
  const double maximum = scene.view.row().printed.height * points_per_inch;
  const double type = scene.view.steps.page == StepsPage::cell ? 10 : 9;
  if (scene.empty() || !scene.view.row().has_steps) return {};
  BoardStyle sized = style;
  const auto at_size = [&](double size) {
    sized.font_size = size;
    return scene.view.steps.page == StepsPage::cell ? steps_row(scene, sized, width, tr)
                                                    : steps_page_board(scene, sized, width, tr);
  };
  std::optional<Board> board = at_size(type);
  if (!board || board->texts.empty()) return {};
  const bool shapes = figure.shapes && scene.view.steps.page == StepsPage::cell;
  if (shapes && !figure.cards) board = Board{};
  // A long page goes on over several sheets.
  const bool whole = scene.view.steps.page == StepsPage::cell;
  for (int tries = 0; whole && tries < 20 && board->height > maximum; ++tries)
    board = at_size(0.95 * sized.font_size);
  if (!shapes) return board;
  sized.font_size = type;
  const int layer = scene.view.layer;
  const auto sums = row_sums(*scene.block, layer);
  Board strip = shape_strip(*scene.block, layer, sums.get(), sized, width, tr,
                            {.marked = figure.marked, .token = steps_cell(scene).query});
  const double top = board->height > 0 ? board->height + type : 0;
  board->width = std::max(board->width, strip.width);
  board->height = top + strip.height;
  add(*board, std::move(strip), 0, top);
  return board;
}

FigureOptions handout_figure(const Scene& scene, Language language) {
  const PrintedSize& printed = scene.view.row().printed;
  FigureOptions options;
  options.width = printed.width * handout_width;
  options.language = language;
  options.dpi = print_dpi;
  options.tight = true;
  options.height = std::min(figure_height(scene, options), printed.height);
  return options;
}

std::string name_line(const Translator& tr) {
  return tr("Name:") + std::string(" ____________________    ") + tr("Date:") + " ____________";
}

std::vector<TextBlock> choice_list(const HandoutQuestion& question, bool answered) {
  TextBlock list;
  list.kind = TextBlock::Kind::list;
  for (const HandoutChoice& choice : question.choices) {
    TextBlock& item = list.children.emplace_back();
    item.kind = TextBlock::Kind::item;
    TextSpan box;
    const bool crossed = answered && choice.right;
    box.text = question.takes_one ? (crossed ? "● " : "○ ") : crossed ? "☒ " : "☐ ";
    item.spans.push_back(box);
    for (const TextBlock& block : choice.text)
      item.spans.insert(item.spans.end(), block.spans.begin(), block.spans.end());
  }
  return list.children.empty() ? std::vector<TextBlock>() : std::vector{std::move(list)};
}

int lines_of(const HandoutQuestion& question) {
  return !question.choices.empty() ? 0 : question.predicted.empty() ? answer_lines : 1;
}

std::string predicted_line(const HandoutQuestion& question, const Translator& tr) {
  return tr("Number: {}", question.predicted);
}

std::string question_title(const HandoutQuestion& question, const Translator& tr) {
  return tr("Question {}", question.number);
}

}  // namespace headscope
