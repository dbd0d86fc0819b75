#pragma once
#include "core/scene/scene.h"

namespace headscope {

/// Reading or computing the maps may have failed or been interrupted: throws Error, after drawing and before
/// the figure is used.
void expect_read(const Scene& scene);

}  // namespace headscope
