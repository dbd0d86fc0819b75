#include "core/io/compress.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <new>
#include <utility>

namespace headscope {
namespace {

Bytef* bytes_of(std::string& text) {
  return reinterpret_cast<Bytef*>(text.data());
}
// zlib takes its input through a pointer to non-const, but doesn't write to it.
Bytef* bytes_of(std::string_view text) {
  return reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
}

/// zlib counts the remaining bytes in 32 bits.
uInt portion(std::size_t left) {
  return static_cast<uInt>(std::min<std::size_t>(left, std::numeric_limits<uInt>::max() / 2));
}

}  // namespace

std::string compressed(std::string_view bytes, int level) {
  uLong size = compressBound(static_cast<uLong>(bytes.size()));
  std::string result(size, '\0');
  if (compress2(bytes_of(result), &size, bytes_of(bytes), static_cast<uLong>(bytes.size()), level) != Z_OK)
    throw std::bad_alloc();
  result.resize(size);
  return result;
}

namespace {

// zlib's names for its two formats: negative, there is neither a header nor a check sum.
constexpr int zlib_format = MAX_WBITS, raw_format = -MAX_WBITS;

std::optional<std::string> unpacked(std::string_view bytes, int format, Budget& budget,
                                    std::size_t& consumed) {
  constexpr std::size_t copies = 2;  // while it grows
  z_stream stream{};
  if (inflateInit2(&stream, format) != Z_OK) throw std::bad_alloc();
  const std::unique_ptr<z_stream, int (*)(z_stream*)> end(&stream, inflateEnd);
  std::string result;
  std::array<char, 1 << 16> buffer;
  consumed = 0;
  for (int status = Z_OK; status == Z_OK;) {
    const uInt in = portion(bytes.size() - consumed);
    stream.next_in = bytes_of(bytes) + consumed;
    stream.avail_in = in;
    stream.next_out = reinterpret_cast<Bytef*>(buffer.data());
    stream.avail_out = static_cast<uInt>(buffer.size());
    status = inflate(&stream, Z_NO_FLUSH);
    consumed += in - stream.avail_in;
    const std::size_t made = buffer.size() - stream.avail_out;
    budget.charge(copies, made);
    result.append(buffer.data(), made);
    if (status == Z_STREAM_END) return result;
  }
  return {};  // damaged or cut off
}

}  // namespace

std::optional<std::string> decompressed(std::string_view bytes, Budget& budget, std::size_t& consumed) {
  return unpacked(bytes, zlib_format, budget, consumed);
}

std::optional<std::string> inflated(std::string_view bytes, Budget& budget) {
  std::size_t consumed = 0;
  auto text = unpacked(bytes, raw_format, budget, consumed);
  return consumed == bytes.size() ? std::move(text) : std::nullopt;
}

std::string deflated(std::string_view bytes) {
  // What is between zlib's header and its check sum.
  constexpr std::size_t header = 2, check_sum = 4;
  const std::string packed = compressed(bytes, Z_BEST_COMPRESSION);
  return packed.substr(header, packed.size() - header - check_sum);
}

namespace {

constexpr std::string_view base64_digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

}  // namespace

std::string to_base64(std::string_view bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const auto byte = [&](std::size_t at) {
      return at < bytes.size() ? static_cast<unsigned char>(bytes[at]) : 0U;
    };
    const unsigned three = byte(i) << 16 | byte(i + 1) << 8 | byte(i + 2);
    const std::size_t digits = std::min<std::size_t>(bytes.size() - i, 3) + 1;
    for (std::size_t digit = 0; digit < 4; ++digit)
      text += digit < digits ? base64_digits[three >> (18 - 6 * digit) & 0x3F] : '=';
  }
  return text;
}

std::optional<std::string> from_base64(std::string_view text) {
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3);
  unsigned bits = 0;
  int count = 0;  // of bits that are not yet a byte
  for (const char c : text.substr(0, text.find('='))) {
    const std::size_t digit = base64_digits.find(c);
    if (digit == std::string_view::npos) return {};
    bits = bits << 6 | static_cast<unsigned>(digit);
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes += static_cast<char>(bits >> count & 0xFF);
  }
  // Wrong padding, and bits that belong to no byte.
  return to_base64(bytes) == text ? std::optional(std::move(bytes)) : std::nullopt;
}

}  // namespace headscope
