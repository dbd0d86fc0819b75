#include "app/window/platform.h"

#include <backends/imgui_impl_opengl3.h>
#if !defined(__EMSCRIPTEN__)
#include <dlfcn.h>
#endif
#include <imgui.h>
#include <imgui_internal.h>

#include "app/gl/opengl.h"
#include "app/panels/shell/draw_app.h"
#include "app/panels/widgets/imgui_calls.h"
#include "app/window/map_window.h"
#include "app/window/start_glfw.h"
#include "app/window/wayland/compositor.h"
#if defined(__EMSCRIPTEN__)
#include "app/window/browser.h"
#endif
#include "core/base/error.h"
#include "core/base/utf8.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <limits>
#include <string_view>
#include <utility>
#include <vector>

// Declared as in glfw3native.h, which needs X11's development headers and pulls in their macros; weak because
// a GLFW for another window system lacks this function.
extern "C" __attribute__((weak)) unsigned long glfwGetX11Window(GLFWwindow* window);

namespace headscope {
namespace {

std::string last_problem() {
  const char* text = nullptr;
  glfwGetError(&text);
  return text != nullptr ? text : "GLFW";
}

Error no_window(const std::string& why) {
  return unable_error(
      "the window cannot be opened: {}; it needs a display and OpenGL 3.3. Figures need neither: see "
      "headscope export --help",
      why);
}

WindowEvents& events_of_current() {
  return *static_cast<WindowEvents*>(glfwGetWindowUserPointer(glfwGetCurrentContext()));
}

#if defined(__EMSCRIPTEN__)
void place_input_method(float x, float y, float height) {
  place_input_in_browser(x, y, height);
}
#else
/// Places an input method's window at the caret, where this GLFW can (none that is released can, but patched
/// and future versions, which have this function).
void place_input_method(float x, float y, float height) {
  using SetRectangle = void (*)(GLFWwindow*, int x, int y, int width, int height);
  static const auto set =
      reinterpret_cast<SetRectangle>(dlsym(RTLD_DEFAULT, "glfwSetPreeditCursorRectangle"));
  if (set != nullptr)
    set(glfwGetCurrentContext(), static_cast<int>(x), static_cast<int>(y), 1, static_cast<int>(height));
}
#endif

void note_place_of_caret(float x, float y, float height) {
  events_of_current().caret = {x, y, height};
  place_input_method(x, y, height);
}

/// Of ImGui's cursors those that its widgets show.
int shape_of(ImGuiMouseCursor cursor) {
  switch (cursor) {
    case ImGuiMouseCursor_TextInput:
      return GLFW_IBEAM_CURSOR;
    case ImGuiMouseCursor_ResizeNS:
      return GLFW_VRESIZE_CURSOR;
    case ImGuiMouseCursor_ResizeEW:
      return GLFW_HRESIZE_CURSOR;
    case ImGuiMouseCursor_Hand:
      return GLFW_HAND_CURSOR;
    default:
      return GLFW_ARROW_CURSOR;
  }
}

const char* clipboard_text(void* window) {
  return glfwGetClipboardString(static_cast<GLFWwindow*>(window));
}
void set_clipboard_text(void* window, const char* text) {
  glfwSetClipboardString(static_cast<GLFWwindow*>(window), text);
}

/// The text scale for a screen with this many lines whose density is not configured: 14 pixels are small on
/// 2160 lines, however large the screen is.
float scale_for_lines(int lines) {
  return lines >= 2800 ? 2.0F : lines >= 2000 ? 1.5F : 1.0F;
}

int lines_of_screen() {
  const GLFWvidmode* mode = nullptr;
  if (GLFWmonitor* monitor = glfwGetPrimaryMonitor()) mode = glfwGetVideoMode(monitor);
  return mode != nullptr ? std::min(mode->width, mode->height) : 0;
}

float screen_scale() {
  float x = 1, y = 1;
  if (GLFWmonitor* monitor = glfwGetPrimaryMonitor()) glfwGetMonitorContentScale(monitor, &x, &y);
  return x;
}

/// On X11 window pixels are screen pixels, so a dense screen needs a larger window for the same view. On
/// Wayland the compositor enlarges it.
float start_scale(WindowSystem system) {
  const float scale = screen_scale();
  if (scale <= 1.01F) return scale_for_lines(lines_of_screen());
  return system == WindowSystem::wayland ? 1 : std::min(scale, 4.0F);
}

/// In the coordinates of windows; no size: unknown.
std::array<int, 2> screen_size(WindowSystem system) {
  int x = 0, y = 0, width = 0, height = 0;
  if (GLFWmonitor* monitor = glfwGetPrimaryMonitor())
    glfwGetMonitorWorkarea(monitor, &x, &y, &width, &height);
  if (system != WindowSystem::wayland) return {width, height};
  const auto enlarged = [](int pixels) {
    return static_cast<int>(static_cast<float>(pixels) / screen_scale());
  };
  return {enlarged(width), enlarged(height)};
}

/// Mesa's software renderers, which copy their single back buffer to the window.
bool draws_by_processor() {
  const auto* name = reinterpret_cast<const char*>(glGetString(GL_RENDERER));
  const std::string_view renderer = name != nullptr ? name : "";
  return renderer.starts_with("llvmpipe") || renderer.starts_with("softpipe");
}

}  // namespace

Platform::Platform(int width, int height, bool maximized, const std::function<void()>& wait_for_fonts)
    : clipboard_{nullptr, clipboard_text, set_clipboard_text} {
  glfwInitHint(GLFW_JOYSTICK_HAT_BUTTONS, GLFW_FALSE);
  const std::optional<ChosenWindowSystem> started = start_glfw();
  if (!started) throw no_window(last_problem());
  system_ = *started;
  glfw_ready_ = true;
  create_window(width, height, maximized);
  wait_for_fonts();
  ImGui::CreateContext();
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;
  io.BackendPlatformName = system_.why;  // for the dialog About Headscope
  io.MouseDoubleClickTime = 0.5F;        // s; as on desktops, because frames of a busy machine come late
  io.ConfigFlags |= ImGuiConfigFlags_NavEnableKeyboard;
  io.BackendFlags |= ImGuiBackendFlags_HasMouseCursors;
  clipboard_.owner = window_;
  use_clipboard(clipboard_);
  set_up_keys(io);
  follow_caret(note_place_of_caret);
  ImGui_ImplOpenGL3_Init(gl::shader_version);
  listen(window_, events_);
  wayland_ = WaylandWindow::of(window_, [this](const std::string& text) { take_composed(text); });
  keeps_frames_ = keeps_frames_ && wayland_ == nullptr;  // whose frames are in turn in several buffers
}

void Platform::take_composed(const std::string& text) {
  events_.frames.ask(DueFrames::event);
  if (find_invalid_utf8(text) != std::string::npos) return;
  for (std::size_t i = 0; i < text.size();)
    events_.input.push(
        {.kind = InputEvent::Kind::character, .character = static_cast<char32_t>(next_code_point(text, i))});
}

Platform::~Platform() {
  wayland_.reset();
  if (window_ != nullptr) {
    ImGui_ImplOpenGL3_Shutdown();
    ImGui::DestroyContext();
    for (GLFWcursor* cursor : cursors_)
      if (cursor != nullptr) glfwDestroyCursor(cursor);
    glfwDestroyWindow(window_);
  }
  if (glfw_ready_) glfwTerminate();
}

void Platform::create_window(int width, int height, bool maximized) {
  const float scale = start_scale(system_.system);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
  glfwWindowHint(GLFW_MAXIMIZED, maximized ? GLFW_TRUE : GLFW_FALSE);
  glfwWindowHint(GLFW_DEPTH_BITS, 0);
  glfwWindowHint(GLFW_STENCIL_BITS, 0);
  // On X11 GLFW waits for what it shows, without an end while the window manager hides it: map_window() does
  // not.
  const bool on_x11 = system_.system == WindowSystem::x11;
  glfwWindowHint(GLFW_VISIBLE, on_x11 ? GLFW_FALSE : GLFW_TRUE);
  glfwWindowHintString(GLFW_X11_CLASS_NAME, "headscope");
  glfwWindowHintString(GLFW_X11_INSTANCE_NAME, "headscope");
#if defined(GLFW_WAYLAND_APP_ID)
  glfwWindowHintString(GLFW_WAYLAND_APP_ID,
                       "io.github.headscope.Headscope");  // the name of the .desktop file
#endif
  const auto [screen_width, screen_height] = screen_size(system_.system);
  const auto fit = [scale](int wanted, int screen) {
    const int size = static_cast<int>(static_cast<float>(wanted) * scale);
    return screen > 200 ? std::min(size, screen) : size;
  };
  window_ =
      glfwCreateWindow(fit(width, screen_width), fit(height, screen_height), "Headscope", nullptr, nullptr);
  if (window_ == nullptr) {
    const std::string why = last_problem();
    glfwTerminate();
    throw no_window(why);
  }
  glfwMakeContextCurrent(window_);
  set_pace();
  keeps_frames_ = draws_by_processor();
  glfwSetWindowSizeLimits(window_, 320, 320, GLFW_DONT_CARE, GLFW_DONT_CARE);
  note_visibility();  // asks, and so waits until the display knows the window
  if (!on_x11) return;
  focuses_when_shown_ = map_window(x11_window()) == MapAnswer::asked;
  if (!focuses_when_shown_) return glfwShowWindow(window_);
  ask_again_at_ = glfwGetTime() + ask_again_in_;
}

/// On Wayland swapping would wait for as long as nobody sees the window: waits_for_frame() keeps the pace.
void Platform::set_pace() {
  glfwSwapInterval(system_.system == WindowSystem::wayland && has_wayland_parts() ? 0 : 1);
}

void Platform::ask_again() {
  if (ask_again_at_ == 0 || glfwGetTime() < ask_again_at_) return;
  constexpr double longest = 16;  // s
  ask_again_in_ = std::min(2 * ask_again_in_, longest);
  const bool taken = !hidden_ || map_window(x11_window()) != MapAnswer::asked;
  ask_again_at_ = taken ? 0 : glfwGetTime() + ask_again_in_;
}

void Platform::wake() {
  woken_ = true;
  glfwPostEmptyEvent();
}

unsigned long Platform::x11_window() const {
  return system_.system == WindowSystem::x11 && glfwGetX11Window != nullptr ? glfwGetX11Window(window_) : 0;
}

void Platform::note_visibility() {
  constexpr double late = 1;  // s: a compositor asks for frames of what is on the screen much sooner
  const bool unseen = waits_for_frame() && glfwGetTime() > swapped_at_ + late;
  hidden_ = unseen || glfwGetWindowAttrib(window_, GLFW_ICONIFIED) != 0 ||
            glfwGetWindowAttrib(window_, GLFW_VISIBLE) == 0;
  // Without a window manager, or by one that asks: as GLFW does for a window that it shows.
  if (!hidden_ && std::exchange(focuses_when_shown_, false)) glfwFocusWindow(window_);
}

double Platform::due_in(double timeout) const {
  if (can_draw() && (events_.frames.any() || !events_.input.empty())) return 0;
  double due = timeout < 0 ? std::numeric_limits<double>::infinity() : std::max(timeout, 0.001);
  for (const double at : {settled_at_, ask_again_at_})
    if (at > 0) due = std::min(due, std::max(at - glfwGetTime(), 0.001));
  return due;
}

void Platform::wait(double timeout) {
  const double due = due_in(timeout);
  if (due == 0)
    glfwPollEvents();
  else if (std::isfinite(due))
    glfwWaitEventsTimeout(due);
  else
    glfwWaitEvents();
  events_.input.seen(glfwGetTime());
  note_visibility();
  ask_again();
  if (settled_at_ > 0 && glfwGetTime() >= settled_at_) {
    settled_at_ = 0;
    events_.frames.ask(DueFrames::measured);
  }
  if (events_.failure) std::rethrow_exception(std::exchange(events_.failure, nullptr));
  if (woken_.exchange(false)) events_.frames.ask(DueFrames::arrived);
}

float Platform::raster_scale() const {
  int width = 0, height = 0, pixels_x = 0, pixels_y = 0;
  glfwGetWindowSize(window_, &width, &height);
  glfwGetFramebufferSize(window_, &pixels_x, &pixels_y);
  if (width <= 0 || pixels_x <= 0) return 1;
  // Wayland's fractions are rounded to whole pixels, but no text is to be drawn anew for that.
  float scale = 1, scale_y = 1;
  glfwGetWindowContentScale(window_, &scale, &scale_y);
  const bool is_rounded = std::abs(scale * static_cast<float>(width) - static_cast<float>(pixels_x)) <= 1;
  return is_rounded ? scale : static_cast<float>(pixels_x) / static_cast<float>(width);
}

float Platform::text_scale() const {
  float x = 1, y = 1;
  glfwGetWindowContentScale(window_, &x, &y);
  if (std::abs(x - 1) < 0.01F && raster_scale() == 1) return scale_for_lines(lines_of_screen());
  return std::clamp(x / raster_scale(), 0.75F, 4.0F);
}

float Platform::height() const {
  int width = 0, height = 0;
  glfwGetWindowSize(window_, &width, &height);
  return static_cast<float>(std::max(height, 1));
}

GLFWmonitor* Platform::monitor() const {
  int x = 0, y = 0, width = 0, height = 0, count = 0;
  glfwGetWindowPos(window_, &x, &y);
  glfwGetWindowSize(window_, &width, &height);
  GLFWmonitor** monitors = glfwGetMonitors(&count);
  GLFWmonitor* best = glfwGetPrimaryMonitor();
  long maximum = 0;
  for (int i = 0; i < count; ++i) {
    int left = 0, top = 0;
    const GLFWvidmode* mode = glfwGetVideoMode(monitors[i]);
    if (mode == nullptr) continue;
    glfwGetMonitorPos(monitors[i], &left, &top);
    const long across = std::min(x + width, left + mode->width) - std::max(x, left);
    const long down = std::min(y + height, top + mode->height) - std::max(y, top);
    if (across > 0 && down > 0 && across * down > maximum) maximum = across * down, best = monitors[i];
  }
  return best;
}

void Platform::fill_screen(bool all) {
  if (all == (glfwGetWindowMonitor(window_) != nullptr)) return;
  events_.damaged = true;
  events_.frames.ask(DueFrames::event);
  if (!all) {
    glfwSetWindowMonitor(window_, nullptr, place_.x, place_.y, place_.width, place_.height, 0);
    return;
  }
  GLFWmonitor* screen = monitor();
  const GLFWvidmode* mode = screen != nullptr ? glfwGetVideoMode(screen) : nullptr;
  if (mode == nullptr) return;
  glfwGetWindowPos(window_, &place_.x, &place_.y);
  glfwGetWindowSize(window_, &place_.width, &place_.height);
  // Keep the window when the keyboard focus goes to another screen.
  glfwSetWindowAttrib(window_, GLFW_AUTO_ICONIFY, GLFW_FALSE);
  glfwSetWindowMonitor(window_, screen, 0, 0, mode->width, mode->height, mode->refreshRate);
  set_pace();
}

FramePixels Platform::drawn_pixels() const {
  FramePixels frame;
  glfwGetFramebufferSize(window_, &frame.width, &frame.height);
  const std::size_t width = frame.width, height = frame.height;
  std::vector<std::uint32_t> from_bottom(width * height);
  glReadPixels(0, 0, frame.width, frame.height, gl::pixel_order, GL_UNSIGNED_BYTE, from_bottom.data());
  for (std::size_t y = height; y-- > 0;)
    for (std::size_t x = 0; x < width; ++x) {
      const std::uint32_t pixel = from_bottom[y * width + x];
      const std::uint32_t exchanged = (pixel & 0xFF) << 16 | (pixel & 0xFF00) | (pixel >> 16 & 0xFF);
      frame.pixels.push_back(gl::has_window_order ? pixel & 0xFFFFFF : exchanged);
    }
  return frame;
}

bool Platform::put_picture(std::string png) {
  return wayland_ != nullptr ? wayland_->offer_picture(std::move(png)) : picture_.offer(std::move(png));
}

std::optional<std::string> Platform::get_picture() {
  return wayland_ != nullptr ? wayland_->picture() : read_clipboard_picture();
}

void Platform::set_editing(bool editing) {
  if (wayland_ != nullptr) wayland_->set_editing(editing);
}

const ComposedText& Platform::composition() const {
  static const ComposedText none;
  return wayland_ != nullptr ? wayland_->composition() : none;
}

bool Platform::begin_frame(bool with_pointer) {
  int width = 0, height = 0, pixels_x = 0, pixels_y = 0;
  glfwGetWindowSize(window_, &width, &height);
  glfwGetFramebufferSize(window_, &pixels_x, &pixels_y);
  if (width <= 0 || height <= 0 || pixels_x <= 0) return false;
  ImGuiIO& io = ImGui::GetIO();
  io.DisplaySize = ImVec2(static_cast<float>(width), static_cast<float>(height));
  io.DisplayFramebufferScale = ImVec2(static_cast<float>(pixels_x) / io.DisplaySize.x,
                                      static_cast<float>(pixels_y) / io.DisplaySize.y);
  events_.input.feed(io);
  pointer_.reset();
  if (!with_pointer) pointer_ = std::exchange(io.MousePos, ImVec2(-FLT_MAX, -FLT_MAX));
  ImGui_ImplOpenGL3_NewFrame();
  ImGui::NewFrame();
  return true;
}

void Platform::end_frame(unsigned background, const gl::ContentOf& content, FramePixels* copy) {
  set_cursor();
  ImGui::Render();
  constexpr double settling_seconds = 0.25;
  if (std::exchange(events_.damaged, false)) {
    renderer_.forget();
    if (keeps_frames_) settled_at_ = glfwGetTime() + settling_seconds;
  }
  if (keeps_frames_ && corner() != kept_corner_) renderer_.forget();
  renderer_.draw(*ImGui::GetDrawData(), background, keeps_frames_, content);
  if (keeps_frames_) kept_corner_ = corner();
  if (copy != nullptr) *copy = drawn_pixels();
  if (pointer_) ImGui::GetIO().MousePos = *pointer_;
  swap();
}

void Platform::drop_frame() {
  set_cursor();
  ImGui::EndFrame();
  events_.frames.ask(DueFrames::measured);
}

void Platform::abandon_frame() {
  if (!GImGui->WithinFrameScope) return;
  recover_frame();
  if (pointer_) ImGui::GetIO().MousePos = *pointer_;
  set_cursor();
  events_.frames.ask(DueFrames::measured);
}

void Platform::swap() {
  swapped_at_ = glfwGetTime();
  if (wayland_ != nullptr) {
    wayland_->place_caret(events_.caret.x, events_.caret.y, events_.caret.height);
    wayland_->note_frame();
  }
  if (!keeps_frames_ || tried_keeping_) return glfwSwapBuffers(window_);
  // Not guaranteed, so it is tested once: other drivers have another frame there, or none.
  tried_keeping_ = true;
  glfwSwapBuffers(window_);
  keeps_frames_ = corner() == kept_corner_;
}

Platform::Corner Platform::corner() const {
  Corner pixels;
  // While a window grows, Mesa's buffer may still be the smaller one, and Mesa reads beyond its end.
  glReadPixels(0, 0, static_cast<GLsizei>(pixels.size()), 1, GL_RGBA, GL_UNSIGNED_BYTE, pixels.data());
  return pixels;
}

void Platform::set_cursor() {
  const int wanted = ImGui::GetMouseCursor();
  if (wanted < 0 || wanted >= std::ssize(cursors_)) return;
  GLFWcursor*& cursor = cursors_[wanted];
  if (cursor == nullptr) cursor = glfwCreateStandardCursor(shape_of(wanted));
  glfwSetCursor(window_, cursor);
}

}  // namespace headscope
