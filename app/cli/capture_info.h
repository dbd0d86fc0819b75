#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/translate.h"
#include "core/source/capture/capture_source.h"

namespace headscope {

/// What `info` prints about a capture.
class CaptureInfo {
 public:
  /// Reads the numbers of the first sequences. Throws Error (input) as Capture::open(), and for numbers that
  /// are not weights.
  explicit CaptureInfo(const std::string& path);

  void print(const Translator& tr) const;
  std::string json(const Translator& tr) const;
  /// The capture's irregularities, on one line.
  std::string notes(const Translator& tr) const;

 private:
  std::shared_ptr<const CaptureSource> source_;
  std::vector<Error> notes_;
};

}  // namespace headscope
