#include "app/state/lesson/lesson_player.h"

#include <sys/stat.h>

#include <algorithm>
#include <filesystem>

#include "app/state/actions/adjust.h"
#include "app/state/app.h"
#include "app/state/lesson/presentation.h"
#include "core/base/failure.h"
#include "core/io/file.h"
#include "core/teach/check.h"
#include "core/teach/library.h"
#include "core/teach/step_changes.h"

namespace headscope {
namespace {

FileStamp stamp_of(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return {};
  constexpr std::int64_t nanoseconds = 1'000'000'000;
  return {status.st_mtim.tv_sec * nanoseconds + status.st_mtim.tv_nsec,
          static_cast<std::uintmax_t>(status.st_size), static_cast<std::uintmax_t>(status.st_ino)};
}

/// The session on the screen, without the bookmarks, which belong to the user.
Session present(const App& app) {
  Session session = app.shown_session();
  session.bookmarks.clear();
  return session;
}

/// Another stage or theme does not count as a change of the step's view.
bool same_view(View a, const View& b) {
  a.theme = b.theme;
  a.stage = b.stage;
  return a == b;
}

/// The step's view, adjusted to what exists as in the window, once that is known.
View fitted(const App& app, View view) {
  if (app.trace()->inputs != app.inputs) return view;
  const BlockTrace& block = *app.block();
  fit_view(view, block.shape.layers, block.shape.heads);
  fit_filter(view.filter, static_cast<int>(block.n_q()), static_cast<int>(block.n_k()));
  return view;
}

void show(App& app, const LessonStep& step) {
  LessonPlayer& player = app.lesson;
  app.opening.try_again();
  app.inputs = step.session.inputs;
  app.compare = step.session.compare;
  app.labels = step.session.labels;
  app.state.view = step.session.view;
  app.state.view.theme = app.settings.theme;
  app.state.edit_b = false;
  app.state.lock.reset();
  app.state.other_lock.reset();
  app.state.pointer_rests = true;
  app.state.brush.on = false;
  app.state.steps.component = step.component;
  app.state.steps_room = {.from_top = false, .anew = true};
  player.coming_lock = step.cell;
  player.settling = true;
  player.given = nullptr;
  player.scroll = 0;
  player.answer_shown = false;
  // A frozen picture belongs to other inputs than the step's.
  freeze_picture(app, false);
  // Undo only covers the user's changes from here on.
  app.undo.start(app);
  app.text_effect = app.other_text_effect = {};
}

bool runs_are_there(const App& app) {
  if (app.runner.busy() || app.runner.error() || app.runner.trace()->inputs != app.inputs) return false;
  return !app.compare || (!app.other_runner.busy() && !app.other_runner.error() &&
                          app.other_runner.trace()->inputs == *app.compare);
}

/// Why what is shown cannot be run.
std::optional<Error> refusal(const App& app) {
  const auto of = [&](const Inputs& inputs, const Runner& runner) {
    if (auto refused = app.opening.error(inputs)) return refused;
    return runner.busy() || app.opening.busy() ? std::nullopt : runner.error();
  };
  if (auto refused = of(app.inputs, app.runner)) return refused;
  return app.compare ? of(*app.compare, app.other_runner) : std::nullopt;
}

LessonNumbers numbers_now(const App& app) {
  const LessonPlayer& player = app.lesson;
  std::optional<Cell> cell = app.state.lock ? app.state.lock : player.at().cell;
  LessonNumbers numbers = lesson_numbers(app.runner.trace(), app.compare ? app.other_runner.trace() : nullptr,
                                         app.state.view, cell);
  if (player.given) numbers.set_given(player.given);
  return numbers;
}

/// The results for what is shown now, once its runs are finished.
LessonPlayer::Shown& computed_now(App& app) {
  LessonPlayer& player = app.lesson;
  const LessonNumbers now = numbers_now(app);
  LessonPlayer::Shown& computed = player.computed;
  if (!computed.numbers || !(*computed.numbers == now) || computed.step != player.step)
    computed = {std::make_shared<const LessonNumbers>(now), player.step, {}, {}, {}};
  return computed;
}

bool is_there(const Cell& cell, const BlockTrace& block) {
  return cell.head < block.heads() && cell.query < block.n_q() && cell.key < block.n_k();
}

/// Replaces models and captures by the paths where the user located them.
void rename_sources(Session& session, const std::map<std::string, std::string>& located) {
  const auto rename = [&](Inputs& inputs) {
    for (std::string* source : {&inputs.model, &inputs.capture})
      if (const auto found = located.find(*source); found != located.end()) *source = found->second;
  };
  rename(session.inputs);
  if (session.compare) rename(*session.compare);
}
void rename_sources(Lesson& lesson, const std::map<std::string, std::string>& located) {
  for (LessonStep& step : lesson.steps) {
    rename_sources(step.session, located);
    if (step.question && step.question->solution) rename_sources(*step.question->solution, located);
  }
}

/// Restores the user's earlier changes to the step, unless the user has changed something meanwhile.
void go_on(App& app) {
  LessonPlayer& player = app.lesson;
  if (!player.resuming || player.settling) return;
  const bool changed = is_free_play(app);
  if (!changed && !player.given && !step_refused(app)) return;
  const PlayedLesson played = *std::exchange(player.resuming, std::nullopt);
  if (changed || !played.free) return;
  app.inputs = played.free->inputs;
  app.compare = played.free->compare;
  app.labels = played.free->labels;
  app.state.view = played.free->view;
  app.state.view.theme = app.settings.theme;
  app.state.lock.reset();
  player.coming_lock = played.lock;
  app.wake();
}

std::optional<ReadLesson> read(App& app, const std::string& path) {
  try {
    if (!is_built_in_lesson(path)) readable_size(path);  // do not block on a pipe
    return open_lesson(path);
  } catch (...) {
    app.notices.error(Notice::About::opening, handled_error(TR("{}: cannot be opened: "), path));
    return std::nullopt;
  }
}

}  // namespace

bool play_lesson(App& app, const std::string& path) {
  const FileStamp stamp = stamp_of(path);
  std::optional<ReadLesson> found = read(app, path);
  if (!found) return false;
  if (!found->mistakes.empty()) {
    app.notices.error(Notice::About::opening, in_file(found->mistakes.front(), path));
    return false;
  }
  close_lesson(app);
  LessonPlayer& player = app.lesson;
  player.own = present(app);
  player.own_lock = player.coming_lock ? player.coming_lock : app.state.lock;
  player.own_undo = app.undo;
  player.lesson = std::make_shared<const Lesson>(std::move(found->lesson));
  player.path = path;
  player.stamp = stamp;
  ++app.sessions;
  go_to_step(app, 0);
  app.notices.settle(Notice::About::opening);
  return true;
}

void close_lesson(App& app) {
  if (!app.lesson.playing()) return;
  LessonPlayer player = std::exchange(app.lesson, {});
  app.inputs = std::move(player.own.inputs);
  app.compare = std::move(player.own.compare);
  app.labels = std::move(player.own.labels);
  app.state.view = std::move(player.own.view);
  app.state.view.theme = app.settings.theme;
  app.state.edit_b = false;
  app.state.other_lock.reset();
  app.state.lock.reset();
  app.undo = std::move(player.own_undo);
  app.lesson.coming_lock = player.own_lock;  // once its run is finished again
  ++app.undo.gesture;
  app.text_effect = app.other_text_effect = {};
  ++app.sessions;
}

std::optional<PlayedLesson> played_lesson(const App& app) {
  const LessonPlayer& player = app.lesson;
  if (!player.playing()) return {};
  if (player.resuming) return player.resuming;
  PlayedLesson played{player.path, player.step, player.located};
  if (!is_free_play(app)) return played;
  played.free = present(app);
  played.lock = player.coming_lock ? player.coming_lock : app.state.lock;
  return played;
}

void resume_lesson(App& app, const PlayedLesson& played) {
  if (!play_lesson(app, played.path)) return;
  for (const auto& [from, to] : played.located) locate_in_lesson(app, from, to);
  go_to_step(app, std::min(played.step, app.lesson.last()));
  app.lesson.resuming = played;
  app.lesson.resuming->step = app.lesson.step;
}

void go_to_step(App& app, int step) {
  LessonPlayer& player = app.lesson;
  if (!player.playing() || step < 0 || step > player.last()) return;
  player.resuming.reset();
  const auto& steps = player.lesson->steps;
  const auto from = static_cast<std::size_t>(player.step), to = static_cast<std::size_t>(step);
  const bool one_change =
      step_changes(app.tr, steps[from].session, steps[to].session).size() == 1 && !steps[to].session.compare;
  if (app.animates && one_change) app.motion.leave(app.shown());
  // A colormap chosen while the lesson plays stays, unless the lesson itself changes it.
  const Colormap chosen = app.state.view.colormap, given = player.at().session.view.colormap;
  player.step = step;
  player.hold = player.at().hold;
  show(app, player.at());
  if (given == player.at().session.view.colormap) app.state.view.colormap = chosen;
}

bool step_lesson(App& app, int by) {
  const LessonPlayer& player = app.lesson;
  if (!player.playing() || player.step + by < 0 || player.step + by > player.last()) return false;
  go_to_step(app, player.step + by);
  return true;
}

bool turn_lesson(App& app, int by) {
  LessonPlayer& player = app.lesson;
  if (!player.playing() || !(by > 0 ? player.text_below : player.text_above)) return step_lesson(app, by);
  player.scroll += by;
  return true;
}

void return_to_lesson(App& app) {
  if (!app.lesson.playing()) return;
  const Colormap chosen = app.state.view.colormap;
  show(app, app.lesson.at());
  app.state.view.colormap = chosen;
}

bool is_free_play(const App& app) {
  const LessonPlayer& player = app.lesson;
  if (!player.playing() || player.settling) return false;
  // A cell that does not exist can't be locked.
  const bool can_lock = player.shown_lock && is_there(*player.shown_lock, *app.block());
  const bool same_lock = can_lock ? app.state.lock == player.shown_lock : !app.state.lock;
  return app.inputs != player.shown.inputs || app.compare != player.shown.compare ||
         app.labels != player.shown.labels || !same_view(app.state.view, fitted(app, player.shown.view)) ||
         (!player.coming_lock && !same_lock);
}

bool has_left_step(const App& app) {
  const LessonPlayer& player = app.lesson;
  const bool stage = player.playing() && !player.settling && app.state.view.stage != player.shown.view.stage;
  return stage || is_free_play(app);
}

void settle_lesson(App& app) {
  LessonPlayer& player = app.lesson;
  // Before the first run the trace has the same inputs but no tokens.
  if (!player.coming_lock || app.runner.trace()->inputs != app.inputs || app.block()->n_q() == 0) return;
  app.state.lock = std::exchange(player.coming_lock, std::nullopt);
}

void note_lesson_shown(App& app) {
  LessonPlayer& player = app.lesson;
  if (!player.playing()) return;
  if (std::exchange(player.settling, false)) {
    player.shown = present(app);
    player.shown_lock = player.at().cell;
  }
  if (!player.given && !player.coming_lock && runs_are_there(app) && !is_free_play(app))
    player.given = std::make_shared<const LessonNumbers>(numbers_now(app));
  go_on(app);
}

bool reload_lesson(App& app) {
  LessonPlayer& player = app.lesson;
  if (!player.playing() || is_built_in_lesson(player.path)) return false;
  const FileStamp stamp = stamp_of(player.path);
  if (stamp == player.stamp) return false;
  player.stamp = stamp;
  try {
    readable_size(player.path);
    ReadLesson found = open_lesson(player.path);
    player.mistakes = std::move(found.mistakes);
    if (!player.mistakes.empty()) return true;
    const bool free = is_free_play(app);
    rename_sources(found.lesson, player.located);
    player.lesson = std::make_shared<const Lesson>(std::move(found.lesson));
    player.computed = {};
    player.step = std::min(player.step, player.last());
    if (!free) go_to_step(app, player.step);
  } catch (const Error& failure) {
    player.mistakes = {{0, failure}};
  }
  return true;
}

std::string lesson_number(App& app, const TextSpan& span) {
  if (!app.lesson.playing() || span.value.empty()) return "…";
  if (!runs_are_there(app)) return refusal(app) ? "–" : "…";
  LessonPlayer::Shown& computed = computed_now(app);
  std::string& text = computed.texts[&span];
  if (!text.empty()) return text;
  try {
    text = span.form(span.value.front().evaluate(*computed.numbers));
  } catch (const Error&) {
    text = "–";
  }
  return text;
}

std::optional<bool> question_answered(App& app) {
  const LessonPlayer& player = app.lesson;
  if (!player.playing() || !player.at().question || !player.at().question->check || !runs_are_there(app))
    return std::nullopt;
  LessonPlayer::Shown& computed = computed_now(app);
  if (computed.answered) return *computed.answered;
  std::optional<bool>& answered = computed.answered.emplace();
  try {
    answered = player.at().question->check->expression.holds(*computed.numbers);
  } catch (const Error&) {
    // What the question refers to does not exist: there is no answer.
  }
  return answered;
}

std::optional<LessonMistake> step_refused(const App& app) {
  const LessonPlayer& player = app.lesson;
  const std::optional<Error> why = player.playing() && !player.settling ? refusal(app) : std::nullopt;
  if (!why || is_free_play(app)) return {};
  return LessonMistake{player.at().line_of_state(), *why};
}

std::vector<LessonMistake> step_mistakes(App& app) {
  const LessonPlayer& player = app.lesson;
  if (!player.playing() || player.settling || is_built_in_lesson(player.path) || is_free_play(app)) return {};
  const LessonStep& step = player.at();
  if (player.coming_lock || step_refused(app) || !runs_are_there(app)) return {};
  LessonPlayer::Shown& computed = computed_now(app);
  if (computed.mistakes) return *computed.mistakes;
  std::vector<LessonMistake>& mistakes = computed.mistakes.emplace();
  try {
    check_whole(*app.runner.trace());
    if (app.compare) check_whole(*app.other_runner.trace());
    mistakes = check_step(step, player.step == 0 ? &player.lesson->text : nullptr, *computed.numbers);
  } catch (const Error& error) {
    mistakes = {{step.line_of_state(), error}};
  }
  return mistakes;
}

void locate_in_lesson(App& app, const std::string& from, const std::string& to) {
  LessonPlayer& player = app.lesson;
  if (!player.playing()) return;
  player.located[from] = to;
  Lesson lesson = *player.lesson;
  rename_sources(lesson, player.located);
  player.lesson = std::make_shared<const Lesson>(std::move(lesson));
  player.computed = {};
  rename_sources(player.shown, player.located);
}

std::vector<std::string> step_changes(const App& app) {
  const LessonPlayer& player = app.lesson;
  if (!player.playing() || player.step == 0) return {};
  return step_changes(app.tr, player.lesson->steps[static_cast<std::size_t>(player.step) - 1].session,
                      player.at().session);
}

}  // namespace headscope
