#pragma once
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

#include "core/teach/lesson.h"

namespace headscope {

/// Reads the states of a lesson one after the other, each applied to the one before.
class LessonStates {
 public:
  explicit LessonStates(Budget& budget) : budget_(budget) {}

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
  using Json = nlohmann::json;
  struct State {
    Json inputs = Json::object();  // and labels: the top-level fields of a session
    Json view = Json::object();
    Json compare;    // null, or what differs in B
    int repeat = 1;  // how often the sentence is repeated
    std::optional<Cell> cell;
    int component = 0;
    Session session;        // built from these
    std::size_t bytes = 0;  // text size of these
    bool failed = false;    // something that these build on could not be read

    void take(const Json& given, LessonStep& step, Budget& budget);

   private:
    void take_repeat(const Json& given);
    void take_cell(const Json& given);
    static void take_highlight(const Json& given, LessonStep& step);
  };

  Budget& budget_;
  State state_;
};

}  // namespace headscope
