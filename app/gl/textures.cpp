#include "app/gl/textures.h"

#include <backends/imgui_impl_opengl3.h>

namespace headscope::gl {

bool update_textures(ImDrawData& data) {
  bool made = false;
  if (data.Textures == nullptr) return false;
  for (ImTextureData* texture : *data.Textures) {
    made = made || texture->Status == ImTextureStatus_WantCreate;
    if (texture->Status != ImTextureStatus_OK) ImGui_ImplOpenGL3_UpdateTexture(texture);
  }
  return made;
}

}  // namespace headscope::gl
