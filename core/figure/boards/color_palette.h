#pragma once
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "core/picture/picture.h"
#include "core/scene/colormap.h"

namespace headscope {

/// Counts the colours of pictures and finds the few that represent them best.
class ColorCount {
 public:
  void add(const Picture& picture);
  /// Counts the colour as if this many pixels had it.
  void add(Rgb color, std::uint64_t pixels);
  /// At most `maximum` colours, at least 1: all of them if there are no more; otherwise the most frequent
  /// ones as they are, which are background, text and flat areas, and for the rest the means of boxes in the
  /// colour cube, cut where their colours differ most.
  std::vector<Rgb> palette(std::size_t maximum) const;

 private:
  std::unordered_map<std::uint32_t, std::uint64_t> pixels_;  ///< by 0x00RRGGBB
};

}  // namespace headscope
