#pragma once
#include <span>
#include <string>
#include <vector>

#include "core/figure/layout.h"

namespace headscope {

/// How the labels of one axis stand.
struct TickPlan {
  int step = 1;         ///< every step-th token has a label
  bool turned = false;  ///< by 90 degrees
  double extent = 0;    ///< room the labels need across the axis
  std::vector<int> tokens;
  std::vector<std::string> labels;
};

/// Labels along an axis whose cells are `cell` wide, each no longer than `limit`; `line` is the height of a
/// text line. A horizontal axis keeps its labels level if all fit side by side, else it turns them.
TickPlan plan_ticks(std::span<const std::string> tokens, bool horizontal, double cell, double line,
                    double limit, const MeasureText& measure);

}  // namespace headscope
