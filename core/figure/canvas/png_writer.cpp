#include "core/figure/canvas/png_writer.h"

#include "core/figure/canvas/compress.h"
#include "core/figure/canvas/png_chunks.h"

namespace headscope {
namespace {

void append_image(std::string& out, std::string_view rows, int level) {
  const std::string data = compressed(rows, level);
  constexpr std::size_t longest = 1U << 30;  // a chunk holds less than 2^31 bytes
  for (std::size_t i = 0; i < data.size(); i += longest)
    append_png_chunk(out, "IDAT", std::string_view(data).substr(i, longest));
  append_png_chunk(out, "IEND", {});
}

}  // namespace

std::string png_from_pixels(const std::uint32_t* pixels, int width, int height, int stride,
                            const PngInfo& info) {
  // Filter 2: each byte minus the one above it. Maps and background are the same from row to row, and zeros
  // deflate fastest.
  const auto row_size = 3 * static_cast<std::size_t>(width) + 1;
  std::string rows(row_size * static_cast<std::size_t>(height), '\0');
  for (int y = 0; y < height; ++y) {
    const std::uint32_t* row = pixels + static_cast<std::ptrdiff_t>(y) * stride;
    const std::uint32_t* above = row - stride;
    char* to = rows.data() + static_cast<std::size_t>(y) * row_size;
    *to++ = 2;
    for (int x = 0; x < width; ++x, to += 3) {
      const std::uint32_t a = row[x], b = y == 0 ? 0 : above[x];
      if (a == b) continue;
      to[0] = static_cast<char>((a >> 16) - (b >> 16));
      to[1] = static_cast<char>((a >> 8) - (b >> 8));
      to[2] = static_cast<char>(a - b);
    }
  }
  std::string out(png_signature);
  append_png_chunk(out, "IHDR", png_header(width, height, PngColor::rgb));
  append_png_info(out, info);
  append_image(out, rows, 1);
  return out;
}

std::string png_from_indices(const std::vector<std::uint8_t>& indices, int width, int height,
                             std::span<const Rgb> palette, int transparent) {
  std::string rows;
  const auto row_size = static_cast<std::size_t>(width);
  rows.reserve((row_size + 1) * static_cast<std::size_t>(height));
  for (std::size_t y = 0; y < static_cast<std::size_t>(height); ++y) {
    rows += '\0';
    rows.append(reinterpret_cast<const char*>(indices.data()) + y * row_size, row_size);
  }
  std::string colors;
  for (const Rgb c : palette)
    colors += {static_cast<char>(c.r), static_cast<char>(c.g), static_cast<char>(c.b)};
  std::string out(png_signature);
  append_png_chunk(out, "IHDR", png_header(width, height, PngColor::palette));
  append_png_chunk(out, "PLTE", colors);
  if (transparent >= 0) {
    std::string alpha(static_cast<std::size_t>(transparent) + 1, '\xff');
    alpha.back() = '\0';
    append_png_chunk(out, "tRNS", alpha);
  }
  append_image(out, rows, 6);
  return out;
}

}  // namespace headscope
