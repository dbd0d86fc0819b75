#include "app/window/wayland/wayland_window.h"

#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "app/window/wayland/clipboard.h"
#include "app/window/wayland/listener.h"
#include "app/window/wayland/text_input.h"
#include "text-input-unstable-v3-client-protocol.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

// Declared as in glfw3native.h; weak because a GLFW for another window system lacks these functions.
extern "C" {
__attribute__((weak)) wl_display* glfwGetWaylandDisplay(void);
__attribute__((weak)) wl_surface* glfwGetWaylandWindow(GLFWwindow* window);
}

namespace headscope::wayland {
namespace {

/// The number of the last key or button, by which the compositor knows that the user wants what follows.
class Input {
 public:
  explicit Input(wl_seat& seat) : seat_(seat) {
    static constexpr wl_seat_listener listener{forward<&Input::on_capabilities>, ignore};
    wl_seat_add_listener(&seat, &listener, this);
  }

  std::uint32_t serial() const { return serial_; }

 private:
  void on_capabilities(std::uint32_t which) {
    if ((which & WL_SEAT_CAPABILITY_KEYBOARD) == 0)
      keyboard_.reset();
    else if (keyboard_ == nullptr)
      listen_to_keyboard();
    if ((which & WL_SEAT_CAPABILITY_POINTER) == 0)
      pointer_.reset();
    else if (pointer_ == nullptr)
      listen_to_pointer();
  }

  void listen_to_keyboard() {
    static constexpr wl_keyboard_listener listener = [] {
      wl_keyboard_listener table{};
      table.keymap = [](void*, wl_keyboard*, std::uint32_t, std::int32_t file, std::uint32_t) {
        close(file);
      };
      table.enter = ignore;
      table.leave = ignore;
      table.key = forward<&Input::note_serial>;
      table.modifiers = ignore;
      return table;
    }();
    keyboard_.reset(wl_seat_get_keyboard(&seat_));
    wl_keyboard_add_listener(keyboard_.get(), &listener, this);
  }

  void listen_to_pointer() {
    static constexpr wl_pointer_listener listener = [] {
      wl_pointer_listener table{};
      table.enter = ignore;
      table.leave = ignore;
      table.motion = ignore;
      table.button = forward<&Input::note_serial>;
      table.axis = ignore;
      return table;
    }();
    pointer_.reset(wl_seat_get_pointer(&seat_));
    wl_pointer_add_listener(pointer_.get(), &listener, this);
  }

  /// Of a key or a button.
  void note_serial(std::uint32_t serial, std::uint32_t, std::uint32_t, std::uint32_t) { serial_ = serial; }

  wl_seat& seat_;
  Keyboard keyboard_;
  Pointer pointer_;
  std::uint32_t serial_ = 0;
};

class NativeWindow : public WaylandWindow {
 public:
  NativeWindow(wl_display& display, wl_surface& surface, std::function<void(const std::string&)> commit)
      : display_(display), surface_(surface), registry_(wl_display_get_registry(&display)) {
    static constexpr wl_registry_listener listener{forward<&NativeWindow::on_global>, ignore};
    wl_registry_add_listener(registry_.get(), &listener, this);
    wl_display_roundtrip(&display);
    if (seat_ == nullptr) return;
    input_ = std::make_unique<Input>(*seat_);
    if (data_manager_ != nullptr) clipboard_ = std::make_unique<Clipboard>(display_, *data_manager_, *seat_);
    if (text_manager_ != nullptr)
      text_ = std::make_unique<TextInput>(*text_manager_, *seat_, std::move(commit));
    wl_display_roundtrip(&display);
  }

  bool offer_picture(std::string png) override {
    if (clipboard_ == nullptr || input_->serial() == 0) return false;
    clipboard_->offer(std::move(png), input_->serial());
    return true;
  }
  std::optional<std::string> picture() override {
    return clipboard_ != nullptr ? clipboard_->picture() : std::nullopt;
  }

  void set_editing(bool editing) override {
    if (text_ != nullptr) text_->set_editing(editing);
  }
  void place_caret(float x, float y, float height) override {
    if (text_ != nullptr) text_->place_caret(x, y, height);
  }
  const ComposedText& composition() const override {
    static const ComposedText none;
    return text_ != nullptr ? text_->composition() : none;
  }

  void note_frame() override {
    static constexpr wl_callback_listener listener{forward<&NativeWindow::on_frame>};
    frame_.reset(wl_surface_frame(&surface_));
    wl_callback_add_listener(frame_.get(), &listener, this);
  }
  bool waits_for_frame() const override { return frame_ != nullptr; }

 private:
  /// The first seat: a desktop has one.
  void on_global(std::uint32_t name, const char* interface, std::uint32_t) {
    const auto is = [interface](const wl_interface& wanted) {
      return std::strcmp(interface, wanted.name) == 0;
    };
    const auto bind = [&](const wl_interface& wanted) {
      return wl_registry_bind(registry_.get(), name, &wanted, 1);
    };
    if (is(wl_seat_interface) && seat_ == nullptr)
      seat_.reset(static_cast<wl_seat*>(bind(wl_seat_interface)));
    else if (is(wl_data_device_manager_interface))
      data_manager_.reset(static_cast<wl_data_device_manager*>(bind(wl_data_device_manager_interface)));
    else if (is(zwp_text_input_manager_v3_interface))
      text_manager_.reset(static_cast<zwp_text_input_manager_v3*>(bind(zwp_text_input_manager_v3_interface)));
  }

  void on_frame(std::uint32_t) { frame_.reset(); }

  wl_display& display_;
  wl_surface& surface_;
  Registry registry_;
  Seat seat_;
  DataManager data_manager_;
  TextInputManager text_manager_;
  std::unique_ptr<Input> input_;
  std::unique_ptr<Clipboard> clipboard_;
  std::unique_ptr<TextInput> text_;
  Callback frame_;
};

}  // namespace
}  // namespace headscope::wayland

namespace headscope {

std::unique_ptr<WaylandWindow> WaylandWindow::of(GLFWwindow* window,
                                                 std::function<void(const std::string& text)> commit) {
  if (glfwGetPlatform() != GLFW_PLATFORM_WAYLAND || glfwGetWaylandDisplay == nullptr) return nullptr;
  wl_display* const display = glfwGetWaylandDisplay();
  wl_surface* const surface = glfwGetWaylandWindow(window);
  if (display == nullptr || surface == nullptr) return nullptr;
  return std::make_unique<wayland::NativeWindow>(*display, *surface, std::move(commit));
}

}  // namespace headscope
