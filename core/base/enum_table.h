#pragma once
#include <cstddef>
#include <type_traits>

namespace headscope {

/// The element of a table that has one for each enumerator, in their order.
template <typename Table, typename Enumerator>
constexpr decltype(auto) of_kind(Table&& table, Enumerator kind) {
  static_assert(std::is_enum_v<Enumerator>);
  return table[static_cast<std::size_t>(kind)];
}

}  // namespace headscope
