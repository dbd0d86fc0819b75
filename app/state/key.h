#pragma once
#include <bitset>
#include <string>

#include "core/base/enum_table.h"

namespace headscope {

// Keys that print nothing: enumerator, name in Dear ImGui, name in GLFW, name on screen where an action has
// it. The first are those that Dear ImGui's widgets use, in its order.
#define HEADSCOPE_CONTROL_KEYS(KEY)            \
  KEY(tab, Tab, TAB, "Tab")                    \
  KEY(left, LeftArrow, LEFT, "←")              \
  KEY(right, RightArrow, RIGHT, "→")           \
  KEY(up, UpArrow, UP, "↑")                    \
  KEY(down, DownArrow, DOWN, "↓")              \
  KEY(page_up, PageUp, PAGE_UP, "PgUp")        \
  KEY(page_down, PageDown, PAGE_DOWN, "PgDn")  \
  KEY(home, Home, HOME, "Home")                \
  KEY(end, End, END, "")                       \
  KEY(insert, Insert, INSERT, "")              \
  KEY(del, Delete, DELETE, "Del")              \
  KEY(backspace, Backspace, BACKSPACE, "")     \
  KEY(space, Space, SPACE, "Space")            \
  KEY(enter, Enter, ENTER, "Enter")            \
  KEY(escape, Escape, ESCAPE, "Esc")           \
  KEY(keypad_enter, KeypadEnter, KP_ENTER, "") \
  KEY(f1, F1, F1, "F1")                        \
  KEY(f2, F2, F2, "F2")                        \
  KEY(f3, F3, F3, "F3")                        \
  KEY(f5, F5, F5, "F5")                        \
  KEY(f6, F6, F6, "F6")                        \
  KEY(f7, F7, F7, "F7")                        \
  KEY(f8, F8, F8, "F8")                        \
  KEY(f9, F9, F9, "F9")                        \
  KEY(f10, F10, F10, "F10")                    \
  KEY(f11, F11, F11, "F11")                    \
  KEY(menu, Menu, MENU, "Menu")

// Keys that print a sign: enumerator, name in Dear ImGui, the sign, name on screen.
#define HEADSCOPE_SIGN_KEYS(KEY)           \
  KEY(minus, Minus, '-', "−")              \
  KEY(equal, Equal, '=', "+")              \
  KEY(slash, Slash, '/', "/")              \
  KEY(comma, Comma, ',', ",")              \
  KEY(left_bracket, LeftBracket, '[', "[") \
  KEY(right_bracket, RightBracket, ']', "]")

#define HEADSCOPE_ENUMERATOR(key, ...) key,
/// A key, digit or letter of the user's layout.
enum class Key : int {
  HEADSCOPE_CONTROL_KEYS(HEADSCOPE_ENUMERATOR) HEADSCOPE_SIGN_KEYS(HEADSCOPE_ENUMERATOR) digit_0,
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
#undef HEADSCOPE_ENUMERATOR

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
  bool goes_down(Key key) const { return of_kind(pressed, key); }
};

}  // namespace headscope
