#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/source/engine/engine.h"
#include "core/teach/lesson.h"

namespace headscope {

/// What a session says to a question, by the numbers computed anew.
struct Marked {
  std::string session;                  ///< its file's name
  std::optional<std::size_t> question;  ///< which of Marks::questions; none: the file cannot be read
  std::string answer;                   ///< in words; empty: there is none
  int tries = 0;
  std::optional<bool> right;   ///< none: not known
  std::optional<Error> error;  ///< why
};

/// A question of a lesson, and how it was answered.
struct MarkedQuestion {
  int step = 0, question = 0;  ///< from 0
  std::string title;           ///< its text, or the beginning
  std::size_t answered = 0, right = 0, failed = 0;
};

struct Marks {
  std::vector<MarkedQuestion> questions;
  std::vector<Marked> rows;  ///< session by session
  std::size_t sessions = 0;  ///< that could be read
};

/// Of each session in the folder and each question that has an answer to check. What a session may ask for is
/// bounded by the lesson: its models and files, its sizes, texts of at most four times its longest. Throws
/// Error: input for a lesson with mistakes and a folder without sessions, unable for one that cannot be read.
Marks mark_sessions(const Lesson& lesson, const std::string& path, const std::string& folder,
                    Language language, Engine& engine,
                    const std::function<void(double share)>& progress = {});

/// One line for each question of each session, and one for each file that cannot be read.
std::string marks_csv(const Marks& marks, const Translator& tr);

/// By which sessions name a step, from 0: its lesson's name (of a file without folders) and its number there,
/// also where a course has it.
struct AnsweredStep {
  std::string lesson;
  int step = 0;
};
AnsweredStep answered_step(const Lesson& lesson, const std::string& path, int step);
/// The answer to a question of it in a document; nullptr: none.
const LessonAnswer* answer_of(const DocumentState& document, const AnsweredStep& step, int question);

}  // namespace headscope
