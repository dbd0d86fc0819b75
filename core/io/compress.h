#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "core/base/budget.h"

namespace headscope {

/// zlib's format (RFC 1950); `level` 1 to 9.
std::string compressed(std::string_view bytes, int level);
/// Nothing if it is damaged. Charges the output, also of damaged input, and throws if that is more than the
/// budget has left. `consumed`: how many of the bytes were read.
std::optional<std::string> decompressed(std::string_view bytes, Budget& budget, std::size_t& consumed);

/// Raw deflate (RFC 1951), as small as it gets, and back; nothing if it is damaged.
std::string deflated(std::string_view bytes);
std::optional<std::string> inflated(std::string_view bytes, Budget& budget);

/// RFC 4648, padded, on one line.
std::string to_base64(std::string_view bytes);
/// Nothing if it is not base64.
std::optional<std::string> from_base64(std::string_view text);

}  // namespace headscope
