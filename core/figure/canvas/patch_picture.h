#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/translate.h"
#include "core/picture/picture.h"
#include "core/scene/colormap.h"
#include "core/scene/scene.h"

namespace headscope {

/// The row of weights that is drawn over the patches of a picture.
struct PatchRow {
  Patches patches;
  int head = 0, query = 0, layer = 0;
  std::vector<float> weights;  ///< of each patch, row by row; what else cells show, if that has no signs
  float other = 0;             ///< total weight of the tokens that are not patches
};
/// Of a cell of a block whose keys are patches; nothing otherwise.
std::optional<PatchRow> patch_row(const BlockTrace& block, int layer, const Cell& cell);

/// What the patches are of, at most 1,024 pixels a side; nullptr if that is not known. Throws Error as
/// read_picture().
std::shared_ptr<const Picture> picture_below(const Patches& patches);

/// From 0 to the largest of the patches' weights.
ColorRange own_range(const PatchRow& row);

/// The row's weights in colours over the patches. If there is a picture, it is drawn below them in its own
/// colours and shows through: fully where there is no weight. Pixels per patch are chosen so that the longer
/// side has about `side`.
Picture patch_picture(const PatchRow& row, const std::array<Rgb, 256>& colors, const ColorRange& range,
                      const Picture* below, int side);

/// "Head 3 · query “patch 12”".
std::string patch_title(const Translator& tr, const BlockTrace& block, const PatchRow& row,
                        const std::vector<HeadLabel>& labels);

}  // namespace headscope
