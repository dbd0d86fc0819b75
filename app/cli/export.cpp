#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <utility>

#include "app/cli/commands.h"
#include "app/cli/messages.h"
#include "app/cli/notes.h"
#include "app/cli/output.h"
#include "app/cli/run_inputs.h"
#include "app/cli/token_option.h"
#include "app/cli/values.h"
#include "core/analysis/arithmetic_stages.h"
#include "core/analysis/shown_causes.h"
#include "core/base/error.h"
#include "core/base/utf8.h"
#include "core/figure/animation/animation.h"
#include "core/figure/boards/draw_parts.h"
#include "core/figure/caption.h"
#include "core/figure/text/figure_font.h"
#include "core/inputs/sweep.h"
#include "core/io/formats.h"
#include "core/scene/view_kinds.h"
#include "core/scene/view_needs.h"
#include "core/session/session_figure.h"
#include "core/source/engine/engine.h"
#include "core/source/maps/pooled_maps.h"
#include "core/source/maps/work_forecast.h"
#include "core/teach/handout.h"
#include "core/teach/library.h"

namespace headscope {
namespace {

/// How many arrays of maps [heads, n_q, n_k] a figure holds at once.
constexpr std::size_t maps_in_figure = 1;

// Error messages say which of the two sides they are about.
Ran run_other(const CommandRequest& request, const Inputs& inputs, std::size_t map_arrays,
              const Translator& tr) try {
  RunOptions options;
  options.maps_alone = has_long_text(inputs);
  Ran ran = run(request, inputs, map_arrays, tr, options);
  if (!ran.notes.empty()) ran.notes = tr("{}: {}", "B", ran.notes);
  return ran;
} catch (const Error& error) {
  throw error.at("B");
}

/// --query and --key are refused where a figure of the view neither marks their cell nor is about it.
void expect_cells(const CommandRequest& request, ViewKind kind) {
  const auto has_cells = [](const ViewKindRow& row) {
    return row.cells != CellsAs::nothing || row.has_steps || row.whole;
  };
  if (has_cells(view_kind(kind))) return;
  for (const char* option : {"--query", "--key"})
    if (request.is_given(option))
      throw input_error("{} is given with the view {}; expected one that shows cells: {}", option,
                        word_of(view_kind(kind)), view_words(has_cells));
}

/// A comparison is of two sides.
void expect_sides(const Session& session) {
  if (session.view.row().compares && !session.compare)
    throw input_error("{} is given without B; expected {}, {} or a session that compares", "--view compare",
                      "--other-sentence", "--heads-off");
}

/// The tokens of a question that was typed have to exist.
void expect_question(const View& view, const Trace& trace) {
  const char* const option = view.row().token_option;
  if (option == nullptr || !trace.predictions) return;
  const PredictionOptions& question = view.predictions;
  if (!question.token.empty()) one_token(option, question.token, *trace.predictions);
  if (!question.against.empty()) one_token("--against", question.against, *trace.predictions);
}

/// Reads the maps in view, the slowest part of a figure of a long text.
void read_pooled(Scene& scene, const Translator& tr) {
  const bool one_head = scene.pooled != nullptr;
  if (!one_head && !scene.block->pooled()) return;
  Progress progress(tr, TR("Reading the maps"));
  progress.report(forecast_of_maps(*scene.block, static_cast<double>(heads_in_view(scene).size())));
  const auto show = [&](double share) { progress.show(share); };
  if (one_head)
    scene.part = shown_of_long(scene, show);
  else
    read_ahead(*scene.block, scene.view.layer, heads_in_view(scene), show);
}

// Whether every text to be drawn consists of characters that any text font has. The tokens of trained models
// and captures are unknown until they are read.
bool own_fonts_have_all(const Session& session, const Translator& tr) {
  if (tr.language() != Language::en || !session.inputs.about().known_ahead) return false;
  const std::string text = to_json(session, false);
  constexpr std::int32_t behind_cyrillic = 0x530;
  for (std::size_t i = 0; i < text.size();)
    if (next_code_point(text, i) >= behind_cyrillic) return false;
  return true;
}

/// Runs the values of a sweep in order: each run continues from the previous one.
class SweepRun {
 public:
  SweepRun(const CommandRequest& request, std::vector<double> values, const Translator& tr)
      : request_(request),
        session_(request.session),
        sweep_(*request.sweep),
        values_(std::move(values)),
        texts_(number_texts(values_)),
        tr_(tr) {
    // Unless --range is given: with a range per head and frame, changing colours would look like changing
    // weights.
    View& view = session_.view;
    if (view.range.kind == Range::head && !request.is_given("--range")) view.range.kind = Range::shared;
    options_.maps_alone = !view.row().has_steps;
    if (shows_b(session_)) other_ = run(engine_, request, *session_.compare, 2, tr, options_).trace;
  }

