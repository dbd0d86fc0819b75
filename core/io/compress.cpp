#include "core/io/compress.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <new>

namespace headscope {
namespace {

constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

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
  z_stream stream{};
  if (deflateInit(&stream, level) != Z_OK) throw std::bad_alloc();
  std::string result(deflateBound(&stream, static_cast<uLong>(bytes.size())), '\0');
  std::size_t read = 0, written = 0;
  int status = Z_OK;
  while (status == Z_OK) {
    const uInt in = portion(bytes.size() - read), out = portion(result.size() - written);
    stream.next_in = bytes_of(bytes) + read;
    stream.avail_in = in;
    stream.next_out = bytes_of(result) + written;
    stream.avail_out = out;
    status = deflate(&stream, read + in == bytes.size() ? Z_FINISH : Z_NO_FLUSH);
    read += in - stream.avail_in;
    written += out - stream.avail_out;
  }
  deflateEnd(&stream);
  result.resize(written);
  return result;
}

std::optional<std::string> decompressed(std::string_view bytes, Budget& budget, std::size_t& consumed) {
  constexpr std::size_t copies = 2;  // while it grows
  z_stream stream{};
  if (inflateInit(&stream) != Z_OK) throw std::bad_alloc();
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

std::string to_base64(std::string_view bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
    unsigned bits = 0;
    for (std::size_t k = 0; k < 3; ++k)
      bits = bits << 8 | (k < count ? static_cast<unsigned char>(bytes[i + k]) : 0U);
    for (std::size_t k = 0; k < 4; ++k) text += k <= count ? alphabet[bits >> (18 - 6 * k) & 63U] : '=';
  }
  return text;
}

std::optional<std::string> from_base64(std::string_view text) {
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3);
  std::uint32_t bits = 0;
  int count = 0;
  if (text.size() % 4 != 0) return {};
  const std::size_t end = text.find_last_not_of('=') + 1;
  if (text.size() - end > 2) return {};
  for (const char c : text.substr(0, end)) {
    const int digit = c >= 'A' && c <= 'Z'   ? c - 'A'
                      : c >= 'a' && c <= 'z' ? c - 'a' + 26
                      : c >= '0' && c <= '9' ? c - '0' + 52
                      : c == '+'             ? 62
                      : c == '/'             ? 63
                                             : -1;
    if (digit < 0) return {};
    bits = bits << 6 | static_cast<std::uint32_t>(digit);
    if (++count % 4 == 1) continue;
    const int left = 6 - 2 * ((count - 1) % 4);
    bytes += static_cast<char>(bits >> left & 0xFFU);
  }
  return bytes;
}

}  // namespace headscope
