#include "app/gl/saved_state.h"

#include <epoxy/gl.h>

namespace headscope::gl {
namespace {

constexpr GLenum switches[] = {GL_BLEND,        GL_SCISSOR_TEST, GL_DEPTH_TEST,
                               GL_STENCIL_TEST, GL_CULL_FACE,    GL_FRAMEBUFFER_SRGB};

int get(GLenum name) {
  int value = 0;
  glGetIntegerv(name, &value);
  return value;
}

GLuint name(int id) {
  return static_cast<GLuint>(id);
}

}  // namespace

SavedState::SavedState()
    : draw_framebuffer_(get(GL_DRAW_FRAMEBUFFER_BINDING)),
      read_framebuffer_(get(GL_READ_FRAMEBUFFER_BINDING)),
      program_(get(GL_CURRENT_PROGRAM)),
      vertex_array_(get(GL_VERTEX_ARRAY_BINDING)),
      active_texture_(get(GL_ACTIVE_TEXTURE)),
      unpack_buffer_(get(GL_PIXEL_UNPACK_BUFFER_BINDING)),
      unpack_alignment_(get(GL_UNPACK_ALIGNMENT)),
      unpack_row_length_(get(GL_UNPACK_ROW_LENGTH)) {
  glGetIntegerv(GL_VIEWPORT, viewport_.data());
  glGetIntegerv(GL_POLYGON_MODE, polygon_mode_.data());
  glGetBooleanv(GL_COLOR_WRITEMASK, color_mask_.data());
  for (std::size_t unit = 0; unit < texture_units; ++unit) {
    glActiveTexture(static_cast<GLenum>(GL_TEXTURE0 + unit));
    textures_[unit] = get(GL_TEXTURE_BINDING_2D);
    samplers_[unit] = get(GL_SAMPLER_BINDING);
  }
  for (std::size_t i = 0; i < capabilities; ++i) {
    enabled_[i] = glIsEnabled(switches[i]) == GL_TRUE;
    glDisable(switches[i]);
  }
  for (GLuint unit = 0; unit < texture_units; ++unit) glBindSampler(unit, 0);
  glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
  glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
  glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
  glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
}

SavedState::~SavedState() {
  for (std::size_t i = 0; i < capabilities; ++i) {
    if (enabled_[i]) glEnable(switches[i]);
  }
  for (std::size_t unit = 0; unit < texture_units; ++unit) {
    glActiveTexture(static_cast<GLenum>(GL_TEXTURE0 + unit));
    glBindTexture(GL_TEXTURE_2D, name(textures_[unit]));
    glBindSampler(static_cast<GLuint>(unit), name(samplers_[unit]));
  }
  glActiveTexture(static_cast<GLenum>(active_texture_));
  glBindBuffer(GL_PIXEL_UNPACK_BUFFER, name(unpack_buffer_));
  glPixelStorei(GL_UNPACK_ALIGNMENT, unpack_alignment_);
  glPixelStorei(GL_UNPACK_ROW_LENGTH, unpack_row_length_);
  glPolygonMode(GL_FRONT_AND_BACK, static_cast<GLenum>(polygon_mode_[0]));
  glColorMask(color_mask_[0], color_mask_[1], color_mask_[2], color_mask_[3]);
  glViewport(viewport_[0], viewport_[1], viewport_[2], viewport_[3]);
  glBindVertexArray(name(vertex_array_));
  glUseProgram(name(program_));
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, name(draw_framebuffer_));
  glBindFramebuffer(GL_READ_FRAMEBUFFER, name(read_framebuffer_));
}

}  // namespace headscope::gl
