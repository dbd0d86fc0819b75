#include "core/figure/boards/role_colors.h"

#include <algorithm>
#include <cassert>

namespace headscope {
namespace {

constexpr RoleColor roles[] = {
    {"x", {0x4d, 0x5a, 0x6b}, {0xb9, 0xc4, 0xd3}},  // what a layer reads
    {"q", {0x1f, 0x5f, 0xbf}, {0x82, 0xb4, 0xff}},  // queries
    {"k", {0xb0, 0x45, 0x0c}, {0xff, 0xa0, 0x66}},  // keys
    {"v", {0x17, 0x7a, 0x46}, {0x6f, 0xd3, 0x9a}},  // values
    {"s", {0x86, 0x3b, 0x9e}, {0xd0, 0x9f, 0xe8}},  // scores
    {"w", {0x8f, 0x62, 0x00}, {0xe8, 0xc1, 0x5a}},  // weights
    {"c", {0x0c, 0x74, 0x82}, {0x5c, 0xcf, 0xdc}},  // context
    {"o", {0xb0, 0x1e, 0x4a}, {0xff, 0x8f, 0xaa}},  // output
};

bool is_dark(Rgb color) {
  return 2 * color.r + 5 * color.g + color.b < 8 * 128;
}

}  // namespace

std::span<const RoleColor> role_colors() {
  return roles;
}

const Rgb* find_role_color(std::string_view role, Rgb background) {
  const auto found = std::ranges::find(roles, role, &RoleColor::name);
  if (found == std::end(roles)) return nullptr;
  return is_dark(background) ? &found->dark : &found->light;
}

Rgb role_color(std::string_view role, Rgb background) {
  const Rgb* color = find_role_color(role, background);
  assert(color != nullptr);
  return *color;
}

}  // namespace headscope
