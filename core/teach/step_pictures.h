#pragma once
#include <functional>
#include <memory>
#include <stop_token>
#include <vector>

#include "core/picture/picture.h"
#include "core/scene/view.h"
#include "core/source/engine/engine.h"
#include "core/teach/lesson.h"

namespace headscope {

/// Of each step; nullptr: it cannot be drawn, or has not been yet.
using StepPictures = std::vector<std::shared_ptr<const Picture>>;

/// Of what is to be drawn.
struct StepPicturesLook {
  Language language{};
  Theme theme{};
  int width = 240, height = 160;  ///< pixels
  bool operator==(const StepPicturesLook&) const = default;
};

/// Draws what each step of a lesson shows as a small picture, one after the other; `drawn` is called after
/// each. Throws Stopped.
StepPictures step_pictures(const Lesson& lesson, const StepPicturesLook& look, Engine& engine,
                           const std::stop_token& stop,
                           const std::function<void(const StepPictures& so_far)>& drawn);

}  // namespace headscope
