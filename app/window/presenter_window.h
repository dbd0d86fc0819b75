#pragma once
#include <string>

#include "app/gl/handles.h"
#include "app/window/glfw_input.h"
#include "core/figure/text/text_shaper.h"
#include "core/picture/picture.h"

struct GLFWwindow;

namespace headscope {

struct App;

/// A second window for whoever presents a lesson, on another screen where there is one. Keys in it do what
/// they do in the first.
class PresenterWindow {
 public:
  PresenterWindow() = default;
  ~PresenterWindow();
  PresenterWindow(const PresenterWindow&) = delete;
  PresenterWindow& operator=(const PresenterWindow&) = delete;

  /// After each pass of the loop: opens, draws and closes it as Presentation::presenter says. `first`: the
  /// audience's window, whose context is current before and after. `em`: the size of its type.
  void follow(App& app, GLFWwindow* first, WindowEvents& events, double em);
  bool is_open() const { return window_ != nullptr; }

 private:
  void open(const App& app, GLFWwindow* first, WindowEvents& events);
  void close(GLFWwindow* first);
  void draw(App& app, double em);
  void show(const Picture& picture);

  GLFWwindow* window_ = nullptr;
  gl::Texture texture_;
  gl::Framebuffer framebuffer_;
  TextShaper shaper_;
  double opened_at_ = 0;  ///< by GLFW's clock
  std::string drawn_;     ///< what the page was drawn for
};

}  // namespace headscope
