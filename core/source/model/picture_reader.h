#pragma once
#include <mutex>
#include <optional>
#include <string>

#include "core/picture/picture_processor.h"
#include "core/source/model/model_text.h"

namespace headscope {

/// Turns a picture file into what a model reads: its pixels, and a token for each row of the stream.
/// Thread-safe.
class PictureReader {
 public:
  /// With the folder's preprocessor_config.json, or what processor_config.json has of it, or else the
  /// defaults of the model's class in its own size. Throws Error (input) as parse_picture_processor().
  PictureReader(const std::string& folder, const PictureInput& input);

  /// Without tokens for an empty path. Throws Error (input) as read_picture() and prepare_picture(), and for
  /// more patches than Limits::max_tokens.
  ModelText read(const std::string& path) const;
  const PictureProcessor& processor() const { return processor_; }

 private:
  struct Read {
    std::string identity;  // of the file: its path, size and time
    ModelText text;
  };
  PictureInput input_;
  PictureProcessor processor_;
  mutable std::mutex mutex_;
  mutable std::optional<Read> last_;  // interventions run the same picture again and again
};

/// "[CLS]", "[DIST]", "[REG1]" …, and patches by row and column from 1: "r1c1".
std::vector<Token> picture_tokens(const PictureInput& input, Index rows, Index columns);

}  // namespace headscope
