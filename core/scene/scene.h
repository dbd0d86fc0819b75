#pragma once
#include <memory>
#include <vector>

#include "core/scene/labels.h"
#include "core/scene/view.h"
#include "core/source/trace.h"

namespace headscope {

/// What is shown, on screen and in a figure alike: a view of a block, with what heads are called.
struct Scene {
  std::shared_ptr<const BlockTrace> block;
  std::shared_ptr<const BlockTrace> other;  ///< B of the comparison; nullptr: there is none
  View view;
  std::vector<HeadLabel> labels;
};

}  // namespace headscope
