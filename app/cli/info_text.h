#pragma once
#include <fmt/format.h>

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "core/base/translate.h"
#include "core/base/utf8.h"

namespace headscope {

/// What `info` prints, one line per item: in English with the words of files and options, which can be typed;
/// in other languages with translated words.
class InfoLines {
 public:
  explicit InfoLines(const Translator& tr) : tr_(tr) {}

  const char* named(const char* word, const char* label) const {
    return tr_.language() == Language::en ? word : tr_(label);
  }
  void line(const std::string& name, const std::string& value) const {
    fmt::print("{:<16} {}\n", printable(name), printable(value));
  }
  void line(const char* word, const char* label, const std::string& value) const {
    line(named(word, label), value);
  }

 protected:
  const Translator& tr_;
};

/// Describes the capture in an array file: as lines, or in `json` if there is one. Returns its
/// irregularities, on one line. Reads the numbers of the first sequences. Throws Error (input) as
/// Capture::open(), and for numbers that are not weights.
std::string describe_capture(const std::string& path, nlohmann::ordered_json* json, const Translator& tr);

}  // namespace headscope
