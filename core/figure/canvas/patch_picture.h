#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/base/translate.h"
#include "core/figure/canvas/picture.h"
#include "core/scene/colormap.h"
#include "core/scene/scene.h"

namespace headscope {

/// Whose row of weights is laid over the patches of a picture.
struct PatchRow {
  Patches patches;
  int head = 0, query = 0, layer = 0;
  std::vector<float> weights;  ///< of each patch, row by row
  float other = 0;             ///< what the tokens that are no patches get together
};
/// Of a cell of a block whose keys are patches; nothing otherwise.
std::optional<PatchRow> patch_row(const BlockTrace& block, int layer, const Cell& cell);

/// From 0 to the largest of the patches' weights.
ColorRange own_range(const PatchRow& row);

/// The row's weights in colours over the patches. Where there is a picture it lies below them in its own
/// colours, and they let it through: wholly where there is no weight. A patch is so many pixels wide and high
/// that all have about `side` of them.
FigurePicture patch_picture(const PatchRow& row, const std::array<Rgb, 256>& colors, const ColorRange& range,
                            const FigurePicture* below, int side);

/// "Head 3 · query “patch 12”".
std::string patch_title(const Translator& tr, const BlockTrace& block, const PatchRow& row,
                        const std::vector<HeadLabel>& labels);

}  // namespace headscope
