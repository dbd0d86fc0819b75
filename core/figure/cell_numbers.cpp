#include "core/figure/cell_numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/figure/ticks.h"
#include "core/scene/range.h"

namespace headscope {
namespace {

constexpr double apart = 0.45;  // of the font, between two numbers

/// As wide as any that stands in a cell: digits are equally wide.
std::string widest(const NumberExtent& extent, CellDigits digits) {
  const std::string sign = extent.negative ? "-" : "";
  if (digits == CellDigits::places) return sign + "0.88";
  if (extent.smallest < 1e-4F) return sign + "0.00088";
  if (extent.smallest < 1e-3F) return sign + "0.00088";
  if (extent.smallest < 1e-2F) return sign + "0.0088";
  return sign + (extent.smallest < 0.1F ? "0.088" : "0.88");
}

}  // namespace

void NumberExtent::add(float value) {
  negative = negative || value < 0;
  if (value != 0) smallest = std::min(smallest, std::abs(value));
}

std::string CellNumbers::text(float value) const {
  if (digits == CellDigits::significant || value == 0 || std::abs(value) >= 1) return cell_text(value);
  const std::string text = fmt::format("{:.2f}", value);
  return text == "-0.00" ? "0.00" : text;
}

CellNumbers cell_numbers(const NumberExtent& extent, double cell_width, double cell_height, double font,
                         const MeasureText& measure, double largest) {
  for (const CellDigits digits : {CellDigits::significant, CellDigits::places}) {
    const double width = std::max(measure(widest(extent, digits)), 1e-9);
    const double share = std::min({cell_width / (width + apart * font), cell_height / (1.3 * font), largest});
    if (share >= least_number) return {share * font, digits};
  }
  return {};
}

}  // namespace headscope
