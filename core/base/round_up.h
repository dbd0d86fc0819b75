#pragma once
#include <concepts>
#include <type_traits>

namespace headscope {

/// The smallest multiple of `unit` that is not below n, for n >= 0.
template <std::integral T>
constexpr T round_up(T n, std::type_identity_t<T> unit) {
  return (n + unit - 1) / unit * unit;
}

}  // namespace headscope
