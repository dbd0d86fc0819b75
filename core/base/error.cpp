#include "core/base/error.h"

#include "core/base/translate.h"

namespace headscope {

Error::Error(Kind kind, std::string text, std::optional<Counted> counted, std::vector<std::string> args)
    : std::runtime_error(Translator::fill(text, args)),
      kind_(kind),
      text_(std::move(text)),
      counted_(std::move(counted)),
      args_(std::move(args)) {}

Error Error::behind(const char* front, std::vector<std::string> places) const {
  places.insert(places.end(), args_.begin(), args_.end());
  return {kind_, front + text_, counted_, std::move(places)};
}

Error Error::at(const std::string& place) const {
  return behind(at_place, {place});
}

Error Error::at_line(const std::string& file, int line) const {
  return behind(at_line_of_file, {file, std::to_string(line)});
}

}  // namespace headscope
