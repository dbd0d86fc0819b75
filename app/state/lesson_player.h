#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/state/played_lesson.h"
#include "app/state/undo.h"
#include "app/state/view_state.h"
#include "core/scene/scene.h"
#include "core/teach/lesson.h"
#include "core/teach/measures.h"

namespace headscope {

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
  int step = 0;                                 ///< from 0
  int part = 0;                                 ///< of the step, from 0
  bool ended = false;                           ///< presented, the last step has been left
  std::set<int> answers_shown;                  ///< of which questions of the step
  std::map<int, std::string> predicted;         ///< what is typed as the answer to a question
  std::map<int, std::string> refused;           ///< why that is no answer
  std::map<int, std::set<int>> chosen;          ///< of a question's choices, before they are the answer
  bool text_wanted = false;                     ///< before the questions that it answers
  bool text_above = false, text_below = false;  ///< in the last frame: hidden parts of its text
  int scroll = 0;                               ///< how many screens the text is still to be scrolled by
  std::map<Panel, bool> panels;                 ///< shown or hidden by the user while it is played

  Session own;  ///< the user's; bookmarks stay in the window
  std::optional<Cell> own_lock;
  Undo own_undo;

  std::optional<Cell> coming_lock;  ///< the step's, until its run is finished
  /// The step without the user's changes, which are what differs from it.
  struct AsShown {
    Session session;
    std::optional<Cell> lock;
    /// Its numbers; nullptr until its run is finished.
    std::shared_ptr<const LessonNumbers> given = {};
  };
  std::optional<AsShown> shown;  ///< none in the frame that goes to the step

  /// What is resumed once the step's own numbers, which its texts refer to, are there.
  std::optional<PlayedLesson> resuming;

  bool playing() const { return lesson != nullptr; }
  const LessonStep& at() const { return lesson->steps[step]; }
  int last() const { return static_cast<int>(lesson->steps.size()) - 1; }
  /// Whether there is a next (1) or a previous (-1) part or step.
  bool can_step(int by) const {
    if (!playing()) return false;
    return by > 0 ? step < last() || part + 1 < at().parts() : step > 0 || part > 0;
  }

  /// Results for a step, kept while the same is shown: the window queries all of them every frame.
  struct Shown {
    std::shared_ptr<const LessonNumbers> numbers;
    int step = 0;
    std::map<const void*, std::string> texts;  ///< of live numbers
    std::optional<std::vector<LessonMistake>> mistakes;
    std::map<int, std::optional<bool>> answered;  ///< by question that asks for a state
    struct Judged {
      LessonAnswer answer;
      std::optional<bool> right;
    };
    std::map<int, Judged> judged;                     ///< by question with choices or a number
    std::map<const LessonText*, LessonText> changed;  ///< with what is no longer true marked
    bool noted = false;                               ///< what they answer
  };
  Shown computed;
};

}  // namespace headscope
