#pragma once
#include <array>
#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "app/gl/frame_renderer.h"
#include "app/panels/widgets/imgui_calls.h"
#include "app/state/actions/present.h"
#include "app/window/clipboard_picture.h"
#include "app/window/glfw_input.h"
#include "app/window/wayland/wayland_window.h"
#include "app/window/window_system.h"

struct GLFWwindow;
struct GLFWcursor;
struct GLFWmonitor;

namespace headscope {

/// GLFW, a window with an OpenGL 3.3 core context, and ImGui on both; destroyed in reverse order.
class Platform {
 public:
  /// Calls `wait_for_fonts` once the window exists, before there is an ImGui context. Throws Error (unable)
  /// that says why a window cannot be opened.
  Platform(int width, int height, bool maximized, const std::function<void()>& wait_for_fonts);
  ~Platform();
  Platform(const Platform&) = delete;
  Platform& operator=(const Platform&) = delete;

  GLFWwindow* window() const { return window_; }
  WindowEvents& events() { return events_; }
  /// Sleeps until there is something to draw. `timeout` in seconds; negative: no limit.
  void wait(double timeout);
  /// How long that sleeps if nothing happens, in seconds; infinity: no limit.
  double due_in(double timeout) const;
  /// Begins an ImGui frame with one frame's input; false while the window has no size. Without
  /// `with_pointer`, the pointer counts as outside the window.
  bool begin_frame(bool with_pointer = true);
  /// Renders the frame and shows it; `copy` receives its pixels.
  void end_frame(unsigned background, const gl::ContentOf& content, FramePixels* copy = nullptr);
  /// Ends the frame without showing it: the next one follows at once.
  void drop_frame();
  /// Ends a frame after an exception, in whatever state; does nothing if none has begun.
  void abandon_frame();
  /// The scale of text on this screen in ImGui's pixels, and framebuffer pixels per ImGui pixel.
  float text_scale() const;
  float raster_scale() const;
  /// Height of the window in ImGui pixels.
  float height() const;
  /// Fills the screen that the window is on, with or without a window manager; or restores the previous
  /// place.
  void fill_screen(bool all);
  /// Minimized, on a hidden workspace, or not shown yet: there is nothing to draw before another event.
  bool hidden() const { return hidden_; }

  /// There is something to draw on: the last frame is on the screen, or will never be waited for.
  bool can_draw() const { return !hidden_ && !waits_for_frame(); }

  /// Onto the clipboard; false: it can't.
  bool put_picture(std::string png);
  /// PNG or JPEG from the clipboard; nothing: it has none.
  std::optional<std::string> get_picture();

  /// Whether a text is edited, so that an input method is listened to; what that has composed so far, and
  /// where.
  void set_editing(bool editing);
  const ComposedText& composition() const;
  const Caret& caret() const { return events_.caret; }

  /// Parent for the desktop's dialogs, so that they open in front of this window; 0 without X11.
  unsigned long x11_window() const;

  /// Makes `wait` return; callable from any thread.
  void wake();

 private:
  /// The monitor that shows most of the window; nullptr: there is none.
  GLFWmonitor* monitor() const;
  void create_window(int width, int height, bool maximized);
  void set_pace();
  void note_visibility();
  bool waits_for_frame() const { return wayland_ != nullptr && wayland_->waits_for_frame(); }
  /// What an input method has made; empty: it shows something else than before.
  void take_composed(const std::string& text);
  /// A window manager that was starting may have lost the request to show the window.
  void ask_again();
  FramePixels drawn_pixels() const;
  void set_cursor();
  void swap();
  /// The bottom left pixels, which exist in a buffer of any size. A cleared buffer has none of the window's
  /// colours there.
  using Corner = std::array<unsigned, 8>;
  Corner corner() const;

  GLFWwindow* window_ = nullptr;
  ChosenWindowSystem system_;
  WindowEvents events_;
  TextClipboard clipboard_;
  ClipboardPicture picture_;
  std::unique_ptr<WaylandWindow> wayland_;
  gl::FrameRenderer renderer_;
  /// After a swap the back buffer still holds what was drawn before it.
  bool keeps_frames_ = false, tried_keeping_ = false;
  /// Of the previous frame. The driver may clear its buffers for a new window size before or after GLFW
  /// reports it.
  Corner kept_corner_{};
  double swapped_at_ = 0;  ///< by GLFW's clock
  double settled_at_ = 0;  ///< when one more frame is to detect that
  std::array<GLFWcursor*, ImGuiMouseCursor_COUNT> cursors_{};
  std::atomic<bool> woken_ = false;
  bool hidden_ = false;  ///< after the last wait; asking takes round trips to the display
  bool focuses_when_shown_ = false;
  double ask_again_at_ = 0, ask_again_in_ = 0.5;  // s, by GLFW's clock; 0: not again
  bool glfw_ready_ = false;
  std::optional<ImVec2> pointer_;  // its position, while a frame is drawn without it
  struct Place {
    int x = 0, y = 0, width = 0, height = 0;
  } place_;  // before it filled the screen
};

}  // namespace headscope
