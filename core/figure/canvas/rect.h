#pragma once

namespace headscope {

/// In the unit of the caller, from the upper left corner.
struct Rect {
  double x = 0, y = 0, width = 0, height = 0;
  double right() const { return x + width; }
  double bottom() const { return y + height; }
  bool operator==(const Rect&) const = default;
  bool contains(double px, double py) const { return px >= x && px < right() && py >= y && py < bottom(); }
};

}  // namespace headscope
