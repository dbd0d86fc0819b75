#pragma once
#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "core/figure/canvas/canvas.h"
#include "core/picture/picture.h"
#include "core/scene/colormap.h"

namespace headscope {

/// What a file of an animation needs before its first frame.
struct AnimationHead {
  int width = 0, height = 0, frames = 0;
  double dpi = 0;
  FigureMetadata metadata;
  std::vector<Rgb> palette;  ///< of formats with one for all frames
};

/// Encodes frames as they arrive, without keeping their pixels; the animation loops forever.
class AnimationWriter {
 public:
  virtual ~AnimationWriter() = default;
  /// Opaque pixels of the declared size, to be shown for this many milliseconds.
  virtual void add(const Picture& frame, int milliseconds) = 0;
  /// The file's bytes; nothing can be added afterwards.
  virtual std::string finish() = 0;
};

std::unique_ptr<AnimationWriter> make_gif_writer(const AnimationHead& head);
std::unique_ptr<AnimationWriter> make_webp_writer(const AnimationHead& head);
std::unique_ptr<AnimationWriter> make_apng_writer(const AnimationHead& head);

/// The part of a frame that differs from the one before.
struct ChangedPart {
  int x = 0, y = 0, width = 0, height = 0;
};
/// Of two pictures of width x height pixels: all of it if there is none before, and a single pixel where
/// nothing differs, since no frame is empty.
template <typename Pixel>
ChangedPart changed_part(const std::vector<Pixel>& before, const std::vector<Pixel>& now, int width,
                         int height) {
  if (before.empty()) return {0, 0, width, height};
  int left = width, right = -1, top = height, bottom = -1;
  for (int y = 0; y < height; ++y) {
    const auto row = static_cast<std::ptrdiff_t>(y) * width;
    int first = 0, last = width - 1;
    while (first < width && before[row + first] == now[row + first]) ++first;
    if (first == width) continue;
    while (before[row + last] == now[row + last]) --last;
    left = std::min(left, first);
    right = std::max(right, last);
    top = std::min(top, y);
    bottom = y;
  }
  if (right < 0) return {0, 0, 1, 1};
  return {left, top, right - left + 1, bottom - top + 1};
}

}  // namespace headscope
