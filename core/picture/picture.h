#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace headscope {

/// Pixels [height, width] of RGBA bytes, row by row from the top. Colours are not premultiplied by alpha, so
/// that leaving alpha out gives what a model's image processor reads from a file (PIL's convert("RGB")).
struct Picture {
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgba;

  std::uint8_t* at(int x, int y) { return rgba.data() + offset(x, y); }
  const std::uint8_t* at(int x, int y) const { return rgba.data() + offset(x, y); }
  bool operator==(const Picture&) const = default;

 private:
  std::size_t offset(int x, int y) const { return 4 * (y * static_cast<std::size_t>(width) + x); }
};

inline constexpr std::uint32_t longest_picture = 16384;  ///< pixels per side

/// A PNG, JPEG or WebP file in 8 bits, upright as its EXIF orientation says. 16-bit grey is cut off at 255
/// and CMYK is converted without a profile, as PIL does. Throws Error (input) that names the file: none of
/// these formats, damaged or truncated, larger than 64 MB or longest_picture a side, unpacking to more than
/// its size explains.
Picture read_picture(const std::string& path);
/// The same for a file's bytes; `source` names it in messages.
Picture decode_picture(std::string_view bytes, const std::string& source);

/// The mean of the pixels under each pixel of a smaller picture, so that no side exceeds `maximum`.
Picture scaled_down(Picture picture, int maximum);
/// The part of a picture from (left, top) that lies in it.
Picture cropped(const Picture& picture, int left, int top, int width, int height);

/// Throws Error (input) naming the file if its first bytes are of none of the formats, or are a PNG header
/// with a side above longest_picture. Never blocks on a pipe.
void expect_picture(const std::string& path);
/// Whether its name ends as a picture's: .png, .jpg, .jpeg, .webp.
bool has_picture_name(const std::string& path);

}  // namespace headscope
