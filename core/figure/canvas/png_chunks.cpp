#include "core/figure/canvas/png_chunks.h"

#include <zlib.h>

#include <cmath>

#include "core/figure/canvas/compress.h"

namespace headscope {

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
  append_png_number(data, static_cast<std::uint32_t>(width));
  append_png_number(data, static_cast<std::uint32_t>(height));
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
