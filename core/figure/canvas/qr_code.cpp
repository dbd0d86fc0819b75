#include "core/figure/canvas/qr_code.h"

#include <fmt/format.h>
#include <qrencode.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <new>
#include <span>

#include "core/base/error.h"
#include "core/figure/canvas/png_writer.h"
#include "core/io/formats.h"

namespace headscope {
namespace {

constexpr std::size_t most = 2953;  // bytes in version 40 with error correction L

std::unique_ptr<QRcode, void (*)(QRcode*)> encoded(const std::string& text, QRecLevel level) {
  constexpr int smallest_version = 0;
  const auto* const bytes = reinterpret_cast<const unsigned char*>(text.data());
  const int count = static_cast<int>(text.size());
  std::unique_ptr<QRcode, void (*)(QRcode*)> code(QRcode_encodeData(count, bytes, smallest_version, level),
                                                  QRcode_free);
  if (!code && errno == ENOMEM) throw std::bad_alloc();
  return code;
}

/// Calls draw(x, y) for each dark module, counted from the corner of the quiet zone.
template <typename Draw>
void for_each_dark(const QrCode& code, const Draw& draw) {
  for (int y = 0; y < code.size; ++y)
    for (int x = 0; x < code.size; ++x)
      if (code.is_dark(x, y)) draw(x + QrCode::quiet, y + QrCode::quiet);
}

std::string as_svg(const QrCode& code) {
  const int side = code.size + 2 * QrCode::quiet;
  std::string path;
  for_each_dark(code, [&](int x, int y) { path += fmt::format("M{} {}h1v1h-1z", x, y); });
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}mm\" height=\"{0}mm\" viewBox=\"0 0 {0} {0}\" "
      "shape-rendering=\"crispEdges\"><path fill=\"#fff\" d=\"M0 0h{0}v{0}h-{0}z\"/><path "
      "d=\"{1}\"/></svg>\n",
      side, path);
}

std::string as_png(const QrCode& code) {
  constexpr int least = 1200;  // pixels: for a projector, and for paper
  const int side = code.size + 2 * QrCode::quiet, scale = (least + side - 1) / side, width = scale * side;
  constexpr std::uint32_t white = 0xFFFFFF, black = 0;
  std::vector<std::uint32_t> pixels(width * width, white);
  for_each_dark(code, [&](int x, int y) {
    for (int row = y * scale; row < (y + 1) * scale; ++row)
      std::fill_n(pixels.begin() + row * width + x * scale, scale, black);
  });
  return png_from_pixels(pixels.data(), width, width, width, {});
}

struct Format {
  const char* ending;
  std::string (*write)(const QrCode& code);
};
constexpr Format all_formats[] = {{".svg", as_svg}, {".png", as_png}};
constexpr std::span<const Format> formats = all_formats;

}  // namespace

QrCode qr_code(const std::string& text) {
  if (text.size() > most)
    throw input_error("bytes in the link: {}; a QR code holds at most {}", text.size(), most);
  auto code = encoded(text, QR_ECLEVEL_M);
  if (!code) code = encoded(text, QR_ECLEVEL_L);
  if (!code) throw unable_error("the QR code could not be made");
  QrCode made{code->width};
  for (int i = 0; i < code->width * code->width; ++i) made.modules.push_back((code->data[i] & 1) != 0);
  return made;
}

const std::vector<std::string>& qr_endings() {
  static const std::vector<std::string> all = endings(formats);
  return all;
}

std::string qr_file(const QrCode& code, const std::string& path) {
  return expect_format(formats, path).write(code);
}

}  // namespace headscope
