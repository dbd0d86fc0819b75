#include "core/base/error.h"

#include "core/base/translate.h"

namespace headscope {

Error::Error(Kind kind, std::string text, std::optional<Counted> counted, std::vector<std::string> args)
    : std::runtime_error(Translator::fill(text, args)),
      kind_(kind),
      text_(std::move(text)),
      counted_(std::move(counted)),
      args_(std::move(args)) {}

Error Error::at(const std::string& place) const {
  std::vector<std::string> args{place};
  args.insert(args.end(), args_.begin(), args_.end());
  return {kind_, "{}: " + text_, counted_, std::move(args)};
}

}  // namespace headscope
