#include "core/scene/mark.h"

namespace headscope {

std::span<const EnumName<MarkKind>> enum_names(MarkKind) {
  static constexpr EnumName<MarkKind> names[] = {{MarkKind::box, "box"}, {MarkKind::arrow, "arrow"}};
  return names;
}

}  // namespace headscope
