#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/scene/colormap.h"

namespace headscope {

/// Metadata of a PNG.
struct PngInfo {
  double dpi = 0;  ///< 0: not written
  std::vector<std::pair<std::string, std::string>>
      texts;  ///< keyword (Latin-1, 1 to 79 bytes) and UTF-8 text
};

/// A PNG of width x height pixels 0x00RRGGBB, `stride` pixels from row to row. Compressed for speed: figures
/// are flat.
std::string png_from_pixels(const std::uint32_t* pixels, int width, int height, int stride,
                            const PngInfo& info);

/// A PNG of palette indices, row by row; `palette[transparent]` is not painted (-1: all are).
std::string png_from_indices(const std::vector<std::uint8_t>& indices, int width, int height,
                             std::span<const Rgb> palette, int transparent);

inline constexpr std::string_view png_signature{"\x89PNG\r\n\x1a\n", 8};

}  // namespace headscope
