#include <webp/decode.h>

#include "core/base/error.h"
#include "core/picture/decoders.h"

namespace headscope {
namespace {

/// The data of a chunk of a RIFF file (WebP container specification), padded to even sizes; empty if missing.
std::string_view riff_chunk(std::string_view riff, std::string_view name) {
  constexpr std::size_t file_header = 12, chunk_header = 8;
  for (std::size_t at = file_header; at + chunk_header <= riff.size();) {
    std::size_t size = 0;
    for (std::size_t i = 0; i < 4; ++i)
      size |= std::size_t{static_cast<std::uint8_t>(riff[at + 4 + i])} << 8 * i;
    const std::string_view data = riff.substr(at + chunk_header);
    if (size > data.size()) return {};
    if (riff.substr(at, 4) == name) return data.substr(0, size);
    at += chunk_header + size + size % 2;
  }
  return {};
}

const char* webp_reason(VP8StatusCode status) {
  return status == VP8_STATUS_NOT_ENOUGH_DATA ? "it ends early" : "not as the format has it";
}

}  // namespace

DecodedPicture decode_webp(std::string_view bytes, const std::string& source) {
  const auto* const data = reinterpret_cast<const std::uint8_t*>(bytes.data());
  WebPDecoderConfig config;
  if (WebPInitDecoderConfig(&config) == 0) throw unable_error("{}: cannot be read: {}", source, "libwebp");
  if (const VP8StatusCode status = WebPGetFeatures(data, bytes.size(), &config.input);
      status != VP8_STATUS_OK)
    throw input_error("{}: damaged: {}", source, webp_reason(status));
  if (config.input.has_animation != 0) throw input_error("{}: an animation; expected one picture", source);
  DecodedPicture decoded{empty_picture(static_cast<std::uint64_t>(config.input.width),
                                       static_cast<std::uint64_t>(config.input.height), bytes, source)};
  config.output.colorspace = MODE_RGBA;
  config.output.is_external_memory = 1;
  config.output.u.RGBA = {decoded.picture.rgba.data(), 4 * decoded.picture.width,
                          decoded.picture.rgba.size()};
  if (const VP8StatusCode status = WebPDecode(data, bytes.size(), &config); status != VP8_STATUS_OK)
    throw input_error("{}: damaged: {}", source, webp_reason(status));
  std::string_view exif = riff_chunk(bytes, "EXIF");
  constexpr std::string_view begin("Exif\0\0", 6);  // which some programs write here, too
  if (exif.starts_with(begin)) exif.remove_prefix(begin.size());
  decoded.orientation = exif_orientation(exif);
  return decoded;
}

}  // namespace headscope
