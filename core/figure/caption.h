#pragma once
#include <string>

#include "core/base/translate.h"
#include "core/scene/scene.h"

namespace headscope {

/// A draft of the caption of a figure: what it shows, of which source and text, what its rows, columns and
/// colours mean, and which program made it. Reads the maps in view.
std::string figure_caption(const Scene& scene, const Translator& tr);

}  // namespace headscope
