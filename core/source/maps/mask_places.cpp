#include "core/source/maps/mask_places.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/base/utf8.h"
#include "core/inputs/names.h"

namespace headscope {

void check_mask_places(std::span<const MaskPart> parts, std::span<const BlockShape> shapes) {
  for (const MaskPart& part : parts) {
    if (!part.on || !part.block) continue;
    const std::string text = cut_off(printable(to_string(part)), 60);
    const auto found = std::ranges::find(shapes, *part.block, &BlockShape::kind);
    if (found == shapes.end()) {
      std::string known;
      for (const BlockShape& shape : shapes)
        known += (known.empty() ? "" : ", ") + std::string(to_name(shape.kind));
      throw input_error("mask \"{}\": there is no {} attention; expected {}", text, to_name(*part.block),
                        known);
    }
    const int layer = part.layer.value_or(0);
    if (layer < found->layers) continue;
    if (found->layers == 1)
      throw input_error("mask \"{}\": layer is {}; expected 0, the only one", text, layer);
    throw input_error("mask \"{}\": layer is {}; expected {} to {}", text, layer, 0, found->layers - 1);
  }
}

}  // namespace headscope
