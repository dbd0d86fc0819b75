#include <algorithm>
#include <span>

#include "core/figure/animation/animation_writer.h"
#include "core/figure/canvas/formats.h"
#include "core/figure/canvas/png_writer.h"
#include "core/io/compress.h"

namespace headscope {
namespace {

/// "Animated PNG graphics" of the PNG Specification (Third Edition), W3C: each frame's changed part in
/// separate chunks, numbered in one sequence; viewers without support show the first frame.
class ApngWriter : public AnimationWriter {
 public:
  explicit ApngWriter(const AnimationHead& head) : width_(head.width), height_(head.height) {
    bytes_ = png_signature;
    append_png_chunk(bytes_, "IHDR", png_header(width_, height_, PngColor::rgba));
    PngInfo info{head.dpi, {{"Title", head.metadata.title}, {"Software", "Headscope"}}};
    if (!head.metadata.session.empty()) info.texts.emplace_back(png_session_keyword, head.metadata.session);
    append_png_info(bytes_, info);
    std::string control;
    append_png_number(control, head.frames);
    append_png_number(control, 0);  // loops forever
    append_png_chunk(bytes_, "acTL", control);
  }

  void add(const Picture& frame, int milliseconds) override {
    std::vector<std::uint32_t> now(frame.rgba.size() / 4);
    for (std::size_t i = 0; i < now.size(); ++i)
      for (std::size_t byte = 0; byte < 4; ++byte) now[i] = now[i] << 8 | frame.rgba[4 * i + byte];
    const bool first = before_.empty();
    const ChangedPart part = changed_part(before_, now, width_, height_);
    append_control(part, milliseconds);
    const std::string data = compressed(filtered(now, part), 9);
    if (first) {
      append_png_chunk(bytes_, "IDAT", data);
    } else {
      std::string numbered;
      append_png_number(numbered, sequence_++);
      append_png_chunk(bytes_, "fdAT", numbered + data);
    }
    before_ = std::move(now);
  }

  std::string finish() override {
    append_png_chunk(bytes_, "IEND", {});
    return std::move(bytes_);
  }

 private:
  void append_control(const ChangedPart& part, int milliseconds) {
    std::string control;
    append_png_number(control, sequence_++);
    for (const int value : {part.width, part.height, part.x, part.y}) append_png_number(control, value);
    append_png_number(control, static_cast<std::uint32_t>(milliseconds) << 16 | 1000U);  // a fraction
    control += {'\0', '\1'};  // kept for the next frame, which is drawn over it
    append_png_chunk(bytes_, "fcTL", control);
  }

  /// The part's pixels, transparent where nothing changes, so that most of it is one colour; each byte minus
  /// the one above it, as in png_from_pixels().
  std::string filtered(const std::vector<std::uint32_t>& now, const ChangedPart& part) const {
    const std::size_t width = part.width;
    std::string rows((4 * width + 1) * part.height, '\0');
    std::vector<std::uint32_t> above(width), row(width);
    char* to = rows.data();
    for (int y = part.y; y < part.y + part.height; ++y) {
      const std::size_t begin = y * static_cast<std::size_t>(width_) + part.x;
      for (std::size_t x = 0; x < width; ++x)
        row[x] = !before_.empty() && before_[begin + x] == now[begin + x] ? 0 : now[begin + x];
      *to++ = 2;
      for (std::size_t x = 0; x < width; ++x)
        for (const unsigned shift : {24U, 16U, 8U, 0U})
          *to++ = static_cast<char>((row[x] >> shift) - (above[x] >> shift));
      std::swap(row, above);
    }
    return rows;
  }

  int width_, height_;
  std::uint32_t sequence_ = 0;
  std::vector<std::uint32_t> before_;
  std::string bytes_;
};

}  // namespace

std::unique_ptr<AnimationWriter> make_apng_writer(const AnimationHead& head) {
  return std::make_unique<ApngWriter>(head);
}

}  // namespace headscope
