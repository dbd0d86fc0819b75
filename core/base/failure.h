#pragma once
#include <string>

#include "core/base/error.h"

namespace headscope {

/// Why the current exception was thrown, for code that did not expect it: English with a `{}` for the detail.
struct Reason {
  std::string text, detail;
};
Reason handled_reason();

/// The current exception as an Error for the user: an Error unchanged, any other as what failed and why: "the
/// run failed: not enough memory". `what` is an English text that ends in ": ", with a `{}` for each
/// argument, and is translated separately from the reason.
template <typename... Args>
Error handled_error(const std::string& what, const Args&... about) {
  try {
    throw;
  } catch (const Error& error) {
    return error;
  } catch (...) {
    const Reason reason = handled_reason();
    return unable_error(what + reason.text, about..., reason.detail);
  }
}

}  // namespace headscope
