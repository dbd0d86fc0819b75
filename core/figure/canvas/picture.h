#pragma once
#include <cstdint>
#include <vector>

namespace headscope {

/// Pixels of a figure, [height, width] RGBA bytes row by row from the top.
struct FigurePicture {
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgba;
};

}  // namespace headscope
