#include "core/figure/map_codes.h"

#include <algorithm>
#include <cmath>

namespace headscope {

MapCodes map_codes(const MapPicture& picture, int width, int height) {
  MapCodes result;
  MapPart part = picture.part;
  part.width = width;
  part.height = height;
  if (width > 0 && height > 0) pool(part, result.pooled);
  result.codes.reserve(result.pooled.values.size());
  for (const float value : result.pooled.values) {
    std::uint16_t code = 0;
    if (value == all_masked) {
      code = code_masked;
      result.any_masked = true;
    } else if (value == none_shown) {
      code = code_filtered;
      result.any_filtered = true;
    } else {
      code = static_cast<std::uint16_t>(picture.range.index(value));
    }
    result.codes.push_back(code);
  }
  return result;
}

MapCodes map_codes_for_print(const MapPicture& picture, const Rect& rect, double dpi) {
  constexpr double print_dpi = 300, points_per_inch = 72;
  const double resolution = std::max(dpi, print_dpi) / points_per_inch;
  const auto fewer = [&](Index cells, double length) {
    return static_cast<int>(
        std::min<double>(static_cast<double>(cells), std::max(1.0, std::ceil(length * resolution))));
  };
  return map_codes(picture, fewer(picture.part.n_k, rect.width), fewer(picture.part.n_q, rect.height));
}

}  // namespace headscope
