#pragma once
#include <array>
#include <deque>
#include <optional>
#include <string>

#include "app/panels/widgets/heard.h"
#include "app/panels/widgets/imgui_calls.h"

namespace headscope {

/// One user input, in the window's own coordinates.
struct InputEvent {
  enum class Kind { key, character, button, position, wheel, leave } kind = Kind::position;
  Key key = Key::count;
  char32_t character = 0;
  int button = 0;
  bool down = false;
  float x = 0, y = 0;                                            ///< position, or wheel steps
  bool ctrl = false, shift = false, alt = false, super = false;  ///< with key and button
};

/// Placed in front of ImGui, whose 1.86 only sees the state at the start of a frame: a press and release
/// within one frame would be lost, and a click would land where the pointer has moved since. Each frame takes
/// events in order until one that must wait for the next frame.
class InputQueue {
 public:
  void push(const InputEvent& event);
  /// All events up to `now`, in seconds, have been pushed. ImGui repeats held keys by this time: a key may
  /// have been released during what a frame does later, such as loading fonts for what the key has pasted.
  void seen(double now) { seen_at_ = now; }
  /// Passes the events of one frame to ImGui; call before NewFrame.
  void feed(ImGuiIO& io);
  bool empty() const { return events_.empty(); }
  /// Characters still waiting in the queue.
  std::u32string coming_characters() const;
  /// The characters of this frame, including those above U+FFFF, which ImGui with 16-bit ImWchar cannot
  /// represent.
  const std::u32string& characters() const { return characters_; }

 private:
  bool take(ImGuiIO& io, const InputEvent& event);

  std::deque<InputEvent> events_;
  std::u32string characters_;
  std::u32string used_keys_;         // keys and buttons that had an edge in this frame
  std::array<bool, 4> modifiers_{};  // held: Ctrl, Shift, Alt, Super
  bool clicked_ = false;
  std::optional<double> seen_at_;
  double fed_at_ = 0;  // the time of the last frame
};

/// What is asked by those who hear the window, as keyboard and pointer do it.
void carry_out(const Heard::Input& asked, InputQueue& queue);

}  // namespace headscope
