#include "core/figure/boards/map_codes.h"

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

WholeCells whole_cells(const MapPicture& picture, const Rect& rect) {
  WholeCells whole{picture, rect};
  const auto widen = [&](double& begin, double& end, double& place, double& length) {
    const double cell = length / (end - begin), low = std::floor(begin), high = std::ceil(end);
    if (low == begin && high == end) return;
    whole.cut = true;
    place -= (begin - low) * cell;
    length = (high - low) * cell;
    begin = low;
    end = high;
  };
  MapPart& part = whole.picture.part;
  widen(part.query_begin, part.query_end, whole.rect.y, whole.rect.height);
  widen(part.key_begin, part.key_end, whole.rect.x, whole.rect.width);
  return whole;
}

MapCodes map_codes_for_print(const MapPicture& picture, const Rect& rect, double dpi) {
  constexpr double print_dpi = 300, points_per_inch = 72;
  const double resolution = std::max(dpi, print_dpi) / points_per_inch;
  const auto fewer = [&](double cells, double length) {
    return static_cast<int>(std::min(cells, std::max(max_whole_cells, std::ceil(length * resolution))));
  };
  const MapPart& part = picture.part;
  return map_codes(picture, fewer(part.key_end - part.key_begin, rect.width),
                   fewer(part.query_end - part.query_begin, rect.height));
}

}  // namespace headscope
