#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "core/picture/picture.h"

// One reader of each format, with the same contract as decode_picture(), without turning.

namespace headscope {

/// A decoded file and its EXIF orientation: 1 upright; 2 to 8 as the standard counts them.
struct DecodedPicture {
  Picture picture;
  int orientation = 1;
};

DecodedPicture decode_png(std::string_view bytes, const std::string& source);
DecodedPicture decode_jpeg(std::string_view bytes, const std::string& source);
DecodedPicture decode_webp(std::string_view bytes, const std::string& source);

/// Checks a header's claims before anything is allocated for them, and allocates.
Picture empty_picture(std::uint64_t width, std::uint64_t height, std::string_view bytes,
                      const std::string& source);

/// The orientation of EXIF data, which begin with the byte order; 1 if they have none or are damaged.
int exif_orientation(std::string_view exif);

}  // namespace headscope
