#include "core/io/formats.h"

#include <fmt/ranges.h>

#include "core/base/error.h"

namespace headscope {

Error unknown_format(const std::string& path, const std::vector<std::string>& known) {
  const std::string& last = known.back();
  const std::string others = fmt::format("{}", fmt::join(std::span(known).first(known.size() - 1), ", "));
  const std::string end = ending(path);
  if (end.empty()) return input_error("{} has no extension; expected {} or {}", path, others, last);
  return input_error("{} ends in {}; expected {} or {}", path, end, others, last);
}

}  // namespace headscope
