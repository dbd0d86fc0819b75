#pragma once
#include <utility>

namespace headscope::gl {

/// Owns one OpenGL object; movable, not copyable. Must be destroyed before its context.
template <unsigned (*create)(), void (*destroy)(unsigned)>
class Handle {
 public:
  Handle() = default;
  static Handle make() {
    Handle handle;
    handle.id_ = create();
    return handle;
  }
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, 0)) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(id_, other.id_);
    return *this;
  }
  ~Handle() {
    if (id_ != 0) destroy(id_);
  }
  unsigned id() const { return id_; }
  explicit operator bool() const { return id_ != 0; }

 private:
  unsigned id_ = 0;
};

unsigned create_texture();
void destroy_texture(unsigned id);
unsigned create_framebuffer();
void destroy_framebuffer(unsigned id);
unsigned create_vertex_array();
void destroy_vertex_array(unsigned id);
unsigned create_program();
void destroy_program(unsigned id);
unsigned create_vertex_shader();
unsigned create_fragment_shader();
void destroy_shader(unsigned id);

using Texture = Handle<create_texture, destroy_texture>;
using Framebuffer = Handle<create_framebuffer, destroy_framebuffer>;
using VertexArray = Handle<create_vertex_array, destroy_vertex_array>;
using Program = Handle<create_program, destroy_program>;
using VertexShader = Handle<create_vertex_shader, destroy_shader>;
using FragmentShader = Handle<create_fragment_shader, destroy_shader>;

}  // namespace headscope::gl
