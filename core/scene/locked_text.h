#pragma once
#include <string>

#include "core/scene/scene.h"

namespace headscope {

/// "Head 3, the → cat: weight 0.123": the locked cell's weight, in A and B in the comparison; "" for a view
/// that shows no cells of maps, or if no cell is locked.
std::string locked_text(const Translator& tr, const Scene& scene);

}  // namespace headscope
