#include <gif_lib.h>

#include <algorithm>
#include <limits>
#include <unordered_map>

#include "core/base/error.h"
#include "core/figure/animation/animation_writer.h"
#include "core/figure/canvas/formats.h"

namespace headscope {
namespace {

// No exception may pass through C: fewer bytes than were given are a failure.
int append_gif_bytes(GifFileType* gif, const GifByteType* bytes, int size) try {
  static_cast<std::string*>(gif->UserData)->append(reinterpret_cast<const char*>(bytes), size);
  return size;
} catch (const std::exception&) {
  return 0;
}

struct CloseGif {
  void operator()(GifFileType* gif) const { EGifCloseFile(gif, nullptr); }
};

/// GIF89a with one palette for all frames. Pixels that a frame does not change are not painted.
class GifWriter : public AnimationWriter {
 public:
  explicit GifWriter(const AnimationHead& head)
      : width_(head.width), height_(head.height), palette_(head.palette) {
    int error = 0;
    gif_.reset(EGifOpen(&bytes_, append_gif_bytes, &error));
    if (gif_ == nullptr) fail(error);
    EGifSetGifVersion(gif_.get(), true);
    GifColorType colors[max_colors] = {};
    for (std::size_t i = 0; i < palette_.size(); ++i)
      colors[i] = {palette_[i].r, palette_[i].g, palette_[i].b};
    ColorMapObject* map = GifMakeMapObject(max_colors, colors);
    if (map == nullptr) fail(E_GIF_ERR_NOT_ENOUGH_MEM);
    const int put = EGifPutScreenDesc(gif_.get(), width_, height_, 8, 0, map);
    GifFreeMapObject(map);
    check(put);
    constexpr GifByteType for_ever[] = {1, 0, 0};
    check(EGifPutExtensionLeader(gif_.get(), APPLICATION_EXT_FUNC_CODE));
    check(EGifPutExtensionBlock(gif_.get(), 11, "NETSCAPE2.0"));
    check(EGifPutExtensionBlock(gif_.get(), sizeof for_ever, for_ever));
    check(EGifPutExtensionTrailer(gif_.get()));
    append_xmp(head.metadata);
  }
  void add(const Picture& frame, int milliseconds) override {
    std::vector<GifByteType> now(frame.rgba.size() / 4);
    for (std::size_t i = 0; i < now.size(); ++i) now[i] = index_of(&frame.rgba[4 * i]);
    const bool first = before_.empty();
    const ChangedPart part = changed_part(before_, now, width_, height_);
    const GraphicsControlBlock control{DISPOSE_DO_NOT, false, (milliseconds + 5) / 10,
                                       first ? NO_TRANSPARENT_COLOR : transparent};
    GifByteType packed[4];
    EGifGCBToExtension(&control, packed);
    check(EGifPutExtension(gif_.get(), GRAPHICS_EXT_FUNC_CODE, sizeof packed, packed));
    check(EGifPutImageDesc(gif_.get(), part.x, part.y, part.width, part.height, false, nullptr));
    std::vector<GifPixelType> row(part.width);
    for (int y = part.y; y < part.y + part.height; ++y) {
      const std::size_t begin = y * static_cast<std::size_t>(width_) + part.x;
      for (std::size_t x = 0; x < row.size(); ++x)
        row[x] = !first && now[begin + x] == before_[begin + x] ? transparent : now[begin + x];
      check(EGifPutLine(gif_.get(), row.data(), part.width));
    }
    before_ = std::move(now);
  }

  std::string finish() override {
    int error = 0;
    const int closed = EGifCloseFile(gif_.release(), &error);
    if (closed != GIF_OK) fail(error);
    return std::move(bytes_);
  }

 private:
  static constexpr int max_colors = 256, transparent = max_colors - 1;

  [[noreturn]] static void fail(int error) {
    const char* text = GifErrorString(error);
    throw unable_error("the figure cannot be drawn: {}", text == nullptr ? "giflib" : text);
  }
  void check(int result) const {
    if (result != GIF_OK) fail(gif_->Error);
  }

  /// As in "XMP Specification Part 3": the packet as is, not in blocks, followed by bytes that lead readers
  /// who take its letters for block lengths to the end from any position.
  void append_xmp(const FigureMetadata& metadata) {
    bytes_ += "\x21\xff\x0bXMP DataXMP" + xmp_packet(metadata.title, metadata.session) + '\1';
    for (int length = 255; length >= 0; --length) bytes_ += static_cast<char>(length);
    bytes_ += '\0';
  }

  /// The nearest colour. No dithering: it would flicker from frame to frame.
  GifByteType index_of(const std::uint8_t* rgb) {
    const std::uint32_t key = rgb[0] << 16 | rgb[1] << 8 | rgb[2];
    const auto [found, added] = nearest_.try_emplace(key);
    if (!added) return found->second;
    int minimum = std::numeric_limits<int>::max();
    for (std::size_t i = 0; i < palette_.size(); ++i) {
      const int r = palette_[i].r - rgb[0], g = palette_[i].g - rgb[1], b = palette_[i].b - rgb[2];
      const int distance = 2 * r * r + 4 * g * g + 3 * b * b;  // roughly by the eye's sensitivity
      if (distance >= minimum) continue;
      minimum = distance;
      found->second = static_cast<GifByteType>(i);
    }
    return found->second;
  }

  int width_, height_;
  std::vector<Rgb> palette_;
  std::unordered_map<std::uint32_t, GifByteType> nearest_;
  std::vector<GifByteType> before_;
  std::string bytes_;
  std::unique_ptr<GifFileType, CloseGif> gif_;  // last: its end is written into bytes_
};

}  // namespace

std::unique_ptr<AnimationWriter> make_gif_writer(const AnimationHead& head) {
  return std::make_unique<GifWriter>(head);
}

}  // namespace headscope
