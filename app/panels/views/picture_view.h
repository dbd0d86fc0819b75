#pragma once
#include <memory>

#include "core/figure/boards/overlay_board.h"

namespace headscope {

/// The sheet of the frame before, which is made anew for another query, picture or size.
struct PictureViewMemory {
  std::shared_ptr<const OverlaySheet> sheet;
};

}  // namespace headscope
