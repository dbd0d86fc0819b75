#pragma once

namespace headscope {

/// Where a user has put a text of a map, in shares of the map's width and height: the same at every size.
struct LabelPlace {
  static constexpr double farthest = 4;
  double x = 0, y = 0;
  bool operator==(const LabelPlace&) const = default;
};

}  // namespace headscope
