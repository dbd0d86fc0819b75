#pragma once
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "core/figure/figure.h"

namespace headscope {

class AnimationWriter;
struct AnimationHead;

/// A kind of file that animations are written as.
struct AnimationFormatRow {
  const char* ending;  ///< ".gif"
  const char* name;    ///< the same in all languages
  std::unique_ptr<AnimationWriter> (*make_writer)(const AnimationHead& head);
  double max_pixels;   ///< of a side
  std::size_t colors;  ///< of all frames together; 0: no limit
};
std::span<const AnimationFormatRow> animation_formats();

struct AnimationLimits {
  static constexpr int min_frames = 2, max_frames = 1000;
  static constexpr int min_milliseconds = 20,
                       max_milliseconds = 10'000;              ///< browsers slow down anything faster
  static constexpr double usual_width = 10, usual_height = 5;  ///< inches; small enough to mail
  static constexpr double max_megapixels = 16;                 ///< of a frame
};

/// One frame: a scene, and a suffix for the title that distinguishes it from the others.
struct AnimationFrame {
  Scene scene;
  std::string caption;
};

struct Animation {
  int frames = 0;
  int milliseconds = 100;  ///< of a frame; the last one is shown a second longer
  /// Returns any frame, in any order and more than once: the same each time.
  std::function<AnimationFrame(int index)> frame;
  /// Called with the number of steps done and of all steps; may throw to cancel.
  std::function<void(int done, int all)> progress = [](int, int) {};
};

/// A frame duration at which an animation of this many frames is neither over at once nor endless.
int usual_milliseconds(int frames);

/// Writes the animation to `path` in the format of its extension, see animation_formats(). All frames have
/// the same page: if `options` leave the height open or request a tight page, one that contains every frame.
/// Where colours follow the weights of all heads (Range::shared and logarithm), they follow those of all
/// frames; under Range::head each frame has its own. Frames are drawn one at a time, some of them twice: only
/// one and the bytes of the file are in memory. The file is written whole or not at all. Throws Error: input
/// for another extension or a size out of range, unable as write_file.
void export_animation(const std::string& path, const Animation& animation, const std::string& metadata,
                      const FigureOptions& options);

}  // namespace headscope
