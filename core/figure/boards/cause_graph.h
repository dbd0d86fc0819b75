#pragma once
#include "core/figure/boards/cell_board.h"
#include "core/model/effects/head_paths.h"
#include "core/scene/scene.h"

namespace headscope {

/// The heads that matter, a row per layer from the bottom up (an encoder's below its decoder's), and the
/// answer on top; a path is as thick as what it changes, in the colours of the map.
Board cause_graph(const Scene& scene, const HeadPaths& paths, const CauseQuestion& question, double largest,
                  const BoardStyle& style, BoardRoom room, const Translator& tr);

}  // namespace headscope