  AnimationFrame frame(int index) {
    const std::size_t i = index;
    const std::string caption = tr_("{} {}", tr_(sweep_.label()), texts_[i]);
    Session session = session_;
    set_number(session.inputs, sweep_, values_[i]);
    try {
      Ran ran = run(engine_, request_, session.inputs, 2, tr_, options_);
      const BlockShape& shape = block_of(ran.trace, session.view.block)->shape;
      fit_view(session.view, shape);
      options_.previous = ran.trace;
      if (index == 0) notes_ = ran.notes;
    } catch (const Error& error) {
      throw error.at(caption);
    }
    return {requested_scene(request_, session, options_.previous, other_, tr_), caption};
  }

  /// To be called before the last frame's picture is used.
  void check() const {
    if (options_.previous) check_read(*options_.previous);
  }
  const std::string& notes() const { return notes_; }
  /// Reports the forecast of the first frame's run only: the others are similar.
  void report(const ReportForecast& forecast) {
    options_.forecast = [this, forecast](const Forecast& each) {
      if (!std::exchange(reported_, true)) forecast(each);
    };
  }

 private:
  const CommandRequest& request_;
  Session session_;
  const Sweep& sweep_;
  std::vector<double> values_;
  std::vector<std::string> texts_;
  const Translator& tr_;
  Engine engine_;
  RunOptions options_;
  bool reported_ = false;
  std::shared_ptr<const Trace> other_;
  std::string notes_;
};

std::string left_out_note(const SweepValues& values, const Sweep& sweep, const Translator& tr) {
  if (values.left_out.empty()) return "";
  std::string list;
  for (const auto& [value, error] : values.left_out)
    list += (list.empty() ? "" : tr(", ")) + fmt::format("{}", value);
  return tr("{}: values left out: {} ({})", sweep.name(), list, tr(values.left_out.front().second));
}

/// A lesson defines all of its states: no other option on the line could change them.
void check_alone(const CommandRequest& request) {
  constexpr std::array<std::string_view, 5> with_lesson{"--lesson", "--paper", "--no-answers", "--language",
                                                        "-o,--output"};
  for (const std::string& given : request.given)
    if (std::ranges::find(with_lesson, given) == with_lesson.end())
      throw input_error("--lesson and {} are both given; expected one of them", given);
  if (!request.file.empty())
    throw input_error("--lesson and {} are both given; expected one of them", request.file);
}

Lesson read_whole(const std::string& name) {
  std::error_code ignored;
  if (!is_lesson(name) && !std::filesystem::exists(name, ignored))
    throw input_error("--lesson is \"{}\"; expected a file such as lesson.md, or one of: {}", name,
                      fmt::format("{}", fmt::join(built_in_lesson_names(), ", ")));
  ReadLesson read = open_lesson(name);
  if (!read.mistakes.empty()) throw in_file(read.mistakes.front(), name);
  return std::move(read.lesson);
}

}  // namespace

void run_export(const CommandRequest& request, const Translator& tr) {
  if (request.handout) return run_handout(request, tr);
  if (request.paper || !request.answers)
    throw input_error("{} is given without a lesson; expected --lesson",
                      request.paper ? "--paper" : "--no-answers");
  if (request.sweep) return run_sweep(request, tr);
  if (find_format(animation_formats(), request.output) != nullptr)
    throw input_error("{} ends in {}, an animation; expected --sweep FIELD=FROM:TO:FRAMES, or {}",
                      request.output, ending(request.output),
                      fmt::format("{}", fmt::join(endings(figure_formats()), ", ")));
  const Output output(request.output, "figure", endings(figure_formats()));
  Session session = request.session;
  expect_sides(session);
  if (session.view.row().has_steps && !has_page(session.inputs, session.view.steps.page))
    throw input_error("--page is {}; this page is about a layer from a seed",
                      to_name(session.view.steps.page));
  if (session.view.row().has_steps && session.view.steps.page == StepsPage::cell &&
      session.view.steps.stage.empty())
    session.view.steps.stage = stage_names().back();
  if (request.figure.font.empty() && own_fonts_have_all(session, tr)) draw_with_own_fonts();
  RunOptions options;
  options.maps_alone = has_long_text(session.inputs);
  const Ran ran = run(request, session.inputs, maps_in_figure, tr, options);
  expect_tokens(*ran.trace);
  const std::string fitted = fit_view(request, *ran.trace, session.view, tr);
  expect_cells(request, session.view.kind);
  expect_question(session.view, *ran.trace);
  check_cells(request, *ran.trace, session.view, block_of(ran.trace, session.view.block)->shape.kind);
  Ran other;
  if (session.compare && asks_b(session.view)) read_same_target(*ran.trace, *session.compare);
  if (shows_b(session)) other = run_other(request, *session.compare, maps_in_figure, tr);
  FigureOptions figure = request.figure;
  figure.language = tr.language();
  figure.expects_letters = true;
  Scene scene = requested_scene(request, session, ran.trace, other.trace, tr);
  arrange(scene, figure.arrangement);
  if (figure.extras.effect && !has_effect(scene))
    throw input_error(
        "--effect is given without two sides that predict tokens; expected a comparison of one "
        "trained model's runs");
  read_pooled(scene, tr);
  std::string found;
  output.write([&](const std::string& path) {
    const Progress progress(tr, TR("Drawing the figure"));
    progress.report(forecast_of_figure(scene));
    const std::string kept =
        request.keep_session ? to_json(with_relative_paths(session, request.output), false) : "";
    found = findings_text(tr, export_figure(path, scene, kept, figure));
  });
  if (request.caption) print_text(figure_caption(scene, tr));
  print_notes(joined(found, joined(fitted, joined(ran.notes, other.notes, tr), tr), tr));
}

void run_sweep(const CommandRequest& request, const Translator& tr) {
  const Output output(request.output, "sweep", endings(animation_formats()));
  expect_cells(request, request.session.view.kind);
  expect_sides(request.session);
  SweepValues values = sweep_values(*request.sweep, request.session.inputs);
  const std::string left_out = left_out_note(values, *request.sweep, tr);
  Animation animation;
  animation.frames = static_cast<int>(values.values.size());
  animation.milliseconds = request.delay.value_or(usual_milliseconds(animation.frames));
  SweepRun sweep(request, std::move(values.values), tr);
  animation.frame = [&](int index) { return sweep.frame(index); };
  FigureOptions options = request.figure;
  options.language = tr.language();
  if (std::ranges::none_of(std::array{"--size", "--width", "--height", "--dpi"},
                           [&](const char* option) { return request.is_given(option); })) {
    options.width = AnimationLimits::usual_width;
    options.height = AnimationLimits::usual_height;
  }
  {
    Progress progress(tr, TR("Drawing the animation"));
    sweep.report([&](Forecast each) {
      each.seconds *= animation.frames;
      progress.report(each);
    });
    animation.progress = [&](int done, int all) {
      sweep.check();
      progress.show(static_cast<double>(done) / all);
    };
    output.write([&](const std::string& path) {
      export_animation(
          path, animation,
          request.keep_session ? to_json(with_relative_paths(request.session, request.output), false) : "",
          options);
    });
  }
  print_notes(joined(sweep.notes(), left_out, tr));
}

void run_handout(const CommandRequest& request, const Translator& tr) {
  const std::string& name = *request.handout;
  check_alone(request);
  const Output output(request.output, "handout", endings(handout_formats()));
  const Lesson lesson = read_whole(name);
  Engine engine(request.threads);
  output.write([&](const std::string& path) {
    Progress progress(tr, TR("Drawing the handout"));
    HandoutWatch watch;
    watch.forecast = [&](const Forecast& forecast) { progress.report(forecast); };
    watch.progress = [&](double share) { progress.show(share); };
    export_handout(path, lesson, name, tr.language(), request.paper.value_or(Paper::a4), request.answers,
                   engine, watch);
  });
}

}  // namespace headscope
