#pragma once
#include <utility>

#include "app/gl/opengl.h"

namespace headscope::gl {

/// Owns one OpenGL object; movable, not copyable. Must be destroyed before its context.
template <typename Kind>
class Handle {
 public:
  Handle() = default;
  static Handle make() {
    Handle handle;
    handle.id_ = Kind::create();
    return handle;
  }
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, 0)) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(id_, other.id_);
    return *this;
  }
  ~Handle() {
    if (id_ != 0) Kind::destroy(id_);
  }
  unsigned id() const { return id_; }
  explicit operator bool() const { return id_ != 0; }

 private:
  unsigned id_ = 0;
};

/// Objects that OpenGL makes and deletes several at a time.
template <auto& generate, auto& remove>
struct GeneratedObject {
  static unsigned create() {
    unsigned id = 0;
    generate(1, &id);
    return id;
  }
  static void destroy(unsigned id) { remove(1, &id); }
};
template <GLenum stage>
struct ShaderObject {
  static unsigned create() { return glCreateShader(stage); }
  static void destroy(unsigned id) { glDeleteShader(id); }
};
struct ProgramObject {
  static unsigned create() { return glCreateProgram(); }
  static void destroy(unsigned id) { glDeleteProgram(id); }
};

using Texture = Handle<GeneratedObject<glGenTextures, glDeleteTextures>>;
using Framebuffer = Handle<GeneratedObject<glGenFramebuffers, glDeleteFramebuffers>>;
using VertexArray = Handle<GeneratedObject<glGenVertexArrays, glDeleteVertexArrays>>;
using Program = Handle<ProgramObject>;
using VertexShader = Handle<ShaderObject<GL_VERTEX_SHADER>>;
using FragmentShader = Handle<ShaderObject<GL_FRAGMENT_SHADER>>;

}  // namespace headscope::gl
