#include <imgui.h>

#if IMGUI_VERSION_NUM >= 18700
#include "app/panels/widgets/imgui_keys.cpp"  // IWYU pragma: keep: nothing differs
#else

#include "app/panels/widgets/imgui_calls.h"

// 1.86 has no names for most keys: there they are indices into ImGuiIO::KeysDown.

namespace headscope {

/// Which of our keys ImGui's own widgets use.
void set_up_keys(ImGuiIO& io) {
  for (int key = ImGuiKey_Tab; key <= ImGuiKey_KeyPadEnter; ++key) io.KeyMap[key] = key;
  for (int i = 0; i < 6; ++i) io.KeyMap[ImGuiKey_A + i] = static_cast<int>(letter_key("acvxyz"[i]));
}

void let_pages_navigate(bool may) {
  ImGuiIO& io = ImGui::GetIO();
  io.KeyMap[ImGuiKey_PageUp] = may ? static_cast<int>(Key::page_up) : -1;
  io.KeyMap[ImGuiKey_PageDown] = may ? static_cast<int>(Key::page_down) : -1;
}

void set_modifiers(ImGuiIO& io, bool ctrl, bool shift, bool alt, bool super) {
  io.KeyCtrl = ctrl;
  io.KeyShift = shift;
  io.KeyAlt = alt;
  io.KeySuper = super;
}

void set_key(ImGuiIO& io, Key key, bool down) {
  io.KeysDown[static_cast<int>(key)] = down;
}

void set_button(ImGuiIO& io, int button, bool down) {
  io.MouseDown[button] = down;
}

void set_position(ImGuiIO& io, float x, float y) {
  io.MousePos = ImVec2(x, y);
}

void set_wheel(ImGuiIO& io, float x, float y) {
  io.MouseWheelH += x;
  io.MouseWheel += y;
}

bool key_down(Key key) {
  return ImGui::IsKeyDown(static_cast<int>(key));
}

bool key_pressed(Key key, bool repeat) {
  return ImGui::IsKeyPressed(static_cast<int>(key), repeat);
}

}  // namespace headscope

#endif
