#pragma once
#include <imgui.h>
#include <imgui_stdlib.h>

#include <array>

#include "app/state/actions/key.h"

// The differences between the versions of Dear ImGui that Headscope is built with, in one place: 1.86 (Debian
// 12) and 1.90.1 (Debian 13, Ubuntu 24.04).
#if IMGUI_VERSION_NUM < 18600 || IMGUI_VERSION_NUM >= 19190
#error "Dear ImGui 1.86 or 1.90.1 is expected: from 1.91.9 on fonts and textures have another interface"
#endif

namespace headscope {

#if IMGUI_VERSION_NUM < 18700

/// 1.86 has no names for most keys: there they are indices into ImGuiIO::KeysDown.
using NativeKey = int;
inline NativeKey native_key(Key key) {
  return static_cast<int>(key);
}

/// Before the first frame: which of our keys ImGui's own widgets use.
inline void map_keys(ImGuiIO& io) {
  const struct {
    int imgui;
    Key ours;
  } used[] = {{ImGuiKey_Tab, Key::tab},
              {ImGuiKey_LeftArrow, Key::left},
              {ImGuiKey_RightArrow, Key::right},
              {ImGuiKey_UpArrow, Key::up},
              {ImGuiKey_DownArrow, Key::down},
              {ImGuiKey_PageUp, Key::page_up},
              {ImGuiKey_PageDown, Key::page_down},
              {ImGuiKey_Home, Key::home},
              {ImGuiKey_End, Key::end},
              {ImGuiKey_Insert, Key::insert},
              {ImGuiKey_Delete, Key::del},
              {ImGuiKey_Backspace, Key::backspace},
              {ImGuiKey_Space, Key::space},
              {ImGuiKey_Enter, Key::enter},
              {ImGuiKey_Escape, Key::escape},
              {ImGuiKey_KeyPadEnter, Key::keypad_enter},
              {ImGuiKey_A, Key::a},
              {ImGuiKey_C, Key::c},
              {ImGuiKey_V, Key::v},
              {ImGuiKey_X, Key::x},
              {ImGuiKey_Y, Key::y},
              {ImGuiKey_Z, Key::z}};
  for (const auto& entry : used) io.KeyMap[entry.imgui] = static_cast<int>(entry.ours);
}
/// Whether ImGui's own navigation reacts to Page Up and Page Down.
inline void let_pages_navigate(ImGuiIO& io, bool may) {
  io.KeyMap[ImGuiKey_PageUp] = may ? static_cast<int>(Key::page_up) : -1;
  io.KeyMap[ImGuiKey_PageDown] = may ? static_cast<int>(Key::page_down) : -1;
}

inline void set_modifiers(ImGuiIO& io, bool ctrl, bool shift, bool alt = false, bool super = false) {
  io.KeyCtrl = ctrl;
  io.KeyShift = shift;
  io.KeyAlt = alt;
  io.KeySuper = super;
}
inline void set_key(ImGuiIO& io, Key key, bool down) {
  io.KeysDown[native_key(key)] = down;
}
inline void set_button(ImGuiIO& io, int button, bool down) {
  io.MouseDown[button] = down;
}
inline void set_position(ImGuiIO& io, float x, float y) {
  io.MousePos = ImVec2(x, y);
}
inline void set_wheel(ImGuiIO& io, float x, float y) {
  io.MouseWheelH += x;
  io.MouseWheel += y;
}

/// `Place` is called with the caret position, in window pixels, whenever an edit box moves it.
template <void (*Place)(float x, float y, float height)>
void follow_caret(ImGuiIO& io) {
  io.ImeSetInputScreenPosFn = [](int x, int y) {
    Place(static_cast<float>(x), static_cast<float>(y), ImGui::GetFontSize());
  };
}

#else

using NativeKey = ImGuiKey;
inline NativeKey native_key(Key key) {
  struct Row {
    Key ours;
    ImGuiKey imgui;
  };
  static constexpr std::array rows{
      Row{Key::tab, ImGuiKey_Tab},
      Row{Key::left, ImGuiKey_LeftArrow},
      Row{Key::right, ImGuiKey_RightArrow},
      Row{Key::up, ImGuiKey_UpArrow},
      Row{Key::down, ImGuiKey_DownArrow},
      Row{Key::page_up, ImGuiKey_PageUp},
      Row{Key::page_down, ImGuiKey_PageDown},
      Row{Key::home, ImGuiKey_Home},
      Row{Key::end, ImGuiKey_End},
      Row{Key::insert, ImGuiKey_Insert},
      Row{Key::del, ImGuiKey_Delete},
      Row{Key::backspace, ImGuiKey_Backspace},
      Row{Key::space, ImGuiKey_Space},
      Row{Key::enter, ImGuiKey_Enter},
      Row{Key::escape, ImGuiKey_Escape},
      Row{Key::keypad_enter, ImGuiKey_KeypadEnter},
      Row{Key::f1, ImGuiKey_F1},
      Row{Key::f2, ImGuiKey_F2},
      Row{Key::f3, ImGuiKey_F3},
      Row{Key::f5, ImGuiKey_F5},
      Row{Key::f6, ImGuiKey_F6},
      Row{Key::f7, ImGuiKey_F7},
      Row{Key::f8, ImGuiKey_F8},
      Row{Key::f9, ImGuiKey_F9},
      Row{Key::f10, ImGuiKey_F10},
      Row{Key::f11, ImGuiKey_F11},
      Row{Key::minus, ImGuiKey_Minus},
      Row{Key::equal, ImGuiKey_Equal},
      Row{Key::slash, ImGuiKey_Slash},
      Row{Key::comma, ImGuiKey_Comma},
      Row{Key::left_bracket, ImGuiKey_LeftBracket},
      Row{Key::right_bracket, ImGuiKey_RightBracket},
      Row{Key::menu, ImGuiKey_Menu},
      Row{Key::digit_0, ImGuiKey_0},
      Row{Key::a, ImGuiKey_A},
  };
  // Each key has its row in enumerator order; digits and letters follow their first.
  static_assert([] {
    int next = 0;
    for (const Row& row : rows) {
      if (static_cast<int>(row.ours) != next) return false;
      next = row.ours == Key::digit_0 ? static_cast<int>(Key::a) : next + 1;
    }
    return rows.back().ours == Key::a;
  }());
  static_assert(static_cast<int>(Key::count) - static_cast<int>(Key::a) == 26);
  static_assert(static_cast<int>(Key::a) - static_cast<int>(Key::digit_0) == 10);
  const auto from = [key](Key first, ImGuiKey imgui) {
    return static_cast<ImGuiKey>(imgui + static_cast<int>(key) - static_cast<int>(first));
  };
  if (key >= Key::a) return from(Key::a, ImGuiKey_A);
  if (key >= Key::digit_0) return from(Key::digit_0, ImGuiKey_0);
  return rows[static_cast<std::size_t>(key)].imgui;
}
/// InputQueue spreads events over frames; ImGui's own queue would delay some again, invisibly to the loop.
inline void map_keys(ImGuiIO& io) {
  io.ConfigInputTrickleEventQueue = false;
}
inline void let_pages_navigate(ImGuiIO&, bool) {}
inline void set_modifiers(ImGuiIO& io, bool ctrl, bool shift, bool alt = false, bool super = false) {
  io.AddKeyEvent(ImGuiMod_Ctrl, ctrl);
  io.AddKeyEvent(ImGuiMod_Shift, shift);
  io.AddKeyEvent(ImGuiMod_Alt, alt);
  io.AddKeyEvent(ImGuiMod_Super, super);
}
inline void set_key(ImGuiIO& io, Key key, bool down) {
  io.AddKeyEvent(native_key(key), down);
}
inline void set_button(ImGuiIO& io, int button, bool down) {
  io.AddMouseButtonEvent(button, down);
}
inline void set_position(ImGuiIO& io, float x, float y) {
  io.AddMousePosEvent(x, y);
}
inline void set_wheel(ImGuiIO& io, float x, float y) {
  io.AddMouseWheelEvent(x, y);
}
template <void (*Place)(float x, float y, float height)>
void follow_caret(ImGuiIO& io) {
  io.SetPlatformImeDataFn = [](ImGuiViewport*, ImGuiPlatformImeData* data) {
    if (data->WantVisible) Place(data->InputPos.x, data->InputPos.y, data->InputLineHeight);
  };
}

#endif

/// Keyboard focus goes to the next item. 1.90.1 finds it only in the focused window.
inline void focus_next_item() {
  ImGui::SetWindowFocus();
  ImGui::SetKeyboardFocusHere();
}

inline bool key_down(Key key) {
  return ImGui::IsKeyDown(native_key(key));
}
inline bool key_pressed(Key key, bool repeat = false) {
  return ImGui::IsKeyPressed(native_key(key), repeat);
}

}  // namespace headscope
