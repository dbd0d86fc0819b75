#include "app/window/presenter_window.h"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>

#include "app/gl/opengl.h"
#include "app/state/app.h"
#include "app/state/lesson/play_lesson.h"
#include "core/system/process.h"
#include "core/teach/presenter_page.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

namespace headscope {
namespace {

/// The corner of a screen that the first window is not on; of its own screen if that is the only one.
void place_beside(GLFWwindow* window, GLFWwindow* first) {
  int x = 0, y = 0, count = 0;
  glfwGetWindowPos(first, &x, &y);
  GLFWmonitor** const monitors = glfwGetMonitors(&count);
  for (int i = 0; i < count; ++i) {
    int left = 0, top = 0, width = 0, height = 0;
    glfwGetMonitorWorkarea(monitors[i], &left, &top, &width, &height);
    const bool has_first = x >= left && x < left + width && y >= top && y < top + height;
    if (has_first) continue;
    glfwSetWindowPos(window, left + width / 10, top + height / 10);
    return;
  }
}

}  // namespace

PresenterWindow::~PresenterWindow() {
  if (window_ != nullptr) close(glfwGetCurrentContext());
}

void PresenterWindow::follow(App& app, GLFWwindow* first, WindowEvents& events, double em) {
  bool& wanted = app.presentation.presenter;
  if (window_ != nullptr && glfwWindowShouldClose(window_) != 0) wanted = false;
  wanted = wanted && app.presentation.on && app.lesson.playing();
  if (!wanted && window_ != nullptr) return close(first);
  if (wanted && window_ == nullptr) open(app, first, events);
  if (window_ == nullptr) return;
  glfwMakeContextCurrent(window_);
  draw(app, em);
  glfwMakeContextCurrent(first);
}

void PresenterWindow::open(const App& app, GLFWwindow* first, WindowEvents& events) {
  // Read at arm's length beside a projector: most of a laptop's screen.
  constexpr int width = 1120, height = 720;
  glfwDefaultWindowHints();
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
  glfwWindowHint(GLFW_FOCUS_ON_SHOW, GLFW_FALSE);
  window_ = glfwCreateWindow(width, height, app.tr(TR("Presenter's view")), nullptr, nullptr);
  if (window_ == nullptr) return;
  place_beside(window_, first);
  listen_to_keys(window_, events);
  glfwMakeContextCurrent(window_);
  // Whoever waits for this window must not keep the audience waiting.
  glfwSwapInterval(0);
  texture_ = gl::Texture::make();
  framebuffer_ = gl::Framebuffer::make();
  glfwMakeContextCurrent(first);
  opened_at_ = glfwGetTime();
  drawn_.clear();
}

void PresenterWindow::close(GLFWwindow* first) {
  glfwMakeContextCurrent(window_);
  texture_ = {};
  framebuffer_ = {};
  glfwMakeContextCurrent(first == window_ ? nullptr : first);
  glfwDestroyWindow(window_);
  window_ = nullptr;
}

void PresenterWindow::draw(App& app, double em) {
  int width = 0, height = 0;
  glfwGetFramebufferSize(window_, &width, &height);
  if (width <= 0 || height <= 0) return;
  const LessonPlayer& player = app.lesson;
  const auto seconds = static_cast<int>(glfwGetTime() - opened_at_);
  PresenterPage page{*player.lesson,
                     {player.step, player.part},
                     local_time(std::time(nullptr), "%H:%M"),
                     app.tr("Elapsed: {}", app.tr.plural("{} minute", "{} minutes", seconds / 60))};
  const bool known = player.shown && player.shown->given;
  const std::string wanted =
      fmt::format("{} {} {} {} {} {} {} {} {} {}", player.path, player.step, player.part, page.time,
                  page.since, width, height, known, static_cast<int>(app.language()), em);
  if (wanted == drawn_) return;
  drawn_ = wanted;
  page.right = right_choices(player);
  // Whoever presents knows the answers.
  show(presenter_page(
      page, width, height, em, shaper_, [&](const TextSpan& span) { return lesson_number(app, span, false); },
      app.tr));
}

void PresenterWindow::show(const Picture& picture) {
  glBindTexture(GL_TEXTURE_2D, texture_.id());
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, picture.width, picture.height, 0, GL_RGBA, GL_UNSIGNED_BYTE,
               picture.rgba.data());
  glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer_.id());
  glFramebufferTexture2D(GL_READ_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture_.id(), 0);
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
  // The first row of a picture is the upper one, of a window the lower one.
  glBlitFramebuffer(0, picture.height, picture.width, 0, 0, 0, picture.width, picture.height,
                    GL_COLOR_BUFFER_BIT, GL_NEAREST);
  glfwSwapBuffers(window_);
}

}  // namespace headscope
