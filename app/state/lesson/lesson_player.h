#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/state/document/undo.h"
#include "app/state/lesson/played_lesson.h"
#include "app/state/view/view_state.h"
#include "core/scene/scene.h"
#include "core/teach/lesson.h"
#include "core/teach/measures.h"

namespace headscope {

struct App;
struct OpenSession;
struct Workspace;

/// Identifies a version of a file: every other version has another stamp, however it was written.
struct FileStamp {
  std::int64_t modified = 0;  ///< nanoseconds
  std::uintmax_t bytes = 0, node = 0;
  bool operator==(const FileStamp&) const = default;
};

/// A lesson that is played next to the views, and the user's document that it replaces meanwhile.
struct LessonPlayer {
  std::shared_ptr<const Lesson> lesson;  ///< the last version without mistakes; nullptr: none is played
  std::string path;                      ///< absolute, or the name of a built-in lesson
  FileStamp stamp;                       ///< of the file when it was last read
  std::vector<LessonMistake> mistakes;   ///< in the file as it is now
  /// Where the user located models and captures that the lesson names.
  std::map<std::string, std::string> located;
  int step = 0;  ///< from 0
  bool answer_shown = false;
  bool text_above = false, text_below = false;  ///< in the last frame: hidden parts of its text
  int scroll = 0;                               ///< how many screens the text is still to be scrolled by
  bool hold = false;                            ///< colours keep the ranges of the previous step
  std::map<Panel, bool> panels;                 ///< shown or hidden by the user while it is played

  Session own;  ///< the user's; bookmarks stay in the window
  std::optional<Cell> own_lock;
  Undo own_undo;

  std::optional<Cell> coming_lock;  ///< the step's, until its run is finished
  bool settling = false;            ///< the step was shown in this frame
  Session shown;                    ///< the step's, as shown
  std::optional<Cell> shown_lock;

  /// What is resumed once the step's own numbers, which its texts refer to, are there.
  std::optional<PlayedLesson> resuming;

  bool playing() const { return lesson != nullptr; }
  const LessonStep& at() const { return lesson->steps[static_cast<std::size_t>(step)]; }
  int last() const { return static_cast<int>(lesson->steps.size()) - 1; }

  /// Results for a step, kept while the same is shown: the window queries all of them every frame.
  struct Shown {
    std::shared_ptr<const LessonNumbers> numbers;
    int step = 0;
    std::map<const void*, std::string> texts;  ///< of live numbers
    std::optional<std::vector<LessonMistake>> mistakes;
    std::optional<std::optional<bool>> answered;
  };
  Shown computed;
  /// Numbers of the step as it was shown, whatever the user has changed since; nullptr until its run is
  /// finished.
  std::shared_ptr<const LessonNumbers> given;
};

/// Plays the lesson in a file, or the built-in one of that name, from its first step. If it has mistakes, the
/// first is reported as a notice and nothing changes.
bool play_lesson(Workspace& work, const std::string& path);
/// Ends the lesson and restores the user's document.
void close_lesson(OpenSession& open);
/// What is saved of the lesson; no value if none is played.
std::optional<PlayedLesson> played_lesson(const Workspace& work);
/// Resumes a lesson at the saved position, if the lesson still has it.
void resume_lesson(Workspace& work, const PlayedLesson& played);
/// Shows a step; a number out of range has no effect.
void go_to_step(Workspace& work, int step);
/// To the next or the previous step; false if there is none.
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

/// A live number as text; "…" until its run is finished, "–" if it has no value or cannot be run.
std::string lesson_number(Workspace& work, const TextSpan& span);
/// Whether what is shown answers the step's question; no value if that is not known.
std::optional<bool> question_answered(Workspace& work);
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
