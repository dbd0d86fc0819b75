#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "core/figure/canvas/png_writer.h"

namespace headscope {

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
