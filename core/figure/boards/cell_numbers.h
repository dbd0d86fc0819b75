#pragma once
#include <span>
#include <string>

#include "core/figure/boards/layout.h"
#include "core/figure/canvas/pool.h"

namespace headscope {

/// How numbers are written in cells: all with as many decimals as the largest needs, and · for what rounds to
/// zero. Bare: ".31", two decimals without the 0 before them.
enum class CellDigits { places, bare };

struct CellNumbers {
  double size = 0;  ///< of the text; 0: they don't fit
  CellDigits digits = CellDigits::places;
  int decimals = 2;
  std::string text(float value) const;
};

/// visit(row, column, value) for each shown cell that is at least partly visible.
template <typename Visit>
void for_each_shown_cell(const MapPart& part, const Visit& visit) {
  const CellSpan rows = visible_cells(part.query_begin, part.query_end, part.n_q),
                 columns = visible_cells(part.key_begin, part.key_end, part.n_k);
  for (int row = rows.first; row <= rows.last; ++row)
    for (int column = columns.first; column <= columns.last; ++column) {
      const Index cell = row * part.n_k + column;
      if (!part.blocked || part.blocked[cell] == 0) visit(row, column, part.values[cell]);
    }
}

/// The range of the numbers that must fit.
struct NumberExtent {
  float largest = 0;      ///< without its sign; 0: not known
  bool negative = false;  ///< any is
  void add(float value);
  void add(const NumberExtent& other);
  static NumberExtent of(const MapPart& part);  ///< of its visible cells
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
