#pragma once
#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/tensor.h"
#include "core/picture/resize.h"

namespace headscope {

/// How a model's picture is prepared: preprocessor_config.json, with the defaults of its class in
/// transformers (models/*/image_processing_*.py). Resized, cropped, rescaled, normalized, in this order.
struct PictureProcessor {
  bool resize = true;
  int shortest_edge = 0;  ///< 0: to `width` and `height`, whatever the picture's own proportions
  int longest_edge = 0;   ///< with `shortest_edge`: if the longer one exceeds this, it is this long; 0: any
  int width = 224, height = 224;
  bool fits = false;                 ///< in its own proportions, as large as `width` and `height` allow
  int most_patches = 0, patch = 16;  ///< in its own proportions, as many patches at most; 0: any
  bool by_edge = false;              ///< a size that is one number is the shortest edge
  Resample resample = Resample::bilinear;
  bool rounds = true;  ///< to 8 bits when resizing
  bool crop = false;   ///< the middle; a smaller picture is surrounded by zeros
  int crop_width = 224, crop_height = 224;
  bool rescale = true;
  double rescale_factor = 1 / 255.0;
  bool normalize = true;
  std::array<float, 3> mean{0.5F, 0.5F, 0.5F}, deviation{0.5F, 0.5F, 0.5F};
};

/// The defaults of a class, such as "ViTImageProcessor"; throws Error (input) for one that is not known.
PictureProcessor default_processor(const std::string& name, const std::string& source);
/// A preprocessor_config.json. A file that does not name its class has the defaults of `name`. Throws Error
/// (input) that names the field, what was found and what was expected.
PictureProcessor parse_picture_processor(std::string_view json, const std::string& source,
                                         const std::string& name);
/// What a processor_config.json, of which other parts are about texts, says of pictures; nothing if it leaves
/// that to preprocessor_config.json.
std::optional<PictureProcessor> parse_nested_processor(std::string_view json, const std::string& source,
                                                       const std::string& name);

struct PreparedPicture {
  Tensor pixels;  ///< [3, height, width], normalized
  Picture shown;  ///< the part of the picture that `pixels` are of, in its own resolution up to 1024 a side
};
/// Throws Error (input), named `source`, if resizing gives too long a side or too many pixels.
PreparedPicture prepare_picture(const PictureProcessor& processor, const Picture& picture,
                                const std::string& source);

}  // namespace headscope
