#pragma once
#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>

#include "app/state/key.h"

// The differences between Dear ImGui versions that Headscope meets, in one place: 1.86 (Debian 12) to 1.92.

namespace headscope {

#if IMGUI_VERSION_NUM < 18700

/// 1.86 has no names of its own for most keys: there they are indices into ImGuiIO::KeysDown.
using NativeKey = int;
inline NativeKey native_key(Key key) {
  return static_cast<int>(key);
}

/// Tells ImGui which of our keys its own widgets use.
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
/// Whether ImGui's own navigation goes by the keys of pages.
inline void let_pages_navigate(ImGuiIO& io, bool may) {
  io.KeyMap[ImGuiKey_PageUp] = may ? static_cast<int>(Key::page_up) : -1;
  io.KeyMap[ImGuiKey_PageDown] = may ? static_cast<int>(Key::page_down) : -1;
}

#else

using NativeKey = ImGuiKey;
inline NativeKey native_key(Key key) {
  if (key >= Key::a)
    return static_cast<ImGuiKey>(ImGuiKey_A + (static_cast<int>(key) - static_cast<int>(Key::a)));
  if (key >= Key::digit_0)
    return static_cast<ImGuiKey>(ImGuiKey_0 + (static_cast<int>(key) - static_cast<int>(Key::digit_0)));
  constexpr ImGuiKey named[] = {
      ImGuiKey_Tab,          ImGuiKey_LeftArrow, ImGuiKey_RightArrow, ImGuiKey_UpArrow, ImGuiKey_DownArrow,
      ImGuiKey_PageUp,       ImGuiKey_PageDown,  ImGuiKey_Home,       ImGuiKey_End,     ImGuiKey_Insert,
      ImGuiKey_Delete,       ImGuiKey_Backspace, ImGuiKey_Space,      ImGuiKey_Enter,   ImGuiKey_Escape,
      ImGuiKey_KeypadEnter,  ImGuiKey_F1,        ImGuiKey_F2,         ImGuiKey_F5,      ImGuiKey_F6,
      ImGuiKey_F7,           ImGuiKey_F8,        ImGuiKey_F9,         ImGuiKey_F10,     ImGuiKey_F11,
      ImGuiKey_Minus,        ImGuiKey_Equal,     ImGuiKey_Slash,      ImGuiKey_Comma,   ImGuiKey_LeftBracket,
      ImGuiKey_RightBracket, ImGuiKey_Menu};
  return named[static_cast<int>(key)];
}
inline void map_keys(ImGuiIO&) {}
inline void let_pages_navigate(ImGuiIO&, bool) {}

#endif

#if IMGUI_VERSION_NUM < 19200
inline bool has_new_textures(const ImDrawData&) {
  return false;
}
#else
/// From 1.92 on the backend uploads glyphs with the frame that shows them.
inline bool has_new_textures(const ImDrawData& data) {
  return data.Textures != nullptr && std::any_of(data.Textures->begin(), data.Textures->end(),
                                                 [](auto* t) { return t->Status != ImTextureStatus_OK; });
}
#endif

inline bool key_down(Key key) {
  return ImGui::IsKeyDown(native_key(key));
}
inline bool key_pressed(Key key, bool repeat = false) {
  return ImGui::IsKeyPressed(native_key(key), repeat);
}

}  // namespace headscope
