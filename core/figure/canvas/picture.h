#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace headscope {

/// Pixels of a figure, [height, width] RGBA bytes row by row from the top.
struct FigurePicture {
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgba;
};

/// A PNG file, scaled down so that neither side has more than 1024 pixels. Throws Error (input) that names
/// the file: no PNG, damaged, larger than 64 MB or 16,384 pixels a side, unpacking to more than its size
/// explains.
FigurePicture read_picture(const std::string& path);

}  // namespace headscope
