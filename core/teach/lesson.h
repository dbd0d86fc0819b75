#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/translate.h"
#include "core/scene/scene.h"
#include "core/session/session.h"
#include "core/teach/lesson_text.h"

namespace headscope {

/// Words of a sentence in each language, and the claims that follow them are what makes it true.
struct LessonQuote {
  enum class Kind {
    words,
    because,     ///< it says what causes what in the model: an experiment is among the claims
    definition,  ///< its words for that are about something else
  };
  int line = 0;
  Kind kind = Kind::words;
  InLanguages<std::string> words;
};

/// What must be true of the numbers of a step.
struct LessonClaim {
  int line = 0;
  Expression expression;
  std::size_t with = 0;   ///< which of LessonStep::withs it is about, from 1; 0: the step's own state
  std::size_t quote = 0;  ///< which of LessonStep::quotes it stands behind, from 1; 0: none
};

/// Additional states of which claims must be true.
struct LessonWith {
  int line = 0;
  std::string json;
  std::vector<Session> sessions;
};

struct LessonChoice {
  int line = 0;
  InLanguages<LessonText> text;
  bool right = false;
  bool known = true;               ///< false: the file has a mistake there
  std::optional<Expression> when;  ///< whether it is right, in place of `right`
};

/// A number to predict.
struct LessonNumber {
  int line = 0;
  Expression value, within;
};

/// Of one of three kinds: a state to find (`check`), choices, or a number; or of none, to think about.
struct LessonQuestion {
  int line = 0;
  InLanguages<LessonText> text, answer;
  std::optional<LessonClaim> check;  ///< whether the reader's state answers it
  int solution_line = 0;             ///< 0: none is given
  std::optional<Session> solution;   ///< a state for which the check is true
  std::vector<LessonChoice> choices;
  std::optional<LessonNumber> number;
  bool asks() const { return check || number || !choices.empty(); }
  /// Whether it asks for something that the step then tells.
  bool comes_first() const { return number || !choices.empty(); }
};

struct LessonStep {
  int line = 0;  ///< of its heading
  InLanguages<std::string> title;
  InLanguages<LessonText> claim;  ///< for an audience, in place of the title; of one line
  InLanguages<LessonText> text;
  InLanguages<LessonText> notes;  ///< for whoever presents it
  Session session;                ///< inputs, view, B and labels, accumulated over the steps so far
  std::optional<Cell> cell;       ///< locked
  int component = 0;              ///< StepsLook::component
  std::vector<std::string>
      stages;                 ///< StepsOptions::stage of its parts, one after the other; empty: one part
  int state_line = 0;         ///< of the state, 0 where it has none
  bool state_failed = false;  ///< it, or an earlier one that it builds on, has a mistake
  std::vector<std::string> highlight;  ///< names of input fields, or of highlight_places
  bool hold = false;                   ///< colours keep the ranges of the step before
  std::vector<LessonQuestion> questions;
  std::vector<LessonQuote> quotes;
  std::vector<LessonClaim> claims;
  std::vector<LessonWith> withs;
  /// Of a course: what it is taken from, and how long it takes.
  InLanguages<std::string> lesson = {};
  std::string lesson_name = {};  ///< as the course names it
  int lesson_step = 0;           ///< in it, from 1
  double minutes = 0;
  int parts() const { return stages.empty() ? 1 : static_cast<int>(stages.size()); }
  int line_of_state() const { return state_line != 0 ? state_line : line; }
};

/// A part of a course.
struct CoursePart {
  InLanguages<std::string> title;
  InLanguages<LessonText> text;
  int first = 0;  ///< of its steps, from 0
};

/// The contents of a lesson's file; core/teach/LESSON.md documents the format.
struct Lesson {
  InLanguages<std::string> title;
  InLanguages<LessonText> text;   ///< what it is about
  std::vector<LessonStep> steps;  ///< at least one
  std::vector<CoursePart> parts;  ///< of a course: see course.h; otherwise none
  /// What is played nevertheless but no other program would read so, and what its marks have left out.
  std::vector<LessonMistake> flaws;
  bool has(Language language) const;
};

/// Whether a question of the step asks for this number, which its texts then hide until there is an answer.
bool is_asked(const LessonStep& step, const Expression& number);

/// Whether its answer is a number that maps, the lists beside them or the controls have, which then show none
/// until there is an answer.
bool asks_for_shown(const LessonQuestion& question);

/// The step's text and line for an audience, its questions, their choices and answers.
std::vector<const InLanguages<LessonText>*> texts_of(const LessonStep& step);
/// What claims of a step may quote: these, and the lesson's introduction.
std::vector<const InLanguages<LessonText>*> texts_to_quote(const Lesson& lesson, const LessonStep& step);

struct ReadLesson {
  Lesson lesson;                        ///< everything that could be read
  std::vector<LessonMistake> mistakes;  ///< by line
};

/// "English | 中文" of a heading; of one that is too long the beginning.
InLanguages<std::string> read_title(std::string_view heading, int line, std::vector<LessonMistake>& mistakes);
/// From the first line "# English | 中文" of a lesson's file.
InLanguages<std::string> lesson_title(std::string_view markdown);

/// Names that `highlight` may have in addition to those of input fields.
std::span<const char* const> highlight_places();

/// Reads all that can be read. Masks that are files are looked up next to `path`. Throws Error (input) for
/// what is not UTF-8 and what its budget has no room for.
ReadLesson read_lesson(std::string_view markdown, const std::string& path);
inline constexpr std::size_t max_lesson_bytes = std::size_t{4} << 20;
/// From a file of at most this many bytes. Throws Error as read_file() does, too.
ReadLesson read_lesson_file(const std::string& path);
/// "FILE: line N: …".
Error in_file(const LessonMistake& mistake, const std::string& path);
/// The same of the first of some mistakes, with the number of the others.
Error first_of(const std::vector<LessonMistake>& mistakes, const std::string& path, const Translator& tr);
/// read_lesson_file(); throws the first mistake.
Lesson load_lesson(const std::string& path);

}  // namespace headscope
