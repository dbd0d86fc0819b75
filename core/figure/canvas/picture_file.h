#pragma once
#include <string>

#include "core/figure/canvas/picture.h"

namespace headscope {

/// A PNG file, scaled down so that neither side has more than 1024 pixels. Throws Error (input) that names
/// the file: no PNG, damaged, larger than 64 MB or 16,384 pixels a side, unpacking to more than its size
/// explains.
FigurePicture read_picture(const std::string& path);

}  // namespace headscope
