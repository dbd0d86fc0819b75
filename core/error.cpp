#include "core/error.h"

#include "core/text/translate.h"

namespace headscope {

Error::Error(Kind kind, std::string text, std::vector<std::string> args, int)
    : std::runtime_error(Translator::fill(text, args)), kind_(kind), text_(std::move(text)), args_(std::move(args)) {}

}  // namespace headscope
