#include "core/io/png_header.h"

#include <filesystem>
#include <string_view>

#include "core/base/error.h"
#include "core/io/file.h"

namespace headscope {
namespace {

std::uint32_t big_endian(std::string_view bytes) {
  std::uint32_t value = 0;
  for (const char byte : bytes) value = value << 8 | static_cast<std::uint8_t>(byte);
  return value;
}

}  // namespace

void expect_picture(const std::string& path) {
  // PNG (ISO/IEC 15948), 5.2 and 11.2.2: the signature, then IHDR, which begins with width and height.
  constexpr std::string_view signature = "\x89PNG\r\n\x1a\n";
  constexpr std::size_t width_at = 16, height_at = 20, known = 24;
  std::error_code code;
  const auto kind = std::filesystem::status(path, code).type();
  if (kind != std::filesystem::file_type::regular && kind != std::filesystem::file_type::not_found)
    throw input_error("{}: not a regular file", path);
  const std::string start = read_start(path, known);
  if (start.size() < known || !start.starts_with(signature)) throw input_error("{}: not a PNG picture", path);
  const std::uint32_t width = big_endian(std::string_view(start).substr(width_at, 4)),
                      height = big_endian(std::string_view(start).substr(height_at, 4));
  if (width > longest_picture || height > longest_picture)
    throw input_error("{}: {} × {} pixels; expected at most {} a side", path, width, height, longest_picture);
}

}  // namespace headscope
