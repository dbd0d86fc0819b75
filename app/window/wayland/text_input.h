#pragma once
#include <cstdint>
#include <functional>
#include <string>

#include "app/window/wayland/listener.h"
#include "app/window/wayland/wayland_window.h"

struct zwp_text_input_manager_v3;
struct zwp_text_input_v3;

namespace headscope::wayland {

struct DestroyTextInput {
  void operator()(zwp_text_input_v3* input) const;
  void operator()(zwp_text_input_manager_v3* manager) const;
};
using TextInputManager = std::unique_ptr<zwp_text_input_manager_v3, DestroyTextInput>;

/// What an input method of the compositor composes and commits (text-input-v3).
class TextInput {
 public:
  TextInput(zwp_text_input_manager_v3& manager, wl_seat& seat,
            std::function<void(const std::string& text)> commit);

  void set_editing(bool editing);
  void place_caret(float x, float y, float height);
  const ComposedText& composition() const { return composition_; }

 private:
  struct Rectangle {
    int x = 0, y = 0, height = 0;
    bool operator==(const Rectangle&) const = default;
  };

  void on_enter(wl_surface* surface);
  void on_leave(wl_surface* surface);
  void on_preedit(const char* text, std::int32_t begin, std::int32_t end);
  void on_commit(const char* text);
  void on_done(std::uint32_t serial);
  /// Enables or disables it as is wanted, if the compositor listens.
  void agree();

  std::unique_ptr<zwp_text_input_v3, DestroyTextInput> input_;
  std::function<void(const std::string& text)> commit_;
  bool entered_ = false, editing_ = false, enabled_ = false;
  Rectangle caret_;
  ComposedText composition_, coming_;  ///< shown; announced, until it is done
  std::string committed_;
};

}  // namespace headscope::wayland
