#include <algorithm>
#include <utility>

#include "app/cli/commands.h"
#include "app/cli/notes.h"
#include "app/cli/output.h"
#include "app/cli/progress.h"
#include "app/cli/run_inputs.h"
#include "core/figure/animation/animation.h"
#include "core/inputs/sweep.h"
#include "core/io/formats.h"
#include "core/session/session_figure.h"
#include "core/source/engine.h"

namespace headscope {
namespace {

bool is_given(const CommandRequest& request, std::initializer_list<const char*> options) {
  return std::ranges::any_of(options, [&](const char* option) {
    return std::ranges::find(request.given, option) != request.given.end();
  });
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
    if (view.range == Range::head && !is_given(request, {"--range"})) view.range = Range::shared;
    options_.maps_alone = view.kind != ViewKind::steps;
    if (shows_b(session_)) other_ = run(engine_, request, *session_.compare, 2, tr, options_).trace;
  }

  AnimationFrame frame(int index) {
    const auto i = static_cast<std::size_t>(index);
    const std::string caption = tr_.format("{} {}", tr_(sweep_.label()), texts_[i]);
    Session session = session_;
    set_number(session.inputs, sweep_, values_[i]);
    try {
      Ran ran = run(engine_, request_, session.inputs, 2, tr_, options_);
      const BlockShape& shape = block_of(ran.trace, session.view.block)->shape;
      fit_view(session.view, shape.layers, shape.heads);
      options_.previous = ran.trace;
      if (index == 0) notes_ = ran.notes;
    } catch (const Error& error) {
      throw error.at(caption);
    }
    return {requested_scene(request_, session, options_.previous, other_), caption};
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
  return tr.format("{}: values left out: {} ({})", sweep.name(), list, tr(values.left_out.front().second));
}

}  // namespace

void run_sweep(const CommandRequest& request, const Translator& tr) {
  const Output output(request.output, "sweep", endings(animation_formats()));
  SweepValues values = sweep_values(*request.sweep, request.session.inputs);
  const std::string left_out = left_out_note(values, *request.sweep, tr);
  Animation animation;
  animation.frames = static_cast<int>(values.values.size());
  animation.milliseconds = request.delay.value_or(usual_milliseconds(animation.frames));
  SweepRun sweep(request, std::move(values.values), tr);
  animation.frame = [&](int index) { return sweep.frame(index); };
  FigureOptions options = request.figure;
  options.language = tr.language();
  if (!is_given(request, {"--size", "--width", "--height", "--dpi"})) {
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

}  // namespace headscope
