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
  for (int key = ImGuiKey_Tab; key <= ImGuiKey_KeyPadEnter; ++key) io.KeyMap[key] = key;
  for (int i = 0; i < 6; ++i) io.KeyMap[ImGuiKey_A + i] = static_cast<int>(letter_key("acvxyz"[i]));
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
/// The same for the caret of an edit box that is not ImGui's.
inline void note_caret(ImVec2 at, float /*height*/) {
  if (const auto place = ImGui::GetIO().ImeSetInputScreenPosFn)
    place(static_cast<int>(at.x), static_cast<int>(at.y));
}

#else

using NativeKey = ImGuiKey;
inline NativeKey native_key(Key key) {
#define HEADSCOPE_NATIVE_KEY(ours, imgui, ...) ImGuiKey_##imgui,
  static constexpr std::array rows{HEADSCOPE_CONTROL_KEYS(HEADSCOPE_NATIVE_KEY)
                                       HEADSCOPE_SIGN_KEYS(HEADSCOPE_NATIVE_KEY)};
#undef HEADSCOPE_NATIVE_KEY
  const auto from = [key](Key first, ImGuiKey imgui) {
    return static_cast<ImGuiKey>(imgui + static_cast<int>(key) - static_cast<int>(first));
  };
  if (key >= Key::a) return from(Key::a, ImGuiKey_A);
  if (key >= Key::digit_0) return from(Key::digit_0, ImGuiKey_0);
  return rows[static_cast<std::size_t>(key)];
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
inline void note_caret(ImVec2 at, float height) {
  ImGuiPlatformImeData data;
  data.WantVisible = true;
  data.InputPos = at;
  data.InputLineHeight = height;
  if (const auto place = ImGui::GetIO().SetPlatformImeDataFn) place(ImGui::GetMainViewport(), &data);
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
