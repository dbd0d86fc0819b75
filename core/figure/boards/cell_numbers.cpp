#include "core/figure/boards/cell_numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/figure/boards/ticks.h"
#include "core/scene/range.h"
#include "core/scene/readable_numbers.h"

namespace headscope {
namespace {

constexpr double number_gap = 0.45;  // of the font, between two numbers

/// As wide as any number in a cell: digits are equally wide.
std::string widest(const NumberExtent& extent, CellDigits digits) {
  const std::string sign = extent.negative ? "−" : "";
  if (digits == CellDigits::places) return sign + "0.88";
  if (extent.smallest < 1e-4F) return sign + "0.00088";
  if (extent.smallest < 1e-3F) return sign + "0.00088";
  if (extent.smallest < 1e-2F) return sign + "0.0088";
  return sign + (extent.smallest < 0.1F ? "0.088" : "0.88");
}

/// Whether two decimals distinguish any of the numbers from 0.
bool places_suffice(const NumberExtent& extent) {
  return extent.largest == 0 || extent.largest >= 0.005F;
}

std::string bare_text(float value) {
  if (value == 0) return "0";
  if (std::abs(value) >= 9.95F) return with_minus(fmt::format("{:.0f}", value));
  if (std::abs(value) >= 0.995F) {
    const std::string text = fmt::format("{:.1f}", value);
    return with_minus(text.ends_with(".0") ? text.substr(0, text.size() - 2) : text);
  }
  std::string text = fmt::format("{:.2f}", value);
  text.erase(text.find('0'), 1);
  return text == "-.00" ? ".00" : with_minus(text);
}

}  // namespace

void NumberExtent::add(float value) {
  negative = negative || value < 0;
  if (value == 0) return;
  smallest = std::min(smallest, std::abs(value));
  largest = std::max(largest, std::abs(value));
}

void NumberExtent::add(const NumberExtent& other) {
  negative = negative || other.negative;
  smallest = std::min(smallest, other.smallest);
  largest = std::max(largest, other.largest);
}

NumberExtent NumberExtent::of(const MapPart& part) {
  NumberExtent extent;
  for_each_shown_cell(part, [&](int, int, float value) { extent.add(value); });
  return extent;
}

std::string CellNumbers::text(float value) const {
  if (digits == CellDigits::bare) return bare_text(value);
  if (digits == CellDigits::significant || value == 0 || std::abs(value) >= 1) return cell_text(value);
  const std::string text = fmt::format("{:.2f}", value);
  return text == "-0.00" ? "0.00" : with_minus(text);
}

CellNumbers cell_numbers(const NumberExtent& extent, double cell_width, double cell_height, double font,
                         const MeasureText& measure, double largest) {
  for (const CellDigits digits : {CellDigits::significant, CellDigits::places}) {
    if (digits == CellDigits::places && !places_suffice(extent)) break;
    const double width = std::max(measure(widest(extent, digits)), 1e-9);
    const double share =
        std::min({cell_width / (width + number_gap * font), cell_height / (1.3 * font), largest});
    if (share >= min_number) return {share * font, digits};
  }
  return {};
}

CellNumbers bare_numbers(const NumberExtent& extent, double cell_width, double cell_height, double font,
                         const MeasureText& measure, double largest) {
  // Of the font: bare numbers have similar widths and form columns; a minus keeps them apart by itself.
  const double gap = extent.negative ? 0.05 : 0.3;
  const bool bare = places_suffice(extent);
  const double width = std::max(measure(!bare             ? widest(extent, CellDigits::significant)
                                        : extent.negative ? "−.88"
                                                          : ".88"),
                                1e-9);
  const double share = std::min({cell_width / (width + gap * font), cell_height / (1.1 * font), largest});
  return {share >= min_bare_number ? share * font : 0, bare ? CellDigits::bare : CellDigits::significant};
}

}  // namespace headscope
