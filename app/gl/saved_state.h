#pragma once
#include <array>

namespace headscope::gl {

/// Saves the OpenGL state that drawing a picture changes and restores it on destruction, so that other code
/// that draws is not affected.
class SavedState {
 public:
  static constexpr int texture_units = 4;
  SavedState();
  ~SavedState();
  SavedState(const SavedState&) = delete;
  SavedState& operator=(const SavedState&) = delete;

 private:
  static constexpr int capabilities = 6;
  int draw_framebuffer_ = 0, read_framebuffer_ = 0, program_ = 0, vertex_array_ = 0, active_texture_ = 0;
  int unpack_buffer_ = 0, unpack_alignment_ = 0, unpack_row_length_ = 0;
  std::array<int, 4> viewport_{};
  std::array<int, 2> polygon_mode_{};
  std::array<unsigned char, 4> color_mask_{};
  std::array<int, texture_units> textures_{}, samplers_{};
  std::array<bool, capabilities> enabled_{};
};

}  // namespace headscope::gl
