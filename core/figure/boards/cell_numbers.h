#pragma once
#include <span>
#include <string>

#include "core/figure/boards/layout.h"

namespace headscope {

/// How numbers stand in cells: two significant digits, else two places where not all would be 0.00, else
/// none; bare: ".31", two places
/// without the 0 before them.
enum class CellDigits { significant, places, bare };

struct CellNumbers {
  double size = 0;  ///< of the text; 0: they don't fit
  CellDigits digits = CellDigits::significant;
  std::string text(float value) const;
};

/// What the numbers must have room for.
struct NumberExtent {
  float smallest = 1;     ///< but 0, without its sign
  float largest = 0;      ///< likewise; 0: not known
  bool negative = false;  ///< any is
  void add(float value);
};

/// The largest type, at most `largest` and at least `least_number` of `font`, in which no number touches the
/// next; `measure` measures at `font`.
CellNumbers cell_numbers(const NumberExtent& extent, double cell_width, double cell_height, double font,
                         const MeasureText& measure, double largest = 1.4);

/// Those of a projector, which may be smaller than its ticks by as much as 1 : 1.5.
inline constexpr double least_bare_number = 2.0 / 3;
CellNumbers bare_numbers(const NumberExtent& extent, double cell_width, double cell_height, double font,
                         const MeasureText& measure, double largest = 1.4);

}  // namespace headscope
