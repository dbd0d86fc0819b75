#pragma once
#include <memory>
#include <optional>
#include <string_view>

#include "core/teach/lesson.h"

namespace headscope {

/// Reads the states of a lesson one after the other, each applied to the one before.
class LessonStates {
 public:
  explicit LessonStates(Budget& budget);
  ~LessonStates();

  /// Applies the JSON object to the current state; `first_line` is its first in the file. If it is wrong the
  /// current state stays, and the mistake is added.
  void read(std::string_view json, int first_line, LessonStep& step, std::vector<LessonMistake>& mistakes);
  /// The session of a state applied to the current one, which stays as it is; nothing if it is wrong.
  std::optional<Session> aside(std::string_view json, int first_line, std::vector<LessonMistake>& mistakes);
  /// The same for a list of states, or a single one; empty if one of them is wrong.
  std::vector<Session> several(std::string_view json, int first_line, std::vector<LessonMistake>& mistakes);
  /// The current state, for a step.
  void give(LessonStep& step);

 private:
  struct State;
  Budget& budget_;
  std::unique_ptr<State> state_;
};

}  // namespace headscope
