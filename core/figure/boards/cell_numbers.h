#pragma once
#include <span>
#include <string>

#include "core/figure/boards/layout.h"

namespace headscope {

/// How numbers are written in cells: two significant digits; otherwise two decimals unless all would be 0.00;
/// otherwise none. Bare: ".31", two decimals without the 0 before them.
enum class CellDigits { significant, places, bare };

struct CellNumbers {
  double size = 0;  ///< of the text; 0: they don't fit
  CellDigits digits = CellDigits::significant;
  std::string text(float value) const;
};

/// The range of the numbers that must fit.
struct NumberExtent {
  float smallest = 1;     ///< except 0, without its sign
  float largest = 0;      ///< same; 0: not known
  bool negative = false;  ///< any is
  void add(float value);
};

/// The largest text size, at most `largest` and at least `min_number` of `font`, at which no number touches
/// the next; `measure` measures at `font`.
CellNumbers cell_numbers(const NumberExtent& extent, double cell_width, double cell_height, double font,
                         const MeasureText& measure, double largest = 1.4);

/// For a projector; may be smaller than its ticks by up to 1 : 1.5.
inline constexpr double min_bare_number = 2.0 / 3;
CellNumbers bare_numbers(const NumberExtent& extent, double cell_width, double cell_height, double font,
                         const MeasureText& measure, double largest = 1.4);

}  // namespace headscope
