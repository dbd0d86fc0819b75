#pragma once
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "core/figure/canvas/picture.h"
#include "core/scene/colormap.h"

namespace headscope {

/// Counts the colours of pictures and finds the few that stand for all of them best.
class ColorCount {
 public:
  void add(const FigurePicture& picture);
  /// As if so many pixels had it.
  void add(Rgb color, std::uint64_t pixels);
  /// At most `most` colours, at least 1: every one where there are no more; else the most frequent ones as
  /// they are, which are background, text and flat areas, and for the rest the means of boxes in the cube of
  /// colours, cut where colours in them differ most.
  std::vector<Rgb> palette(std::size_t most) const;

 private:
  std::unordered_map<std::uint32_t, std::uint64_t> pixels_;  ///< by 0x00RRGGBB
};

}  // namespace headscope
