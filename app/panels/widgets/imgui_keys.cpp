// Input as Dear ImGui takes it.
#include <array>

#include "app/panels/widgets/imgui_calls.h"
#include "core/base/enum_table.h"

namespace headscope {
namespace {

ImGuiKey native_key(Key key) {
#define HEADSCOPE_NATIVE_KEY(ours, imgui, ...) ImGuiKey_##imgui,
  static constexpr std::array rows{HEADSCOPE_CONTROL_KEYS(HEADSCOPE_NATIVE_KEY)
                                       HEADSCOPE_SIGN_KEYS(HEADSCOPE_NATIVE_KEY)};
#undef HEADSCOPE_NATIVE_KEY
  const auto from = [key](Key first, ImGuiKey imgui) {
    return static_cast<ImGuiKey>(imgui + static_cast<int>(key) - static_cast<int>(first));
  };
  if (key >= Key::a) return from(Key::a, ImGuiKey_A);
  if (key >= Key::digit_0) return from(Key::digit_0, ImGuiKey_0);
  return of_kind(rows, key);
}

}  // namespace

/// InputQueue spreads events over frames; ImGui's own queue would delay some again, invisibly to the loop.
void set_up_keys(ImGuiIO& io) {
  io.ConfigInputTrickleEventQueue = false;
}

void let_pages_navigate(bool /*may*/) {}

void set_modifiers(ImGuiIO& io, bool ctrl, bool shift, bool alt, bool super) {
  io.AddKeyEvent(ImGuiMod_Ctrl, ctrl);
  io.AddKeyEvent(ImGuiMod_Shift, shift);
  io.AddKeyEvent(ImGuiMod_Alt, alt);
  io.AddKeyEvent(ImGuiMod_Super, super);
}

void set_key(ImGuiIO& io, Key key, bool down) {
  io.AddKeyEvent(native_key(key), down);
}

void set_button(ImGuiIO& io, int button, bool down) {
  io.AddMouseButtonEvent(button, down);
}

void set_position(ImGuiIO& io, float x, float y) {
  io.AddMousePosEvent(x, y);
}

void set_wheel(ImGuiIO& io, float x, float y) {
  io.AddMouseWheelEvent(x, y);
}

bool key_down(Key key) {
  return ImGui::IsKeyDown(native_key(key));
}

bool key_pressed(Key key, bool repeat) {
  return ImGui::IsKeyPressed(native_key(key), repeat);
}

}  // namespace headscope
