#include "core/figure/canvas/png_writer.h"

#include <zlib.h>

#include <cmath>

#include "core/io/compress.h"

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
  std::string rows(row_size * height, '\0');
  for (int y = 0; y < height; ++y) {
    const std::uint32_t* row = pixels + static_cast<std::ptrdiff_t>(y) * stride;
    const std::uint32_t* above = row - stride;
    char* to = rows.data() + y * row_size;
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
  const std::size_t row_size = width;
  rows.reserve((row_size + 1) * height);
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

void append_png_number(std::string& out, std::uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8) out += static_cast<char>(value >> shift & 255U);
}

void append_png_chunk(std::string& out, std::string_view type, std::string_view data) {
  append_png_number(out, static_cast<std::uint32_t>(data.size()));
  const std::size_t begin = out.size();
  out += type;
  out += data;
  const auto* checked = reinterpret_cast<const Bytef*>(out.data() + begin);
  append_png_number(out, static_cast<std::uint32_t>(crc32_z(0, checked, out.size() - begin)));
}

std::string png_header(int width, int height, PngColor color) {
  std::string data;
  append_png_number(data, width);
  append_png_number(data, height);
  data += {8, static_cast<char>(color), 0, 0, 0};  // 8 bits, deflate, adaptive filters, not interlaced
  return data;
}

void append_png_info(std::string& out, const PngInfo& info) {
  if (info.dpi > 0) {
    const auto per_metre = static_cast<std::uint32_t>(std::lround(info.dpi / 0.0254));
    std::string data;
    append_png_number(data, per_metre);
    append_png_number(data, per_metre);
    data += '\1';
    append_png_chunk(out, "pHYs", data);
  }
  for (const auto& [keyword, text] : info.texts) {
    constexpr std::size_t worth_compressing = 1024;
    const bool compress = text.size() > worth_compressing;
    std::string data = keyword;
    data += '\0';
    data += compress ? '\1' : '\0';
    data += std::string(3, '\0');  // zlib; no language; no translated keyword
    data += compress ? compressed(text, 6) : text;
    append_png_chunk(out, "iTXt", data);
  }
}

}  // namespace headscope
