#pragma once
#include <concepts>
#include <type_traits>

namespace headscope {

/// n / unit, rounded up, for n >= 0.
template <std::integral T>
constexpr T divide_up(T n, std::type_identity_t<T> unit) {
  return (n + unit - 1) / unit;
}
/// The smallest multiple of `unit` that is not below n, for n >= 0.
template <std::integral T>
constexpr T round_up(T n, std::type_identity_t<T> unit) {
  return divide_up(n, unit) * unit;
}

}  // namespace headscope
