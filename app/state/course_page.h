#pragma once
#include <memory>
#include <string>

#include "app/state/jobs/background.h"
#include "core/teach/step_pictures.h"

namespace headscope {

/// The page with the parts of the course that is played.
struct CoursePage {
  bool open = false;
  bool begins = false;  ///< it was opened with the course, before any of its steps
  int step = 0;         ///< of the lesson: going to another one closes the page
  int noted = -1;       ///< the last step that was noted as shown
  std::string of;       ///< path of the course that it was opened for

  struct Drawn {
    std::shared_ptr<const Lesson> course;
    StepPicturesLook look;
    bool operator==(const Drawn&) const = default;
  };
  Background<Drawn, StepPictures> pictures;
};

}  // namespace headscope
