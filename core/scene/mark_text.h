#pragma once
#include <string_view>

#include "core/base/utf8.h"
#include "core/scene/mark.h"

namespace headscope {

/// As much of a text as a mark can have.
inline std::string_view fitting_mark_text(std::string_view text) {
  std::size_t end = 0;
  for (std::size_t n = 0; n < Mark::max_text && end < text.size(); ++n) next_code_point(text, end);
  return text.substr(0, end);
}

}  // namespace headscope
