#pragma once
#include <map>
#include <optional>
#include <string>

#include "core/scene/scene.h"
#include "core/session/session.h"

namespace headscope {

/// Where in a lesson somebody is, and what was made of its step: what is kept in case the window is killed.
struct PlayedLesson {
  std::string path;                              ///< absolute, or the name of one that comes with the program
  int step = 0;                                  ///< from 0
  std::map<std::string, std::string> located{};  ///< LessonPlayer::located
  std::optional<Session> free{};                 ///< none: the step is shown as the lesson has it
  std::optional<Cell> lock{};                    ///< in free play
  bool operator==(const PlayedLesson&) const = default;
};

}  // namespace headscope
