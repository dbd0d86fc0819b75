#include "core/figure/boards/cell_numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/figure/boards/ticks.h"
#include "core/scene/readable_numbers.h"

namespace headscope {
namespace {

constexpr double number_gap = 0.45;  // of the font, between two numbers

/// Of the numbers that are known; of weights otherwise.
int decimals_of(const NumberExtent& extent) {
  return extent.largest > 0 ? column_decimals(extent.largest) : 2;
}

/// As wide as any number in a cell: digits are equally wide.
std::string widest(const NumberExtent& extent, int decimals) {
  std::string text = fmt::format("{:.{}f}", std::max(extent.largest, 0.1F), decimals);
  for (char& c : text)
    if (c != '.') c = '8';
  return (extent.negative ? "−" : "") + text;
}

/// Whether two decimals are enough for the largest.
bool bare_suffices(const NumberExtent& extent) {
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
  return text == "-.00" || text == ".00" ? "·" : with_minus(text);
}

}  // namespace

void NumberExtent::add(float value) {
  negative = negative || value < 0;
  largest = std::max(largest, std::abs(value));
}

void NumberExtent::add(const NumberExtent& other) {
  negative = negative || other.negative;
  largest = std::max(largest, other.largest);
}

NumberExtent NumberExtent::of(const MapPart& part) {
  NumberExtent extent;
  if (part.values == nullptr) return extent;  // still to be computed
  for_each_shown_cell(part, [&](int, int, float value) { extent.add(value); });
  return extent;
}

std::string CellNumbers::text(float value) const {
  if (value == 0) return "0";
  return digits == CellDigits::bare ? bare_text(value) : in_column(value, decimals);
}

CellNumbers cell_numbers(const NumberExtent& extent, double cell_width, double cell_height, double font,
                         const MeasureText& measure, double largest) {
  const int wanted = decimals_of(extent);
  // One digit of those behind the point may go where the rest still tells numbers from zero.
  const int least = wanted > 2 && bare_suffices(extent) ? 2 : extent.largest >= 1 ? wanted - 1 : wanted;
  for (const int decimals : {wanted, std::max(0, least)}) {
    const double width = std::max(measure(widest(extent, decimals)), 1e-9);
    const double share =
        std::min({cell_width / (width + number_gap * font), cell_height / (1.3 * font), largest});
    if (share >= min_number) return {share * font, CellDigits::places, decimals};
  }
  // A sign takes no more room than the 0 before the point.
  constexpr float with_one_digit = 9.95F;
  if (!extent.negative || !bare_suffices(extent) || extent.largest >= with_one_digit) return {};
  const double width = std::max(measure("−.88"), 1e-9);
  const double share =
      std::min({cell_width / (width + number_gap * font), cell_height / (1.3 * font), largest});
  return {share >= min_number ? share * font : 0, CellDigits::bare, 2};
}

CellNumbers bare_numbers(const NumberExtent& extent, double cell_width, double cell_height, double font,
                         const MeasureText& measure, double largest) {
  // Of the font: bare numbers have similar widths and form columns; a minus keeps them apart by itself.
  const double gap = extent.negative ? 0.05 : 0.3;
  const bool bare = bare_suffices(extent);
  const int decimals = decimals_of(extent);
  const double width = std::max(measure(!bare             ? widest(extent, decimals)
                                        : extent.negative ? "−.88"
                                                          : ".88"),
                                1e-9);
  const double share = std::min({cell_width / (width + gap * font), cell_height / (1.1 * font), largest});
  return {share >= min_bare_number ? share * font : 0, bare ? CellDigits::bare : CellDigits::places,
          decimals};
}

}  // namespace headscope
