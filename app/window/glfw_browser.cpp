// The functions of GLFW that the window calls, in a page, which is one window. Emscripten's own have no names
// of keys, no input methods and no clipboard. app/window/page/browser.js listens to the browser and calls
// what is exported here.
#include <emscripten/emscripten.h>
#include <emscripten/html5.h>

#include <array>
#include <cstdlib>
#include <deque>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/window/browser.h"
#include "core/base/utf8.h"
#include "core/system/machine_memory.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

// Of browser.js.
extern "C" {
void page_listen();
void page_set_cursor(const char* name);
void page_set_title(const char* title);
void page_fill_screen(int all);
void page_set_clipboard(const char* text);
char* page_clipboard();
void page_place_input(float x, float y, float height);
void page_describe(const char* language, const char* text);
void page_end(const char* text);
void page_tell_items(const char* json);
void page_tell_table(const char* title, const char* text);
int page_take_warning();
void page_set_background(const char* color);
void page_run(double (*step)(void*), void (*keep)(void*), void* window);
char* page_keep_font(const char* path);
char* page_address();
void page_show_link(const char* link);
}

struct GLFWcursor {
  const char* name;  ///< in CSS
};
struct GLFWmonitor {};

struct GLFWwindow {
  void* user = nullptr;
  GLFWkeyfun key = nullptr;
  GLFWcharfun character = nullptr;
  GLFWmousebuttonfun button = nullptr;
  GLFWcursorposfun position = nullptr;
  GLFWscrollfun scroll = nullptr;
  GLFWcursorenterfun enter = nullptr;
  GLFWwindowfocusfun focus = nullptr;
  GLFWdropfun drop = nullptr;
  GLFWwindowrefreshfun refresh = nullptr;
  GLFWframebuffersizefun resized = nullptr;
  int width = 0, height = 0;  // CSS pixels
  int pixels_across = 0, pixels_down = 0;
  float ratio = 1;  // device pixels per CSS pixel
  bool fills_screen = false;
  GLFWcursor* cursor = nullptr;
  GLFWvidmode mode{};
  GLFWmonitor monitor;
  GLFWmonitor* monitors[1] = {&monitor};
  std::array<std::string, GLFW_KEY_LAST + 1> key_names;
  std::string clipboard;
  const char* problem = nullptr;
  bool woken = false;  // by an event, since the last step
};

namespace {

/// GLFW's functions know the window without being given it.
GLFWwindow page;

std::optional<headscope::RefusedFiles> refused;
std::optional<std::string> work, link_in_address;
bool works_changed = true;
std::vector<std::string> fonts;  // that came after the first picture
std::deque<headscope::HeardRequest> heard_requests;
headscope::DeviceWishes wishes;

GLFWcursor cursors[] = {{"default"}, {"text"}, {"crosshair"}, {"pointer"}, {"ew-resize"}, {"ns-resize"}};

}  // namespace

