#include "app/gl/handles.h"

#include <epoxy/gl.h>

namespace headscope::gl {

unsigned create_texture() {
  unsigned id = 0;
  glGenTextures(1, &id);
  return id;
}
void destroy_texture(unsigned id) {
  glDeleteTextures(1, &id);
}

unsigned create_framebuffer() {
  unsigned id = 0;
  glGenFramebuffers(1, &id);
  return id;
}
void destroy_framebuffer(unsigned id) {
  glDeleteFramebuffers(1, &id);
}

unsigned create_vertex_array() {
  unsigned id = 0;
  glGenVertexArrays(1, &id);
  return id;
}
void destroy_vertex_array(unsigned id) {
  glDeleteVertexArrays(1, &id);
}

unsigned create_program() {
  return glCreateProgram();
}
void destroy_program(unsigned id) {
  glDeleteProgram(id);
}

unsigned create_vertex_shader() {
  return glCreateShader(GL_VERTEX_SHADER);
}
unsigned create_fragment_shader() {
  return glCreateShader(GL_FRAGMENT_SHADER);
}
void destroy_shader(unsigned id) {
  glDeleteShader(id);
}

}  // namespace headscope::gl
