#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace headscope {

/// zlib's format (RFC 1950); `level` 1 to 9.
std::string compressed(std::string_view bytes, int level);
/// Nothing if it is damaged or would be larger than `limit` bytes.
std::optional<std::string> decompressed(std::string_view bytes, std::size_t limit);

/// RFC 4648, padded, on one line.
std::string to_base64(std::string_view bytes);
/// Nothing if it is not base64.
std::optional<std::string> from_base64(std::string_view text);

}  // namespace headscope
