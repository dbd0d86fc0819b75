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
  double most_pixels;  ///< of a side
  std::size_t colors;  ///< of all frames together; 0: any number
};
std::span<const AnimationFormatRow> animation_formats();

struct AnimationLimits {
  static constexpr int least_frames = 2, most_frames = 1000;
  static constexpr int least_milliseconds = 20,
                       most_milliseconds = 10'000;             ///< browsers slow down what is faster
  static constexpr double usual_width = 10, usual_height = 5;  ///< inches; small enough to mail
  static constexpr double most_megapixels = 16;                ///< of a frame
};

/// One picture of many: a scene, and what stands behind the title to tell it from the others.
struct AnimationFrame {
  Scene scene;
  std::string caption;
};

struct Animation {
  int frames = 0;
  int milliseconds = 100;  ///< of a frame; the last one stays a second longer
  /// Any of them, in any order and more than once: the same each time.
  std::function<AnimationFrame(int index)> frame;
  /// Called with how many of how many steps are done; may throw to give up.
  std::function<void(int done, int all)> progress = [](int, int) {};
};

/// Milliseconds for so many frames, of which the whole is neither over at once nor without end.
int usual_milliseconds(int frames);

/// Writes the animation to `path`, whose ending says how, as in animation_formats(). All frames have one
/// page: where `options` leave the height open or ask for a tight page, one that holds every frame. Where
/// colours follow the weights of all heads (Range::shared and logarithm), they follow those of all frames;
/// under Range::head each frame has its own. Frames are drawn as they come, some of them twice: what is held
/// is one and the bytes of the file, which is written whole or not at all. Throws Error: input for another
/// ending or a size out of range, unable as write_file.
void export_animation(const std::string& path, const Animation& animation, const std::string& metadata,
                      const FigureOptions& options);

}  // namespace headscope
