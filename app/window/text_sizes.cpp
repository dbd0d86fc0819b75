#include "app/window/text_sizes.h"

#include <cmath>

#include "app/state/actions/present.h"
#include "app/window/font_faces.h"

namespace headscope {
namespace {

/// Whole pixels, as ImGui's fonts have.
float line_of(float em) {
  return std::round(em * line_em);
}

}  // namespace

TextSizes ordinary_sizes(float em, float raster) {
  return {line_of(em), raster, line_of(0.85F * em), line_of(1.3F * em), 0, line_of(2 * em)};
}

TextSizes presented_sizes(float height, float raster) {
  const auto share = [height](double part) { return line_of(height * static_cast<float>(part)); };
  const float text = share(Presented::text);
  return {text, raster, text, share(Presented::heading), share(Presented::caption), share(Presented::number)};
}

}  // namespace headscope
