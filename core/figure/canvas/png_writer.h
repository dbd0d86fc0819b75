#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
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

// Chunks and filters as in "Portable Network Graphics (PNG) Specification", W3C.

enum class PngColor : char { rgb = 2, palette = 3, rgba = 6 };

/// As four bytes, the highest first.
void append_png_number(std::string& out, std::uint32_t value);
/// With its length in front and its check sum behind.
void append_png_chunk(std::string& out, std::string_view type, std::string_view data);
/// The data of IHDR: 8 bits, deflate, adaptive filters, not interlaced.
std::string png_header(int width, int height, PngColor color);
void append_png_info(std::string& out, const PngInfo& info);

}  // namespace headscope
