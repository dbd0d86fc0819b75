#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <string>

struct GLFWwindow;

namespace headscope {

/// What an input method shows before it is final.
struct ComposedText {
  std::string text;
  std::size_t caret = 0;  ///< in bytes; the text's length or less
};

/// What GLFW lacks on Wayland, on GLFW's own connection: pictures on the clipboard, an input method
/// (text-input-v3), and the compositor's pace of frames without blocking while nobody sees the window.
class WaylandWindow {
 public:
  /// `commit` receives what an input method has made, as UTF-8, during GLFW's waiting for events; it is empty
  /// where only the composition may have changed. Nothing where the window is not on Wayland.
  static std::unique_ptr<WaylandWindow> of(GLFWwindow* window,
                                           std::function<void(const std::string& text)> commit);
  virtual ~WaylandWindow() = default;

  /// Onto the clipboard, until another program copies something; false: no key or button was pressed in the
  /// window yet, which the compositor asks for.
  virtual bool offer_picture(std::string png) = 0;
  /// PNG or JPEG from the clipboard; nothing if it has none, or its owner does not answer.
  virtual std::optional<std::string> picture() = 0;

  /// Whether there is a caret, in the window's own coordinates where it was last placed: an input method is
  /// listened to there.
  virtual void set_editing(bool editing) = 0;
  virtual void place_caret(float x, float y, float height) = 0;
  virtual const ComposedText& composition() const = 0;

  /// Before the buffers are swapped.
  virtual void note_frame() = 0;
  /// The last frame is not on the screen yet: another one would not be seen.
  virtual bool waits_for_frame() const = 0;
};

}  // namespace headscope
