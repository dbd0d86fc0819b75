#pragma once
#include <algorithm>

namespace headscope {

/// How much of the accent is in the background of a number of the table of heads; `full`: of its column, as
/// full_bar(). Its text stays readable on the strongest.
inline double table_tint(double value, double full) {
  return 0.36 * std::clamp(value / full, 0.0, 1.0);
}

}  // namespace headscope
