#pragma once
#include <bitset>
#include <string>

namespace headscope {

/// Headscope's key names, indexed by their position in a list.
enum class Key : int {
  tab,
  left,
  right,
  up,
  down,
  page_up,
  page_down,
  home,
  end,
  insert,
  del,
  backspace,
  space,
  enter,
  escape,
  keypad_enter,
  f1,
  f2,
  f3,
  f5,
  f6,
  f7,
  f8,
  f9,
  f10,
  f11,
  minus,
  equal,
  slash,
  comma,
  left_bracket,
  right_bracket,
  menu,
  digit_0,
  digit_9 = digit_0 + 9,
  a,
  b,
  c,
  d,
  e,
  f,
  g,
  h,
  i,
  j,
  k,
  l,
  m,
  n,
  o,
  p,
  q,
  r,
  s,
  t,
  u,
  v,
  w,
  x,
  y,
  z,
  count,
};

inline Key letter_key(char lower_case) {
  return static_cast<Key>(static_cast<int>(Key::a) + (lower_case - 'a'));
}
inline Key digit_key(char digit) {
  return static_cast<Key>(static_cast<int>(Key::digit_0) + (digit - '0'));
}

/// The state of the keyboard in one frame.
struct KeyState {
  std::bitset<static_cast<std::size_t>(Key::count)> pressed;  ///< went down in this frame
  bool ctrl = false, shift = false, alt = false;
  std::u32string typed;  ///< characters
  bool goes_down(Key key) const { return pressed[static_cast<std::size_t>(key)]; }
};

}  // namespace headscope
