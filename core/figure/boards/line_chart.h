#pragma once
#include <functional>
#include <string>
#include <vector>

#include "core/base/translate.h"
#include "core/figure/boards/board.h"

namespace headscope {

/// A small chart of numbers above 0 against one of the sizes, both axes logarithmic, with the current size
/// marked.
struct LineChart {
  struct Series {
    std::string name;
    Rgb color;
    std::function<double(double)> value;
  };
  std::string title;
  std::string variable;  ///< on the horizontal axis: "n"
  double low = 1, high = 2;
  double present = 1;  ///< not drawn if it is outside the range
  std::vector<Series> series;
};

Board chart_board(const LineChart& chart, const BoardStyle& style, double width);

}  // namespace headscope
