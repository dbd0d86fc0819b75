#pragma once
#include <imgui.h>

#include "app/window/font_faces.h"

namespace headscope {

/// A font whose glyphs are rasterized from `faces` in any size, which must outlive the atlas. `height`: of a
/// line where no other size is asked for.
ImFont* add_font(ImFontAtlas& atlas, FontFaces& faces, float height);
/// All are rasterized anew: another face may have them.
void forget_glyphs(ImFontAtlas& atlas);

}  // namespace headscope
