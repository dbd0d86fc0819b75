#pragma once
#include <memory>
#include <optional>
#include <string>

#include "core/base/memo.h"
#include "core/base/object_key.h"
#include "core/figure/canvas/patch_picture.h"

namespace headscope {

struct Ui;

/// The picture that is shown and its inputs, kept between frames.
struct PatchMemory {
  std::string path;
  std::shared_ptr<const Picture> below;
  std::string error;  ///< why there is none
  struct Of {
    ObjectKey<BlockTrace> block;
    int layer = 0, head = 0, query = 0, side = 0;
    Colormap colormap = Colormap::viridis;
    bool operator==(const Of&) const = default;
  };
  struct Row {
    std::optional<PatchRow> row;
    std::shared_ptr<const Picture> shown;
  };
  Memo<Of, Row> row;
};

/// What the patches are of, kept between frames; nullptr if it cannot be read, which draw_patches() says.
std::shared_ptr<const Picture> kept_picture(Ui& ui, const Patches& patches);
/// If the keys are patches of an image: one query's weights over the image, in which pointing at a patch
/// points at its token. Draws nothing otherwise.
void draw_patches(Ui& ui);

}  // namespace headscope
