#pragma once
#include <array>
#include <atomic>
#include <functional>
#include <optional>
#include <string>

#include "app/gl/frame_renderer.h"
#include "app/state/lesson/presentation.h"
#include "app/window/glfw_input.h"

struct GLFWwindow;
struct GLFWcursor;
struct GLFWmonitor;

namespace headscope {

/// GLFW, a window with an OpenGL 3.3 core context, and ImGui on both; ends in the opposite order.
class Platform {
 public:
  /// `fonts` is asked for once the window is there, and must live longer. Throws Error (unable) that says why
  /// there can be no window.
  Platform(int width, int height, bool maximized, const std::function<ImFontAtlas&()>& fonts);
  ~Platform();
  Platform(const Platform&) = delete;
  Platform& operator=(const Platform&) = delete;

  GLFWwindow* window() const { return window_; }
  WindowEvents& events() { return events_; }
  /// Sleeps until there is something to draw for. `timeout` in seconds; negative: as long as it takes.
  void wait(double timeout);
  /// Begins a frame of ImGui with the input of one frame; false while the window has no size.
  /// Without the pointer as if it were outside of the window.
  bool begin_frame(bool with_pointer = true);
  /// Renders what was drawn and shows it; `copy` gets its pixels.
  void end_frame(unsigned background, const gl::ContentOf& content, FramePixels* copy = nullptr);
  /// Ends it without a picture: the next one follows at once.
  void drop_frame();
  /// Ends a frame that something was thrown in, wherever that left it; nothing where none has begun.
  void abandon_frame();
  /// ImGui's pixels to the size of text on this screen, and framebuffer pixels to ImGui's.
  float text_scale() const;
  float raster_scale() const;
  /// Of the window, in ImGui's pixels.
  float height() const;
  /// All of the screen that the window is on, with a window manager or without; or the place it had before.
  void fill_screen(bool all);
  /// After the atlas was built again.
  void upload_fonts();
  bool minimized() const;

  /// For the desktop's dialogs, so that they stand before this window; 0 where there is no X11.
  unsigned long x11_window() const;

  /// Makes `wait` return; from any thread.
  void wake();

 private:
  /// That most of the window is on; nullptr: there is none.
  GLFWmonitor* monitor() const;
  void create_window(int width, int height, bool maximized);
  FramePixels drawn_pixels() const;
  void set_cursor();
  void swap();
  /// Lowest pixels at the left, which are in a buffer of any size. An emptied one has none of the window's
  /// colours there.
  using Corner = std::array<unsigned, 8>;
  Corner corner() const;

  GLFWwindow* window_ = nullptr;
  WindowEvents events_;
  gl::FrameRenderer renderer_;
  /// The back buffer holds after a swap what was drawn before it.
  bool keeps_frames_ = false, tried_keeping_ = false;
  /// Of the frame before. The driver may empty its buffers for a new size of the window before or after GLFW
  /// tells of it.
  Corner kept_corner_{};
  double settled_at_ = 0;  ///< when one frame more is to find that out
  std::array<GLFWcursor*, 9> cursors_{};
  std::atomic<bool> woken_ = false;
  double last_time_ = 0;
  bool glfw_ready_ = false;
  bool fonts_uploaded_ = false;
  std::optional<ImVec2> pointer_;  // where it is, while a frame is drawn without it
  struct Place {
    int x = 0, y = 0, width = 0, height = 0;
  } place_;  // before it filled the screen
};

}  // namespace headscope
