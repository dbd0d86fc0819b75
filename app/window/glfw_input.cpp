#include "app/window/glfw_input.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

namespace headscope {
namespace {

WindowEvents& events_of(GLFWwindow* window) {
  auto& events = *static_cast<WindowEvents*>(glfwGetWindowUserPointer(window));
  events.frames.ask(DueFrames::event);
  return events;
}

/// Letters and digits as the user's layout prints them, so that Ctrl+Z is on the key labelled Z.
Key printable_key(int key, int scancode) {
  const char* name = glfwGetKeyName(key, scancode);
  if (name != nullptr && name[0] != '\0' && name[1] == '\0') {
    const char c = name[0];
    if (c >= 'a' && c <= 'z') return letter_key(c);
    if (c >= 'A' && c <= 'Z') return letter_key(static_cast<char>(c - 'A' + 'a'));
    if (c >= '0' && c <= '9') return digit_key(c);
    if (c == '+') return Key::equal;
#define HEADSCOPE_SIGN(ours, imgui, sign, name) \
  if (c == (sign)) return Key::ours;
    HEADSCOPE_SIGN_KEYS(HEADSCOPE_SIGN)
#undef HEADSCOPE_SIGN
  }
  // Layouts without Latin letters (Cyrillic, Greek …): by the key's position.
  if (key >= GLFW_KEY_A && key <= GLFW_KEY_Z) return letter_key(static_cast<char>('a' + key - GLFW_KEY_A));
  if (key >= GLFW_KEY_0 && key <= GLFW_KEY_9) return digit_key(static_cast<char>('0' + key - GLFW_KEY_0));
  return Key::count;
}

Key translate(int key, int scancode) {
  switch (key) {
#define HEADSCOPE_CASE(ours, imgui, glfw, name) \
  case GLFW_KEY_##glfw:                         \
    return Key::ours;
    HEADSCOPE_CONTROL_KEYS(HEADSCOPE_CASE)
#undef HEADSCOPE_CASE
    case GLFW_KEY_KP_ADD:
      return Key::equal;
    case GLFW_KEY_KP_SUBTRACT:
      return Key::minus;
    default:
      return printable_key(key, scancode);
  }
}

void set_modifiers(InputEvent& event, int mods) {
  event.ctrl = (mods & GLFW_MOD_CONTROL) != 0;
  event.shift = (mods & GLFW_MOD_SHIFT) != 0;
  event.alt = (mods & GLFW_MOD_ALT) != 0;
  event.super = (mods & GLFW_MOD_SUPER) != 0;
}

/// GLFW reports the modifiers as they were before this key: under X11 a modifier's own press is not included.
void add_own_modifier(InputEvent& event, int key, bool down) {
  if (key == GLFW_KEY_LEFT_CONTROL || key == GLFW_KEY_RIGHT_CONTROL) event.ctrl = down;
  if (key == GLFW_KEY_LEFT_SHIFT || key == GLFW_KEY_RIGHT_SHIFT) event.shift = down;
  if (key == GLFW_KEY_LEFT_ALT || key == GLFW_KEY_RIGHT_ALT) event.alt = down;
  if (key == GLFW_KEY_LEFT_SUPER || key == GLFW_KEY_RIGHT_SUPER) event.super = down;
}

void on_key(GLFWwindow* window, int key, int scancode, int action, int mods) {
  WindowEvents& events = events_of(window);
  if (action == GLFW_REPEAT) return;  // ImGui repeats by time; the event has woken the loop for it
  InputEvent event{
      .kind = InputEvent::Kind::key, .key = translate(key, scancode), .down = action == GLFW_PRESS};
  set_modifiers(event, mods);
  add_own_modifier(event, key, event.down);
  events.input.push(event);
}

void on_character(GLFWwindow* window, unsigned int character) {
  events_of(window).input.push({.kind = InputEvent::Kind::character, .character = character});
}

void on_button(GLFWwindow* window, int button, int action, int mods) {
  if (button >= 5) return;
  InputEvent event{.kind = InputEvent::Kind::button, .button = button, .down = action == GLFW_PRESS};
  set_modifiers(event, mods);
  events_of(window).input.push(event);
}

void on_position(GLFWwindow* window, double x, double y) {
  events_of(window).input.push({.x = static_cast<float>(x), .y = static_cast<float>(y)});
}

void on_wheel(GLFWwindow* window, double x, double y) {
  events_of(window).input.push(
      {.kind = InputEvent::Kind::wheel, .x = static_cast<float>(x), .y = static_cast<float>(y)});
}

void on_enter(GLFWwindow* window, int entered) {
  WindowEvents& events = events_of(window);
  if (entered == 0) events.input.push({.kind = InputEvent::Kind::leave});
}

/// Keys held while the window loses the keyboard focus never report a release.
void on_focus(GLFWwindow* window, int focused) {
  WindowEvents& events = events_of(window);
  if (focused != 0) return;
  for (int key = 0; key < static_cast<int>(Key::count); ++key)
    events.input.push({.kind = InputEvent::Kind::key, .key = static_cast<Key>(key)});
}

void on_drop(GLFWwindow* window, int count, const char** paths) {
  WindowEvents& events = events_of(window);
  events.dropped.assign(paths, paths + count);
}

// No exception may pass through GLFW, which is C.
template <auto callback, typename... Args>
void guarded(GLFWwindow* window, Args... args) {
  try {
    callback(window, args...);
  } catch (...) {
    events_of(window).failure = std::current_exception();
  }
}

}  // namespace

void listen_to_keys(GLFWwindow* window, WindowEvents& events) {
  glfwSetWindowUserPointer(window, &events);
  glfwSetKeyCallback(window, guarded<on_key>);
  glfwSetCharCallback(window, guarded<on_character>);
  glfwSetWindowFocusCallback(window, guarded<on_focus>);
}

void listen(GLFWwindow* window, WindowEvents& events) {
  listen_to_keys(window, events);
  glfwSetMouseButtonCallback(window, guarded<on_button>);
  glfwSetCursorPosCallback(window, guarded<on_position>);
  glfwSetScrollCallback(window, guarded<on_wheel>);
  glfwSetCursorEnterCallback(window, guarded<on_enter>);
  glfwSetDropCallback(window, guarded<on_drop>);
  glfwSetWindowRefreshCallback(window, [](GLFWwindow* w) { events_of(w).damaged = true; });
  glfwSetFramebufferSizeCallback(window, [](GLFWwindow* w, int, int) { events_of(w).damaged = true; });
  glfwSetWindowIconifyCallback(window, [](GLFWwindow* w, int) { events_of(w); });
  glfwSetWindowCloseCallback(window, [](GLFWwindow* w) { events_of(w); });
  glfwSetWindowContentScaleCallback(window, [](GLFWwindow* w, float, float) { events_of(w); });
}

}  // namespace headscope
