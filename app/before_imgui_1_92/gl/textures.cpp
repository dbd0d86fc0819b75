#include "app/gl/textures.h"

#include "app/before_imgui_1_92/imgui_1_92.h"

namespace headscope::gl {

/// The one texture is the fonts': the atlas has its pixels until its first frame is drawn, which are tens of
/// megabytes.
bool update_textures(ImDrawData&) {
  ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
  const bool made = atlas.TexID != nullptr && atlas.TexPixelsRGBA32 != nullptr;
  if (made) atlas.ClearTexData();
  return made;
}

}  // namespace headscope::gl
