#include "core/picture/decoders.h"

namespace headscope {

int exif_orientation(std::string_view exif) {
  // TIFF 6.0, section 2: the byte order, 42, where the first directory lies; of it a count, then entries of
  // 12 bytes: tag, type, count, and the value where it fits.
  constexpr std::size_t entry_bytes = 12;
  constexpr std::uint32_t orientation_tag = 0x0112;
  const bool little = exif.starts_with("II");
  if (!little && !exif.starts_with("MM")) return 1;
  const auto number = [&](std::size_t at, std::size_t bytes) -> std::uint32_t {
    if (at > exif.size() || bytes > exif.size() - at) return 0;
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < bytes; ++i)
      value = value << 8 | static_cast<std::uint8_t>(exif[at + (little ? bytes - 1 - i : i)]);
    return value;
  };
  const std::size_t directory = number(4, 4);
  if (number(2, 2) != 42 || directory == 0) return 1;
  const std::uint32_t count = number(directory, 2);
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::size_t entry = directory + 2 + i * entry_bytes;
    if (entry > exif.size()) return 1;
    if (number(entry, 2) != orientation_tag) continue;
    const std::uint32_t type = number(entry + 2, 2);
    const std::uint32_t value = number(entry + 8, type == 1 ? 1 : type == 3 ? 2 : 4);
    return value >= 1 && value <= 8 ? static_cast<int>(value) : 1;
  }
  return 1;
}

}  // namespace headscope
