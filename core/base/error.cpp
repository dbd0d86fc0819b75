#include "core/base/error.h"

#include "core/base/translate.h"

namespace headscope {

Error::Error(Kind kind, std::string text, std::vector<std::string> args, int)
    : std::runtime_error(Translator::fill(text, args)),
      kind_(kind),
      text_(std::move(text)),
      args_(std::move(args)) {}

Error Error::at(const std::string& place) const {
  std::vector<std::string> args{place};
  args.insert(args.end(), args_.begin(), args_.end());
  return {kind_, "{}: " + text_, std::move(args), 0};
}

}  // namespace headscope
