#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/state/document/undo.h"
#include "app/state/lesson/played_lesson.h"
#include "core/scene/scene.h"
#include "core/teach/lesson.h"
#include "core/teach/measures.h"

namespace headscope {

struct App;

/// Which version of a file: another one has another stamp, however it was written.
struct FileStamp {
  std::int64_t modified = 0;  ///< nanoseconds
  std::uintmax_t bytes = 0, node = 0;
  bool operator==(const FileStamp&) const = default;
};

/// A lesson that is played beside the views, and what of the user's it has laid aside meanwhile.
struct LessonPlayer {
  std::shared_ptr<const Lesson> lesson;  ///< the last version without mistakes; nullptr: none is played
  std::string path;                      ///< absolute, or the name of one that comes with the program
  FileStamp stamp;                       ///< of the file as it was read last
  std::vector<LessonMistake> mistakes;   ///< of the file as it is now
  /// Models and captures that it names: where the user said that they are.
  std::map<std::string, std::string> located;
  int step = 0;  ///< from 0
  bool answer_shown = false;
  bool text_above = false, text_below = false;  ///< in the last frame: beyond what is seen of its text
  int scroll = 0;     ///< what is seen of the text is yet to move by so many screens
  bool hold = false;  ///< colours keep the ranges of the step before

  Session own;  ///< the user's; its bookmarks are the window's
  std::optional<Cell> own_lock;
  Undo own_undo;

  std::optional<Cell> coming_lock;  ///< of the step, until its run is there
  bool settling = false;            ///< the step was shown in this frame
  Session shown;                    ///< the step's, as it was shown
  std::optional<Cell> shown_lock;

  /// What is gone on with once the step's own numbers are there, which texts name too.
  std::optional<PlayedLesson> resuming;

  bool playing() const { return lesson != nullptr; }
  const LessonStep& at() const { return lesson->steps[static_cast<std::size_t>(step)]; }
  int last() const { return static_cast<int>(lesson->steps.size()) - 1; }

  /// What was computed for a step, as long as the same is shown: the window asks for all of it in every
  /// frame.
  struct Shown {
    std::shared_ptr<const LessonNumbers> numbers;
    int step = 0;
    std::map<const void*, std::string> texts;  ///< of live numbers
    std::optional<std::vector<LessonMistake>> mistakes;
    std::optional<std::optional<bool>> answered;
  };
  Shown computed;
  /// Those of the step as it was shown, whatever the user has changed since; nullptr until its run is there.
  std::shared_ptr<const LessonNumbers> given;
};

/// Plays the lesson in a file, or the one of that name, from its first step. Where it has mistakes the first
/// is told as a notice, and nothing changes.
bool play_lesson(App& app, const std::string& path);
/// What the user had comes back.
void close_lesson(App& app);
/// What of it is to be kept; nothing where none is played.
std::optional<PlayedLesson> played_lesson(const App& app);
/// Goes on where somebody was, as far as the lesson still has it.
void resume_lesson(App& app, const PlayedLesson& played);
/// Shows a step; a number beyond them leads to none.
void go_to_step(App& app, int step);
/// To the next or the one before; false where there is none.
bool step_lesson(App& app, int by);
/// What the keys do: on in the text where more of it is below (or above) what is seen, else to the next step.
bool turn_lesson(App& app, int by);
/// Shows the step again as it was.
void return_to_lesson(App& app);
/// Whether the user has changed something since the step was shown.
bool is_free_play(const App& app);
/// Whether it is shown otherwise than it came: changed, or at another of its stages.
bool has_left_step(const App& app);

/// At the beginning of a frame, before views are led back to what there is: locks the step's cell once its
/// run is there.
void settle_lesson(App& app);
/// And after it: what the step looks like where nobody has changed anything.
void note_lesson_shown(App& app);
/// Reads the file anew where it was written, and shows the step as it is now; true if it did.
bool reload_lesson(App& app);

/// A live number as text; "…" until its run is there, "–" where it has none or cannot be run.
std::string lesson_number(App& app, const TextSpan& span);
/// Whether what is shown answers the step's question; nothing where that is not known.
std::optional<bool> question_answered(App& app);
/// Why what is shown of the step cannot be run, as a model that is not there.
std::optional<LessonMistake> step_refused(const App& app);
/// What is wrong with the step's view, numbers and claims, for who writes the lesson; nothing while the user
/// plays, and of what cannot be run.
std::vector<LessonMistake> step_mistakes(App& app);
/// A model or a capture that the lesson names is elsewhere: so it is in all of its steps, while it is played.
void locate_in_lesson(App& app, const std::string& from, const std::string& to);
/// "Temperature 1 → 4": what the step changes from the one before.
std::vector<std::string> step_changes(const App& app);
/// Whether the step outlines this: the name of an input field, or one of highlight_places().
bool is_highlighted(const App& app, std::string_view name);

/// Writes the present state as a step at the end of a lesson's file. What goes wrong is told as a notice.
void ask_for_lesson_to_add_to(App& app);
void add_state_to_lesson(App& app, const std::string& path);
/// Makes a lesson of the bookmarks, a step each.
void write_bookmarks_as_lesson(App& app, const std::string& path);

}  // namespace headscope
