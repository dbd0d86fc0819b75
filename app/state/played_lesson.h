#pragma once
#include <map>
#include <optional>
#include <string>

#include "core/scene/scene.h"
#include "core/session/session.h"

namespace headscope {

/// The position in a lesson and the user's changes to its step, saved in case the window is killed.
struct PlayedLesson {
  std::string path;                              ///< absolute, or the name of a built-in lesson
  int step = 0;                                  ///< from 0
  std::map<std::string, std::string> located{};  ///< LessonPlayer::located
  std::optional<Session> free{};                 ///< none: the step is shown as in the lesson
  std::optional<Cell> lock{};                    ///< when the step was changed
  bool operator==(const PlayedLesson&) const = default;
};

}  // namespace headscope
