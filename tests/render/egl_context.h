#pragma once
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <dlfcn.h>

#include "tests/support/testing.h"

namespace headscope::tests {

/// An OpenGL 3.3 core context without a display or window (Mesa's surfaceless platform), current during its
/// lifetime.
class EglContext {
 public:
  EglContext() {
    // Dear ImGui's loader closes its library with the backend, and calls into it again when that is started
    // anew.
    [[maybe_unused]] static void* const kept = dlopen("libOpenGL.so.0", RTLD_LAZY);
    const char* extensions = eglQueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS);
    if (!extensions || !std::strstr(extensions, "EGL_MESA_platform_surfaceless")) {
      missing_ = "EGL has no surfaceless platform here";
      return;
    }
    const auto get_display =
        reinterpret_cast<PFNEGLGETPLATFORMDISPLAYEXTPROC>(eglGetProcAddress("eglGetPlatformDisplayEXT"));
    display_ = get_display ? get_display(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr)
                           : EGL_NO_DISPLAY;
    if (display_ == EGL_NO_DISPLAY || !eglInitialize(display_, nullptr, nullptr)) {
      missing_ = "EGL's surfaceless platform does not start";
      return;
    }
    eglBindAPI(EGL_OPENGL_API);
    const EGLint config_wanted[] = {EGL_SURFACE_TYPE, 0, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_NONE};
    // The core profile is EGL's default.
    const EGLint wanted[] = {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 3, EGL_NONE};
    EGLConfig config = nullptr;
    EGLint count = 0;
    eglChooseConfig(display_, config_wanted, &config, 1, &count);
    context_ = eglCreateContext(display_, count > 0 ? config : EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, wanted);
    if (context_ == EGL_NO_CONTEXT || !eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, context_))
      missing_ = "no OpenGL 3.3 core context";
  }
  ~EglContext() {
    if (display_ == EGL_NO_DISPLAY) return;
    eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    if (context_ != EGL_NO_CONTEXT) eglDestroyContext(display_, context_);
    eglTerminate(display_);
  }
  EglContext(const EglContext&) = delete;
  EglContext& operator=(const EglContext&) = delete;

  /// Why there is no context; empty if there is one.
  const std::string& missing() const { return missing_; }

 private:
  EGLDisplay display_ = EGL_NO_DISPLAY;
  EGLContext context_ = EGL_NO_CONTEXT;
  std::string missing_;
};

}  // namespace headscope::tests
