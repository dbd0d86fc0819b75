#pragma once
#include <imgui.h>

#include <cstdint>
#include <set>
#include <vector>

#include "app/window/font_faces.h"

namespace headscope {

/// A bitmap that ImGui's builder does not make: of a character above U+FFFF under its stand-in
/// (app/panels/widgets/glyphs.h), for an ImGui with 16-bit ImWchar, or of one that the device draws
/// (core/figure/text/device_glyph.h). Space is reserved before the atlas is built, and the bitmap is copied
/// into it afterwards.
struct WideGlyph {
  ImFont* font = nullptr;
  ImWchar drawn = 0;  ///< what stands for it in texts
  int rect = 0, width = 0, height = 0;
  std::vector<unsigned char> alpha;   ///< [height, width], for the text's colour
  std::vector<std::uint32_t> colors;  ///< in its place [height, width]: ImGui's RGBA
};

/// Reserves the face's `characters` above U+FFFF for `font`, `em` pixels high.
void reserve_wide_glyphs(std::vector<WideGlyph>& list, ImFontAtlas& atlas, ImFont* font, const FontFace& face,
                         const std::set<char32_t>& characters, double em, double ascent);
/// Reserves these characters as the device draws them.
void reserve_device_glyphs(std::vector<WideGlyph>& list, ImFontAtlas& atlas, ImFont* font,
                           const std::set<char32_t>& characters, double em, double ascent);
/// Once the atlas is built.
void copy_into(ImFontAtlas& atlas, const std::vector<WideGlyph>& glyphs);

}  // namespace headscope
