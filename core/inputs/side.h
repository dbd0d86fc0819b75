#pragma once

namespace headscope {

/// A side of the comparison.
enum class Side { a, b };
inline constexpr Side both_sides[] = {Side::a, Side::b};
constexpr Side other(Side side) {
  return side == Side::a ? Side::b : Side::a;
}

constexpr const char* letter(Side side) {
  return side == Side::a ? "A" : "B";
}

/// One for each side.
template <typename Value>
struct Both {
  Value a{}, b{};
  Value& operator[](Side side) { return side == Side::a ? a : b; }
  const Value& operator[](Side side) const { return side == Side::a ? a : b; }
};

}  // namespace headscope
