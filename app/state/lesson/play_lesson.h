#pragma once
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "app/state/lesson_player.h"

namespace headscope {

struct App;
struct OpenSession;
struct Workspace;

/// Plays the lesson in a file, or the built-in one of that name, from its first step. If it has mistakes, the
/// first is reported as a notice and nothing changes.
bool play_lesson(Workspace& work, const std::string& path);
/// Ends the lesson and restores the user's document.
void close_lesson(OpenSession& open);
/// What is saved of the lesson; no value if none is played.
std::optional<PlayedLesson> played_lesson(const Workspace& work);
/// Resumes a lesson at the saved position, if the lesson still has it.
void resume_lesson(Workspace& work, const PlayedLesson& played);
/// Shows a step at one of its parts; a number out of range has no effect.
void go_to_step(Workspace& work, int step, int part = 0);
/// To the next or the previous part of the step, or to the next or the previous step; false if there is none.
bool step_lesson(Workspace& work, int by);
/// What the keys do: scroll the text if more of it is below (or above), otherwise go to the next step.
bool turn_lesson(Workspace& work, int by);
/// Shows the step again as it was.
void return_to_lesson(Workspace& work);
/// Whether the user has changed something since the step was shown.
bool is_free_play(const Workspace& work);
/// Whether it differs from the step as shown: changed, or at another stage.
bool has_left_step(const Workspace& work);

/// At the beginning of a frame, before views are adjusted to what exists: locks the step's cell once its run
/// is finished.
void settle_lesson(Workspace& work);
/// After that adjustment: records what the step looks like without the user's changes.
void note_lesson_shown(Workspace& work);
/// Reloads the file if it was written, and shows the step's new version; true if it did.
bool reload_lesson(Workspace& work);

/// A live number as text; "…" until its run is finished, "–" if it has no value or cannot be run. `hides`:
/// "?" where a question asks for it.
std::string lesson_number(Workspace& work, const TextSpan& span, bool hides = true);
/// A text of the step, with the sentences marked that are not true of what the user has changed.
const LessonText& text_now(Workspace& work, const InLanguages<LessonText>& text);
/// Whether what is shown, or what the reader has chosen or predicted, answers the step's question; no value
/// if that is not known, or nothing has been chosen.
std::optional<bool> question_answered(Workspace& work, int question = 0);
/// Of the step's questions with choices the right ones, as question and choice; none until its run is
/// finished.
std::set<std::pair<int, int>> right_choices(const LessonPlayer& player);
/// What the reader has answered to a question of the step; nullptr: nothing.
const LessonAnswer* answer_given(const Workspace& work, int question);
/// Whether a single choice of the question is right; no value until the step's run is finished.
std::optional<bool> takes_one_choice(const Workspace& work, int question);
/// Another answer to the same question is another try.
void choose_answer(Workspace& work, int question, const std::set<int>& choices);
void predict_answer(Workspace& work, int question, double number);
/// Takes what is typed as the answer; what is no number is LessonPlayer::refused.
void predict_answer(Workspace& work, int question);
/// Whether the step's text and claim are still to come: they tell what a question asks that has no answer
/// yet.
bool withholds_text(const Workspace& work);
/// Whether the step asks for a number that is shown beside it (asks_for_shown()), and has no answer yet.
bool hides_numbers(const Workspace& work);
/// The answers of the step's questions, all or none.
void show_answers(OpenSession& open, bool shown);
/// Why what is shown of the step cannot be run, for example a missing model.
std::optional<LessonMistake> step_refused(const Workspace& work);
/// What is wrong with the step's view, numbers and claims, for the lesson's author; empty while the user has
/// changed something, and for what cannot be run.
std::vector<LessonMistake> step_mistakes(Workspace& work);
/// Sets another path for a model or capture of the lesson, in all of its steps, while it is played.
void locate_in_lesson(OpenSession& open, const std::string& from, const std::string& to);
/// "Temperature 1 → 4": what the step changes from the previous one.
std::vector<std::string> step_changes(const Workspace& work);
/// Appends the present state as a step to a lesson's file. Errors are reported as a notice.
void ask_for_lesson_to_add_to(App& app);
void add_state_to_lesson(Workspace& work, const std::string& path);
/// Writes the bookmarks as a lesson, one step each.
void write_bookmarks_as_lesson(Workspace& work, const std::string& path);

}  // namespace headscope
