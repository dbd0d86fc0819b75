#pragma once
#include <span>
#include <string_view>

#include "core/scene/colormap.h"

namespace headscope {

/// A matrix's role in the equation, which determines its colour everywhere: in formulas, in the steps of the
/// arithmetic, in lessons.
struct RoleColor {
  const char* name;  ///< in formulas: \color{q}{…}
  Rgb light, dark;   ///< on a light and on a dark background, each readable as text
};
std::span<const RoleColor> role_colors();

/// On that background; nullptr if there is no such role.
const Rgb* find_role_color(std::string_view role, Rgb background);
/// Of an existing role.
Rgb role_color(std::string_view role, Rgb background);

}  // namespace headscope
