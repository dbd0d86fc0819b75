#include <webp/encode.h>
#include <webp/mux.h>

#include "core/base/error.h"
#include "core/figure/animation/animation_writer.h"
#include "core/figure/canvas/formats.h"

namespace headscope {
namespace {

[[noreturn]] void webp_failed(const char* what) {
  throw unable_error("the figure cannot be drawn: {}", what);
}

struct DeleteEncoder {
  void operator()(WebPAnimEncoder* encoder) const { WebPAnimEncoderDelete(encoder); }
};

/// Lossless; the library finds what each frame changes.
class WebpWriter : public AnimationWriter {
 public:
  explicit WebpWriter(const AnimationHead& head) : metadata_(head.metadata) {
    WebPAnimEncoderOptions options;
    if (WebPAnimEncoderOptionsInit(&options) == 0) webp_failed("libwebp");
    options.kmin = options.kmax = 0;  // key frames in between would only make it larger
    encoder_.reset(WebPAnimEncoderNew(head.width, head.height, &options));
    constexpr int fast = 2;  // of 0 to 9; more takes many times as long for a few percent
    if (encoder_ == nullptr || WebPConfigInit(&config_) == 0 || WebPConfigLosslessPreset(&config_, fast) == 0)
      webp_failed("libwebp");
  }

  void add(const Picture& frame, int milliseconds) override {
    WebPPicture picture;
    if (WebPPictureInit(&picture) == 0) webp_failed("libwebp");
    picture.use_argb = 1;
    picture.width = frame.width;
    picture.height = frame.height;
    const bool added = WebPPictureImportRGBX(&picture, frame.rgba.data(), 4 * frame.width) != 0 &&
                       WebPAnimEncoderAdd(encoder_.get(), &picture, time_, &config_) != 0;
    WebPPictureFree(&picture);
    if (!added) webp_failed(WebPAnimEncoderGetError(encoder_.get()));
    time_ += milliseconds;
  }

  std::string finish() override {
    WebPData data;
    WebPDataInit(&data);
    const bool assembled = WebPAnimEncoderAdd(encoder_.get(), nullptr, time_, nullptr) != 0 &&
                           WebPAnimEncoderAssemble(encoder_.get(), &data) != 0;
    if (!assembled) webp_failed(WebPAnimEncoderGetError(encoder_.get()));
    std::string bytes = with_xmp(data);
    WebPDataClear(&data);
    return bytes;
  }

 private:
  struct DeleteMux {
    void operator()(WebPMux* mux) const { WebPMuxDelete(mux); }
  };

  std::string with_xmp(const WebPData& animation) const {
    const std::string packet = xmp_packet(metadata_.title, metadata_.session);
    const WebPData xmp{reinterpret_cast<const std::uint8_t*>(packet.data()), packet.size()};
    const std::unique_ptr<WebPMux, DeleteMux> mux(WebPMuxCreate(&animation, 0));
    WebPData data;
    WebPDataInit(&data);
    if (mux == nullptr || WebPMuxSetChunk(mux.get(), "XMP ", &xmp, 0) != WEBP_MUX_OK ||
        WebPMuxAssemble(mux.get(), &data) != WEBP_MUX_OK)
      webp_failed("libwebp");
    std::string bytes(reinterpret_cast<const char*>(data.bytes), data.size);
    WebPDataClear(&data);
    return bytes;
  }

  FigureMetadata metadata_;
  std::unique_ptr<WebPAnimEncoder, DeleteEncoder> encoder_;
  WebPConfig config_;
  int time_ = 0;
};

}  // namespace

std::unique_ptr<AnimationWriter> make_webp_writer(const AnimationHead& head) {
  return std::make_unique<WebpWriter>(head);
}

}  // namespace headscope