// What the browser reports.
extern "C" {

/// Whether the next step is to come at once.
EMSCRIPTEN_KEEPALIVE int page_take_event() {
  return std::exchange(page.woken, false) ? 1 : 0;
}

EMSCRIPTEN_KEEPALIVE void page_on_key(int key, int action, int mods, int sign) {
  if (key < 0 || key > GLFW_KEY_LAST || page.key == nullptr) return;
  page.woken = true;
  std::string& name = page.key_names[key];
  name.clear();
  if (sign > 0) headscope::append_utf8(name, static_cast<char32_t>(sign));
  page.key(&page, key, key, action, mods);
}
EMSCRIPTEN_KEEPALIVE void page_on_character(int character) {
  page.woken = true;
  if (page.character != nullptr) page.character(&page, static_cast<unsigned>(character));
}
EMSCRIPTEN_KEEPALIVE void page_on_button(int button, int down, int mods) {
  page.woken = true;
  if (page.button != nullptr) page.button(&page, button, down != 0 ? GLFW_PRESS : GLFW_RELEASE, mods);
}
EMSCRIPTEN_KEEPALIVE void page_on_position(double x, double y) {
  page.woken = true;
  if (page.position != nullptr) page.position(&page, x, y);
}
EMSCRIPTEN_KEEPALIVE void page_on_wheel(double x, double y) {
  page.woken = true;
  if (page.scroll != nullptr) page.scroll(&page, x, y);
}
EMSCRIPTEN_KEEPALIVE void page_on_enter(int entered) {
  page.woken = true;
  if (page.enter != nullptr) page.enter(&page, entered);
}
EMSCRIPTEN_KEEPALIVE void page_on_focus(int focused) {
  page.woken = true;
  if (page.focus != nullptr) page.focus(&page, focused);
}
EMSCRIPTEN_KEEPALIVE void page_on_drop(const char* path) {
  page.woken = true;
  if (page.drop != nullptr) page.drop(&page, 1, &path);
}
EMSCRIPTEN_KEEPALIVE void page_on_size(int width, int height, int pixels_across, int pixels_down, float ratio,
                                       int screen_width, int screen_height) {
  page.woken = true;
  page.width = width;
  page.height = height;
  page.pixels_across = pixels_across;
  page.pixels_down = pixels_down;
  page.ratio = ratio;
  page.mode.width = screen_width;
  page.mode.height = screen_height;
  if (page.resized != nullptr) page.resized(&page, pixels_across, pixels_down);
  if (page.refresh != nullptr) page.refresh(&page);
}
/// Something that the window shows has changed outside of it.
EMSCRIPTEN_KEEPALIVE void page_on_change() {
  page.woken = true;
  if (page.refresh != nullptr) page.refresh(&page);
}
EMSCRIPTEN_KEEPALIVE void page_on_wishes(int dark, int still) {
  wishes = {dark != 0, still != 0};
  page_on_change();
}
/// How many bytes of files the program has room for.
EMSCRIPTEN_KEEPALIVE double page_room() {
  return headscope::room_for_files();
}
EMSCRIPTEN_KEEPALIVE void page_on_refused(const char* name, double bytes) {
  refused = {name, bytes, headscope::room_for_files()};
  page_on_change();
}
EMSCRIPTEN_KEEPALIVE void page_on_work(const char* path) {
  work = path;
  page_on_change();
}
EMSCRIPTEN_KEEPALIVE void page_on_link(const char* text) {
  link_in_address = text;
  page_on_change();
}
EMSCRIPTEN_KEEPALIVE void page_on_font(const char* path) {
  fonts.emplace_back(path);
  page_on_change();
}
EMSCRIPTEN_KEEPALIVE void page_on_works() {
  works_changed = true;
  page_on_change();
}
/// `text`: nullptr, unless it is the text of a field.
EMSCRIPTEN_KEEPALIVE void page_on_heard(int kind, unsigned id, double value, const char* text) {
  heard_requests.push_back(
      {static_cast<headscope::HeardRequest::Kind>(kind), id, value, text != nullptr ? text : ""});
  page_on_change();
}
EMSCRIPTEN_KEEPALIVE void page_on_fill_screen(int all) {
  page.woken = true;
  page.fills_screen = all != 0;
}

// The window and its context.

int glfwInit() {
  return GLFW_TRUE;
}
void glfwTerminate() {}
void glfwInitHint(int, int) {}
void glfwWindowHint(int, int) {}
void glfwWindowHintString(int, const char*) {}
void glfwGetVersion(int* major, int* minor, int* revision) {
  *major = GLFW_VERSION_MAJOR;
  *minor = GLFW_VERSION_MINOR;
  *revision = GLFW_VERSION_REVISION;
}
int glfwGetError(const char** description) {
  if (description != nullptr) *description = page.problem;
  return page.problem != nullptr ? GLFW_PLATFORM_ERROR : GLFW_NO_ERROR;
}

GLFWwindow* glfwCreateWindow(int, int, const char*, GLFWmonitor*, GLFWwindow*) {
  EmscriptenWebGLContextAttributes attributes;
  emscripten_webgl_init_context_attributes(&attributes);
  attributes.majorVersion = 2;
  attributes.alpha = attributes.depth = attributes.stencil = attributes.antialias = false;
  const EMSCRIPTEN_WEBGL_CONTEXT_HANDLE context = emscripten_webgl_create_context("#canvas", &attributes);
  if (context <= 0 || emscripten_webgl_make_context_current(context) != EMSCRIPTEN_RESULT_SUCCESS) {
    page.problem = "WebGL 2";
    return nullptr;
  }
  page_listen();
  return &page;
}
void glfwDestroyWindow(GLFWwindow*) {}
void glfwMakeContextCurrent(GLFWwindow*) {}
GLFWwindow* glfwGetCurrentContext() {
  return &page;
}
void glfwSwapInterval(int) {}
void glfwSwapBuffers(GLFWwindow*) {}
void glfwSetWindowSizeLimits(GLFWwindow*, int, int, int, int) {}
void glfwSetWindowTitle(GLFWwindow*, const char* title) {
  page_set_title(title);
}
int glfwWindowShouldClose(GLFWwindow*) {
  return GLFW_FALSE;
}
void glfwSetWindowShouldClose(GLFWwindow*, int) {}
int glfwGetWindowAttrib(GLFWwindow*, int attribute) {
  return attribute == GLFW_VISIBLE ? GLFW_TRUE : GLFW_FALSE;
}
void glfwShowWindow(GLFWwindow*) {}
void glfwFocusWindow(GLFWwindow*) {}
void glfwSetWindowAttrib(GLFWwindow*, int, int) {}
void glfwSetWindowUserPointer(GLFWwindow*, void* user) {
  page.user = user;
}
void* glfwGetWindowUserPointer(GLFWwindow*) {
  return page.user;
}
void glfwGetWindowPos(GLFWwindow*, int* x, int* y) {
  *x = *y = 0;
}
void glfwGetWindowSize(GLFWwindow*, int* width, int* height) {
  *width = page.width;
  *height = page.height;
}
void glfwGetFramebufferSize(GLFWwindow*, int* width, int* height) {
  *width = page.pixels_across;
  *height = page.pixels_down;
}
void glfwGetWindowContentScale(GLFWwindow*, float* x, float* y) {
  *x = *y = page.ratio;
}

// The screen.

GLFWmonitor* glfwGetPrimaryMonitor() {
  return &page.monitor;
}
GLFWmonitor** glfwGetMonitors(int* count) {
  *count = 1;
  return page.monitors;
}
const GLFWvidmode* glfwGetVideoMode(GLFWmonitor*) {
  return &page.mode;
}
void glfwGetMonitorPos(GLFWmonitor*, int* x, int* y) {
  *x = *y = 0;
}
void glfwGetMonitorContentScale(GLFWmonitor*, float* x, float* y) {
  *x = *y = page.ratio;
}
void glfwGetMonitorWorkarea(GLFWmonitor*, int* x, int* y, int* width, int* height) {
  *x = *y = 0;
  *width = page.mode.width;
  *height = page.mode.height;
}
GLFWmonitor* glfwGetWindowMonitor(GLFWwindow*) {
  return page.fills_screen ? &page.monitor : nullptr;
}
void glfwSetWindowMonitor(GLFWwindow*, GLFWmonitor* monitor, int, int, int, int, int) {
  page.fills_screen = monitor != nullptr;
  page_fill_screen(page.fills_screen ? 1 : 0);
}

// Events come when the browser calls: there is nothing to wait for.

double glfwGetTime() {
  return emscripten_get_now() / 1000;
}
void glfwPollEvents() {}
void glfwWaitEvents() {}
void glfwWaitEventsTimeout(double) {}
void glfwPostEmptyEvent() {
  page.woken = true;
}
const char* glfwGetKeyName(int key, int) {
  const bool known = key >= 0 && key <= GLFW_KEY_LAST;
  return known ? page.key_names[key].c_str() : nullptr;
}

#define HEADSCOPE_CALLBACK(function, type, member) \
  type function(GLFWwindow*, type callback) {      \
    return std::exchange(page.member, callback);   \
  }
HEADSCOPE_CALLBACK(glfwSetKeyCallback, GLFWkeyfun, key)
HEADSCOPE_CALLBACK(glfwSetCharCallback, GLFWcharfun, character)
HEADSCOPE_CALLBACK(glfwSetMouseButtonCallback, GLFWmousebuttonfun, button)
HEADSCOPE_CALLBACK(glfwSetCursorPosCallback, GLFWcursorposfun, position)
HEADSCOPE_CALLBACK(glfwSetScrollCallback, GLFWscrollfun, scroll)
HEADSCOPE_CALLBACK(glfwSetCursorEnterCallback, GLFWcursorenterfun, enter)
HEADSCOPE_CALLBACK(glfwSetWindowFocusCallback, GLFWwindowfocusfun, focus)
HEADSCOPE_CALLBACK(glfwSetDropCallback, GLFWdropfun, drop)
HEADSCOPE_CALLBACK(glfwSetWindowRefreshCallback, GLFWwindowrefreshfun, refresh)
HEADSCOPE_CALLBACK(glfwSetFramebufferSizeCallback, GLFWframebuffersizefun, resized)
#undef HEADSCOPE_CALLBACK
GLFWwindowiconifyfun glfwSetWindowIconifyCallback(GLFWwindow*, GLFWwindowiconifyfun) {
  return nullptr;
}
GLFWwindowclosefun glfwSetWindowCloseCallback(GLFWwindow*, GLFWwindowclosefun) {
  return nullptr;
}
GLFWwindowcontentscalefun glfwSetWindowContentScaleCallback(GLFWwindow*, GLFWwindowcontentscalefun) {
  return nullptr;
}

// Cursors and the clipboard.

GLFWcursor* glfwCreateStandardCursor(int shape) {
  return &cursors[shape - GLFW_ARROW_CURSOR];
}
void glfwDestroyCursor(GLFWcursor*) {}
void glfwSetCursor(GLFWwindow*, GLFWcursor* cursor) {
  if (std::exchange(page.cursor, cursor) != cursor && cursor != nullptr) page_set_cursor(cursor->name);
}
void glfwSetClipboardString(GLFWwindow*, const char* text) {
  page_set_clipboard(text);
}
const char* glfwGetClipboardString(GLFWwindow*) {
  char* const text = page_clipboard();
  page.clipboard = text;
  std::free(text);
  return page.clipboard.c_str();
}

}  // extern "C"

