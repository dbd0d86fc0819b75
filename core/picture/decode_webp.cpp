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

/// One picture of a file, and where it lies on the file's canvas.
struct WebpFrame {
  std::string_view data;
  int x = 0, y = 0;
};

/// The first picture of an animation: the chunk ANMF, with its place before its own chunks.
WebpFrame first_frame(std::string_view bytes, const std::string& source) {
  constexpr std::size_t header = 16;
  const std::string_view chunk = riff_chunk(bytes, "ANMF");
  if (chunk.size() <= header) throw input_error("{}: damaged: {}", source, "it ends early");
  const auto place = [&](std::size_t at) {
    int value = 0;
    for (std::size_t i = 0; i < 3; ++i) value |= int{static_cast<std::uint8_t>(chunk[at + i])} << 8 * i;
    return 2 * value;
  };
  return {chunk.substr(header), place(0), place(3)};
}

/// Throws Error (input) for one that is not on the canvas.
void decode_frame(const WebpFrame& frame, WebPDecoderConfig& config, Picture& canvas,
                  const std::string& source) {
  const auto* const data = reinterpret_cast<const std::uint8_t*>(frame.data.data());
  if (const VP8StatusCode status = WebPGetFeatures(data, frame.data.size(), &config.input);
      status != VP8_STATUS_OK)
    throw input_error("{}: damaged: {}", source, webp_reason(status));
  if (frame.x + config.input.width > canvas.width || frame.y + config.input.height > canvas.height)
    throw input_error("{}: damaged: {}", source, "its first picture is larger than the whole");
  config.output.colorspace = MODE_RGBA;
  config.output.is_external_memory = 1;
  const std::size_t before = canvas.at(frame.x, frame.y) - canvas.rgba.data();
  config.output.u.RGBA = {canvas.rgba.data() + before, 4 * canvas.width, canvas.rgba.size() - before};
  if (const VP8StatusCode status = WebPDecode(data, frame.data.size(), &config); status != VP8_STATUS_OK)
    throw input_error("{}: damaged: {}", source, webp_reason(status));
}

}  // namespace

DecodedPicture decode_webp(std::string_view bytes, const std::string& source) {
  const auto* const data = reinterpret_cast<const std::uint8_t*>(bytes.data());
  WebPDecoderConfig config;
  if (WebPInitDecoderConfig(&config) == 0) throw unable_error("{}: cannot be read: {}", source, "libwebp");
  if (const VP8StatusCode status = WebPGetFeatures(data, bytes.size(), &config.input);
      status != VP8_STATUS_OK)
    throw input_error("{}: damaged: {}", source, webp_reason(status));
  DecodedPicture decoded{empty_picture(config.input.width, config.input.height, bytes, source)};
  const bool moves = config.input.has_animation != 0;
  decode_frame(moves ? first_frame(bytes, source) : WebpFrame{bytes}, config, decoded.picture, source);
  std::string_view exif = riff_chunk(bytes, "EXIF");
  constexpr std::string_view begin("Exif\0\0", 6);  // which some programs write here, too
  if (exif.starts_with(begin)) exif.remove_prefix(begin.size());
  decoded.orientation = exif_orientation(exif);
  return decoded;
}

}  // namespace headscope
