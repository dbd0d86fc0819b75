#pragma once
#include <imgui.h>

#include <set>
#include <vector>

#include "app/window/font_faces.h"

namespace headscope {

/// The bitmap of a character above U+FFFF under its stand-in (app/panels/widgets/glyphs.h), for an ImGui with
/// 16-bit ImWchar. Space is reserved before the atlas is built, and the bitmap is copied into it afterwards.
struct WideGlyph {
  int rect = 0, width = 0, height = 0;
  std::vector<unsigned char> alpha;  // [height, width]

  void copy_into(ImFontAtlas& atlas) const;
};

/// Reserves the face's `characters` above U+FFFF for `font`, `em` pixels high.
void reserve_wide_glyphs(std::vector<WideGlyph>& list, ImFontAtlas& atlas, ImFont* font, const FontFace& face,
                         const std::set<char32_t>& characters, double em, double ascent);

}  // namespace headscope
