#include "app/state/lesson/play_lesson.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "app/state/view/color_range.h"
#include "app/state/workspace.h"
#include "core/base/failure.h"
#include "core/base/utf8.h"
#include "core/io/file.h"
#include "core/system/files.h"
#include "core/teach/changed_text.h"
#include "core/teach/check.h"
#include "core/teach/library.h"
#include "core/teach/mark.h"
#include "core/teach/step_changes.h"

namespace headscope {
namespace {

FileStamp stamp_of(const std::string& path) {
  const auto status = file_status(path);
  if (!status) return {};
  return {status->modified_ns, status->size, status->number};
}

/// The session on the screen, without the bookmarks and answers, which belong to the user.
Session present(const OpenSession& open) {
  Session session = open.shown_session();
  session.bookmarks.clear();
  session.answers.clear();
  return session;
}

/// Another stage or theme, and ranges that are held, do not count as a change of the step's view.
bool same_view(View a, const View& b) {
  a.theme = b.theme;
  a.steps.stage = b.steps.stage;
  a.range.held = b.range.held;
  return a == b;
}

/// The step's view, adjusted to what exists as in the window, once that is known.
View fitted(const Workspace& work, View view) {
  if (work.trace()->inputs != work.inputs) return view;
  const BlockTrace& block = *work.block();
  fit_view(view, block.shape);
  fit_filter(view.filter, static_cast<int>(block.n_q()), static_cast<int>(block.n_k()));
  return view;
}

void show(Workspace& work) {
  LessonPlayer& player = work.lesson;
  const LessonStep& step = player.at();
  work.opening.try_again();
  work.apply(step.session);
  work.state.pointer_rests = true;
  work.state.brush.on = false;
  if (!step.stages.empty()) work.state.view.steps.stage = step.stages[player.part];
  work.state.steps.component = step.component;
  work.state.steps_room = {.from_top = false, .anew = true};
  player.coming_lock = step.cell;
  player.shown.reset();
  player.scroll = 0;
  player.answers_shown.clear();
  player.predicted.clear();
  player.refused.clear();
  player.chosen.clear();
  player.text_wanted = false;
  // A frozen picture belongs to other inputs than the step's.
  work.frozen = {};
  // Undo only covers the user's changes from here on.
  work.undo.start(work);
}

bool runs_are_there(const Workspace& work) {
  if (work.runners.a.busy() || work.runners.a.error() || work.runners.a.trace()->inputs != work.inputs)
    return false;
  return !work.compare || (!work.runners.b.error() && work.has_run_b());
}

/// Why what is shown cannot be run.
std::optional<Error> refusal(const Workspace& work) {
  for (const Side side : both_sides) {
    if (side == Side::b && !work.compare) break;
    if (auto refused = work.opening.error(work.of(side))) return refused;
    const Runner& runner = work.runners[side];
    if (runner.error() && !runner.busy() && !work.opening.busy()) return runner.error();
  }
  return {};
}

LessonNumbers numbers_now(const Workspace& work) {
  const LessonPlayer& player = work.lesson;
  std::optional<Cell> cell = work.state.lock ? work.state.lock : player.at().cell;
  LessonNumbers numbers = lesson_numbers(
      work.runners.a.trace(), work.compare ? work.runners.b.trace() : nullptr, work.state.view, cell);
  if (player.shown && player.shown->given) numbers.set_given(player.shown->given);
  return numbers;
}

/// The results for what is shown now, once its runs are finished.
LessonPlayer::Shown& computed_now(Workspace& work) {
  LessonPlayer& player = work.lesson;
  const LessonNumbers now = numbers_now(work);
  LessonPlayer::Shown& computed = player.computed;
  if (!computed.numbers || !(*computed.numbers == now) || computed.step != player.step)
    computed = {std::make_shared<const LessonNumbers>(now), player.step, {}, {}, {}, {}, {}, false};
  return computed;
}

bool is_there(const Cell& cell, const BlockTrace& block) {
  return cell.head < block.heads() && cell.query < block.n_q() && cell.key < block.n_k();
}

void rename_sources(Lesson& lesson, const std::map<std::string, std::string>& located) {
  for (LessonStep& step : lesson.steps) {
    rename_sources(step.session, located);
    for (LessonQuestion& question : step.questions)
      if (question.solution) rename_sources(*question.solution, located);
  }
}

/// Keeps the answer in place of the one before.
void keep_answer(Workspace& work, LessonAnswer answer) {
  const LessonPlayer& player = work.lesson;
  const AnsweredStep step = answered_step(*player.lesson, player.path, player.step);
  answer.lesson = step.lesson;
  answer.step = step.step;
  const LessonAnswer* const before = answer_given(work, answer.question);
  if (before == nullptr) {
    work.answers.push_back(std::move(answer));
    return;
  }
  answer.tries = before->tries;
  if (answer == *before) return;
  answer.tries = std::min(answer.tries + 1, max_tries);
  work.answers[before - work.answers.data()] = std::move(answer);
}

/// A state that answers a question is kept when it is found, so that further changes are not the end of it;
/// it is part of the change that found it.
void note_answers(Workspace& work) {
  const LessonPlayer& player = work.lesson;
  if (player.at().questions.empty() || player.coming_lock || !runs_are_there(work) || !is_free_play(work))
    return;
  if (std::exchange(computed_now(work).noted, true)) return;
  for (int i = 0; i < std::ssize(player.at().questions); ++i) {
    const bool asked = player.at().questions[i].check.has_value();
    if (!asked || answer_given(work, i) != nullptr || question_answered(work, i) != true) continue;
    const Session now = present(work);
    LessonAnswer found{"", 0, i};
    found.state = Bookmark{player.at().title.in(work.tr.language()), now.inputs, now.view, now.compare,
                           work.state.lock};
    keep_answer(work, std::move(found));
    work.undo.history.add_answers(work.answers);
  }
}

/// Whether a question that `asks` has no answer yet.
template <typename Asks>
bool is_open(const Workspace& work, const Asks& asks) {
  const LessonPlayer& player = work.lesson;
  for (int i = 0; i < std::ssize(player.at().questions); ++i)
    if (asks(player.at().questions[i]) && !player.answers_shown.contains(i) &&
        answer_given(work, i) == nullptr)
      return true;
  return false;
}

/// Whether a question asks to predict the number, and has no answer yet.
bool is_hidden(const Workspace& work, const Expression& number) {
  return is_asked(work.lesson.at(), number) &&
         is_open(work, [](const LessonQuestion& question) { return question.number.has_value(); });
}

/// Restores the user's earlier changes to the step, unless the user has changed something meanwhile.
void go_on(Workspace& work) {
  LessonPlayer& player = work.lesson;
  if (!player.resuming || !player.shown) return;
  const bool changed = is_free_play(work);
  if (!changed && !player.shown->given && !step_refused(work)) return;
  const PlayedLesson played = *std::exchange(player.resuming, std::nullopt);
  if (changed || !played.free) return;
  work.apply(*played.free);
  player.coming_lock = played.lock;
  work.wake();
}

std::optional<ReadLesson> read(Workspace& work, const std::string& path) {
  try {
    if (!is_built_in_lesson(path)) readable_size(path);  // do not block on a pipe
    return open_lesson(path);
  } catch (...) {
    work.notices.error(Notice::About::opening, handled_error(TR("{}: cannot be opened: "), path));
    return std::nullopt;
  }
}

}  // namespace

bool play_lesson(Workspace& work, const std::string& path) {
  const FileStamp stamp = stamp_of(path);
  std::optional<ReadLesson> found = read(work, path);
  if (!found) return false;
  if (!found->mistakes.empty()) {
    work.notices.error(Notice::About::opening, first_of(found->mistakes, path, work.tr));
    return false;
  }
  close_lesson(work);
  LessonPlayer& player = work.lesson;
  player.own = present(work);
  player.own_lock = player.coming_lock ? player.coming_lock : work.state.lock;
  player.own_undo = work.undo;
  player.lesson = std::make_shared<const Lesson>(std::move(found->lesson));
  player.path = path;
  player.stamp = stamp;
  ++work.sessions;
  go_to_step(work, 0);
  work.notices.settle(Notice::About::opening);
  return true;
}

void close_lesson(OpenSession& open) {
  if (!open.lesson.playing()) return;
  LessonPlayer player = std::exchange(open.lesson, {});
  open.apply(player.own);
  open.undo = std::move(player.own_undo);
  open.lesson.coming_lock = player.own_lock;  // once its run is finished again
  ++open.undo.gesture;
  ++open.sessions;
}

std::optional<PlayedLesson> played_lesson(const Workspace& work) {
  const LessonPlayer& player = work.lesson;
  if (!player.playing()) return {};
  if (player.resuming) return player.resuming;
  PlayedLesson played{player.path, player.step, player.located};
  if (!is_free_play(work)) return played;
  played.free = present(work);
  played.lock = player.coming_lock ? player.coming_lock : work.state.lock;
  return played;
}

void resume_lesson(Workspace& work, const PlayedLesson& played) {
  if (!play_lesson(work, played.path)) return;
  for (const auto& [from, to] : played.located) locate_in_lesson(work, from, to);
  go_to_step(work, std::min(played.step, work.lesson.last()));
  work.lesson.resuming = played;
  work.lesson.resuming->step = work.lesson.step;
}

void go_to_step(Workspace& work, int step, int part) {
  LessonPlayer& player = work.lesson;
  if (!player.playing() || step < 0 || step > player.last()) return;
  if (part < 0 || part >= player.lesson->steps[step].parts()) return;
  player.resuming.reset();
  const auto& steps = player.lesson->steps;
  const std::size_t from = player.step, to = step;
  const bool one_change =
      step_changes(work.tr, steps[from].session, steps[to].session).size() == 1 && !steps[to].session.compare;
  if (work.motion.animates && !work.motion.reduced && one_change) work.motion.leave(work.shown());
  // A colormap chosen while the lesson plays stays, unless the lesson itself changes it.
  const Colormap chosen = work.state.view.colormap, given = player.at().session.view.colormap;
  player.step = step;
  player.part = part;
  player.ended = false;
  const bool hold = player.at().hold;
  if (hold) hold_ranges(work);
  const RangeChoice before = work.state.view.range;
  show(work);
  RangeChoice& range = work.state.view.range;
  if (hold && range.kind == before.kind) range.held = before.held;
  if (given == player.at().session.view.colormap) work.state.view.colormap = chosen;
}

bool step_lesson(Workspace& work, int by) {
  const LessonPlayer& player = work.lesson;
  if (!player.can_step(by)) return false;
  const int part = player.part + by, step = player.step + by;
  if (part >= 0 && part < player.at().parts())
    go_to_step(work, player.step, part);
  else
    go_to_step(work, step, by > 0 ? 0 : player.lesson->steps[step].parts() - 1);
  return true;
}

bool turn_lesson(Workspace& work, int by) {
  LessonPlayer& player = work.lesson;
  if (!player.playing() || !(by > 0 ? player.text_below : player.text_above)) return step_lesson(work, by);
  player.scroll += by;
  return true;
}

void return_to_lesson(Workspace& work) {
  if (!work.lesson.playing()) return;
  const Colormap chosen = work.state.view.colormap;
  show(work);
  work.state.view.colormap = chosen;
}

bool is_free_play(const Workspace& work) {
  const LessonPlayer& player = work.lesson;
  if (!player.playing() || !player.shown) return false;
  const auto& [step, lock, given] = *player.shown;
  // A cell that does not exist can't be locked.
  const bool can_lock = lock && is_there(*lock, *work.block());
  const bool same_lock = can_lock ? work.state.lock == lock : !work.state.lock;
  return work.inputs != step.inputs || work.compare != step.compare || work.labels != step.labels ||
         work.marks != step.marks || !same_view(work.state.view, fitted(work, step.view)) ||
         (!player.coming_lock && !same_lock);
}

bool has_left_step(const Workspace& work) {
  const LessonPlayer& player = work.lesson;
  const bool stage = player.playing() && player.shown &&
                     work.state.view.steps.stage != player.shown->session.view.steps.stage;
  return stage || is_free_play(work);
}

void settle_lesson(Workspace& work) {
  LessonPlayer& player = work.lesson;
  // Before the first run the trace has the same inputs but no tokens.
  if (!player.coming_lock || work.runners.a.trace()->inputs != work.inputs || work.block()->n_q() == 0)
    return;
  work.state.lock = std::exchange(player.coming_lock, std::nullopt);
}

void note_lesson_shown(Workspace& work) {
  LessonPlayer& player = work.lesson;
  if (!player.playing()) return;
  if (!player.shown) player.shown = {present(work), player.at().cell};
  if (!player.shown->given && !player.coming_lock && runs_are_there(work) && !is_free_play(work))
    player.shown->given = std::make_shared<const LessonNumbers>(numbers_now(work));
  go_on(work);
  if (player.shown) note_answers(work);
}

bool reload_lesson(Workspace& work) {
  LessonPlayer& player = work.lesson;
  if (!player.playing() || is_built_in_lesson(player.path)) return false;
  const FileStamp stamp = stamp_of(player.path);
  if (stamp == player.stamp) return false;
  player.stamp = stamp;
  try {
    readable_size(player.path);
    ReadLesson found = open_lesson(player.path);
    player.mistakes = std::move(found.mistakes);
    if (!player.mistakes.empty()) return true;
    const bool free = is_free_play(work);
    rename_sources(found.lesson, player.located);
    player.lesson = std::make_shared<const Lesson>(std::move(found.lesson));
    player.computed = {};
    player.step = std::min(player.step, player.last());
    player.part = std::min(player.part, player.at().parts() - 1);
    if (!free) go_to_step(work, player.step, player.part);
  } catch (const Error& failure) {
    player.mistakes = {{0, failure}};
  }
  return true;
}

std::string lesson_number(Workspace& work, const TextSpan& span, bool hides) {
  if (!work.lesson.playing() || span.value.empty()) return "…";
  if (!runs_are_there(work)) return refusal(work) ? "–" : "…";
  if (hides && is_hidden(work, span.value.front())) return "?";
  LessonPlayer::Shown& computed = computed_now(work);
  std::string& text = computed.texts[&span];
  if (!text.empty()) return text;
  try {
    text = span.form(span.value.front().evaluate(*computed.numbers));
  } catch (const Error&) {
    text = "–";
  }
  return text;
}

const LessonText& text_now(Workspace& work, const InLanguages<LessonText>& text) {
  const LessonPlayer& player = work.lesson;
  const LessonText& own = text.in(work.tr.language());
  if (own.empty() || !is_free_play(work) || !player.shown->given || player.coming_lock ||
      !runs_are_there(work))
    return own;
  LessonPlayer::Shown& computed = computed_now(work);
  const auto found = computed.changed.find(&own);
  if (found != computed.changed.end()) return found->second;
  // Claims are tried within a moment.
  constexpr double multiply_adds = 50e6;
  const auto moment = std::make_shared<WorkBudget>("", 0);
  moment->take(moment->steps_left() - std::min(moment->steps_left(), WorkBudget::steps_of(multiply_adds)));
  LessonNumbers numbers = computed.numbers->within(moment);
  numbers.set_given(player.shown->given);
  const auto language =
      std::ranges::find_if(languages(), [&](const LanguageRow& row) { return &text[row.language] == &own; });
  return computed.changed
      .emplace(&own, with_changes(own, language->language, player.at(), numbers, work.tr("changed")))
      .first->second;
}

std::optional<bool> question_answered(Workspace& work, int question) {
  const LessonPlayer& player = work.lesson;
  if (!player.playing() || question >= std::ssize(player.at().questions)) return {};
  const LessonQuestion& asked = player.at().questions[question];
  if (!asked.asks() || !runs_are_there(work)) return {};
  try {
    if (!asked.check) {
      const LessonAnswer* given = answer_given(work, question);
      if (given == nullptr || !player.shown || !player.shown->given) return {};
      auto& judged = computed_now(work).judged;
      const auto known = judged.find(question);
      if (known != judged.end() && known->second.answer == *given) return known->second.right;
      const bool right = is_right(asked, *given, *player.shown->given);
      judged.insert_or_assign(question, LessonPlayer::Shown::Judged{*given, right});
      return right;
    }
    LessonPlayer::Shown& computed = computed_now(work);
    const auto known = computed.answered.find(question);
    if (known != computed.answered.end()) return known->second;
    std::optional<bool>& answered = computed.answered[question];
    return answered = asked.check->expression.holds(*computed.numbers);
  } catch (const Error&) {
    return {};  // What the question refers to does not exist: there is no answer.
  }
}

std::set<std::pair<int, int>> right_choices(const LessonPlayer& player) {
  std::set<std::pair<int, int>> right;
  if (!player.playing() || !player.shown || !player.shown->given) return right;
  const auto& questions = player.at().questions;
  for (int i = 0; i < std::ssize(questions); ++i)
    for (int at = 0; at < std::ssize(questions[i].choices); ++at) try {
        if (is_right(questions[i].choices[at], *player.shown->given)) right.insert({i, at});
      } catch (const Error&) {
        // What it refers to does not exist: it is not right.
      }
  return right;
}

const LessonAnswer* answer_given(const Workspace& work, int question) {
  const LessonPlayer& player = work.lesson;
  return answer_of(work, answered_step(*player.lesson, player.path, player.step), question);
}

std::optional<bool> takes_one_choice(const Workspace& work, int question) {
  const LessonPlayer& player = work.lesson;
  if (!player.playing() || !player.shown || !player.shown->given) return {};
  try {
    return takes_one(player.at().questions[question], *player.shown->given);
  } catch (const Error&) {
    return {};
  }
}

void choose_answer(Workspace& work, int question, const std::set<int>& choices) {
  if (work.lesson.playing() && !choices.empty()) keep_answer(work, {"", 0, question, choices});
}

void predict_answer(Workspace& work, int question, double number) {
  if (work.lesson.playing()) keep_answer(work, {"", 0, question, {}, number});
}

void predict_answer(Workspace& work, int question) {
  LessonPlayer& player = work.lesson;
  player.refused.erase(question);
  std::string& typed = player.predicted[question];
  if (trimmed(typed).empty()) return;
  try {
    const double number = read_answer(typed);
    predict_answer(work, question, number);
    typed = fmt::format("{}", number);
  } catch (const Error& error) {
    player.refused[question] = work.tr(error);
  }
}

bool withholds_text(const Workspace& work) {
  return work.lesson.playing() && !work.lesson.text_wanted &&
         is_open(work, [](const LessonQuestion& question) { return question.comes_first(); });
}

bool hides_numbers(const Workspace& work) {
  return work.lesson.playing() && is_open(work, asks_for_shown);
}

void show_answers(OpenSession& open, bool shown) {
  open.lesson.answers_shown.clear();
  if (!open.lesson.playing() || !shown) return;
  for (int i = 0; i < std::ssize(open.lesson.at().questions); ++i) open.lesson.answers_shown.insert(i);
}

std::optional<LessonMistake> step_refused(const Workspace& work) {
  const LessonPlayer& player = work.lesson;
  const std::optional<Error> why = player.playing() && player.shown ? refusal(work) : std::nullopt;
  if (!why || is_free_play(work)) return {};
  return LessonMistake{player.at().line_of_state(), *why};
}

std::vector<LessonMistake> step_mistakes(Workspace& work) {
  const LessonPlayer& player = work.lesson;
  if (!player.playing() || !player.shown || is_built_in_lesson(player.path) || is_free_play(work)) return {};
  const LessonStep& step = player.at();
  if (player.coming_lock || step_refused(work) || !runs_are_there(work)) return {};
  LessonPlayer::Shown& computed = computed_now(work);
  if (computed.mistakes) return *computed.mistakes;
  std::vector<LessonMistake>& mistakes = computed.mistakes.emplace();
  try {
    check_whole(*work.runners.a.trace());
    if (work.compare) check_whole(*work.runners.b.trace());
    mistakes = check_step(step, player.step == 0 ? &player.lesson->text : nullptr, *computed.numbers);
  } catch (const Error& error) {
    mistakes = {{step.line_of_state(), error}};
  }
  return mistakes;
}

void locate_in_lesson(OpenSession& open, const std::string& from, const std::string& to) {
  LessonPlayer& player = open.lesson;
  if (!player.playing()) return;
  player.located[from] = to;
  Lesson lesson = *player.lesson;
  rename_sources(lesson, player.located);
  player.lesson = std::make_shared<const Lesson>(std::move(lesson));
  player.computed = {};
  if (player.shown) rename_sources(player.shown->session, player.located);
}

std::vector<std::string> step_changes(const Workspace& work) {
  const LessonPlayer& player = work.lesson;
  if (!player.playing() || player.step == 0) return {};
  return step_changes(work.tr, player.lesson->steps[player.step - 1].session, player.at().session);
}

}  // namespace headscope
