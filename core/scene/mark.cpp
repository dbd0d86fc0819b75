#include "core/scene/mark.h"

#include "core/base/utf8.h"

namespace headscope {

std::span<const EnumName<MarkKind>> enum_names(MarkKind) {
  static constexpr EnumName<MarkKind> names[] = {{MarkKind::box, "box"}, {MarkKind::arrow, "arrow"}};
  return names;
}

std::string_view fitting_mark_text(std::string_view text) {
  std::size_t end = 0;
  for (std::size_t n = 0; n < Mark::max_text && end < text.size(); ++n) next_code_point(text, end);
  return text.substr(0, end);
}

}  // namespace headscope
