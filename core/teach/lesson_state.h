#pragma once
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string_view>

#include "core/teach/lesson.h"

namespace headscope {

/// Reads the states of a lesson one after the other, each over the one before.
class LessonStates {
 public:
  explicit LessonStates(Budget& budget);
  ~LessonStates();
  LessonStates(const LessonStates&) = delete;
  LessonStates& operator=(const LessonStates&) = delete;

  /// Takes what the JSON object says over what holds so far; `first_line` is its first in the file. Where it
  /// is wrong what holds stays, and the mistake is added.
  void read(std::string_view json, int first_line, LessonStep& step, std::vector<LessonMistake>& mistakes);
  /// The session of a state over what holds, which stays as it is; nothing where it is wrong.
  std::optional<Session> aside(std::string_view json, int first_line, std::vector<LessonMistake>& mistakes);
  /// The same of a list of states, or of one alone; empty where one of them is wrong.
  std::vector<Session> several(std::string_view json, int first_line, std::vector<LessonMistake>& mistakes);
  /// What holds, for a step.
  void give(LessonStep& step);

 private:
  struct State;
  Budget& budget_;
  std::unique_ptr<State> state_;
};

}  // namespace headscope