namespace headscope {

void place_input_in_browser(float x, float y, float height) {
  page_place_input(x, y, height);
}
std::optional<BrowserWarning> take_warning_in_browser() {
  const int warning = page_take_warning();
  return warning < 0 ? std::nullopt : std::optional(static_cast<BrowserWarning>(warning));
}
std::optional<RefusedFiles> take_refused_in_browser() {
  return std::exchange(refused, std::nullopt);
}
void describe_in_browser(const std::string& language, const std::string& text) {
  page_describe(language.c_str(), text.c_str());
}
DeviceWishes wishes_in_browser() {
  return wishes;
}
void set_background_in_browser(const std::string& color) {
  page_set_background(color.c_str());
}
std::optional<HeardRequest> take_heard_request_in_browser() {
  if (heard_requests.empty()) return {};
  HeardRequest request = std::move(heard_requests.front());
  heard_requests.pop_front();
  return request;
}
void tell_items_in_browser(const std::string& json) {
  page_tell_items(json.c_str());
}
void tell_table_in_browser(const std::string& title, const std::string& text) {
  page_tell_table(title.c_str(), text.c_str());
}
void end_in_browser(const std::string& why) {
  page_end(why.empty() ? nullptr : why.c_str());
}
void run_in_browser(double (*step)(void* window), void (*keep)(void* window), void* window) {
  page_run(step, keep, window);
}
std::optional<std::string> take_work_in_browser() {
  return std::exchange(work, std::nullopt);
}
std::optional<std::string> take_link_in_browser() {
  return std::exchange(link_in_address, std::nullopt);
}
void show_link_in_browser(const std::string& link) {
  page_show_link(link.c_str());
}
bool take_works_in_browser() {
  return std::exchange(works_changed, false);
}
std::vector<std::string> take_fonts_in_browser() {
  return std::exchange(fonts, {});
}

namespace {

/// A text of browser.js, which is freed.
std::string taken(char* given) {
  std::string text = given;
  std::free(given);
  return text;
}

}  // namespace

std::string keep_font_in_browser(const std::string& path) {
  return taken(page_keep_font(path.c_str()));
}
std::string address_in_browser() {
  return taken(page_address());
}

}  // namespace headscope
