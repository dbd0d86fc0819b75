#pragma once
#include <span>
#include <string_view>

#include "core/scene/colormap.h"

namespace headscope {

/// What a matrix is in the equation, which gives it its colour wherever it stands: in formulas, in the steps
/// of the arithmetic, in lessons.
struct RoleColor {
  const char* name;  ///< in formulas: \color{q}{…}
  Rgb light, dark;   ///< on a light and on a dark background, each readable as text
};
std::span<const RoleColor> role_colors();

/// On that background; nullptr where there is no such role.
const Rgb* find_role_color(std::string_view role, Rgb background);
/// Of a role that there is.
Rgb role_color(std::string_view role, Rgb background);

}  // namespace headscope
