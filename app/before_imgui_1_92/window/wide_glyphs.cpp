#include "app/before_imgui_1_92/window/wide_glyphs.h"

#include <ft2build.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include FT_FREETYPE_H

#include "app/panels/widgets/glyphs.h"

namespace headscope {

void WideGlyph::copy_into(ImFontAtlas& atlas) const {
  const ImFontAtlasCustomRect* place = atlas.GetCustomRectByIndex(rect);
  if (!place->IsPacked()) return;
  for (int y = 0; y < height; ++y)
    std::copy_n(alpha.data() + static_cast<std::ptrdiff_t>(y) * width, width,
                atlas.TexPixelsAlpha8 + (place->Y + y) * atlas.TexWidth + place->X);
}

void reserve_wide_glyphs(std::vector<WideGlyph>& list, ImFontAtlas& atlas, ImFont* font, const FontFace& face,
                         const std::set<char32_t>& characters, double em, double ascent) {
  if (sizeof(ImWchar) > 2 || characters.empty() || *characters.rbegin() <= 0xFFFF) return;
  FT_Set_Pixel_Sizes(face.get(), 0, static_cast<FT_UInt>(std::lround(em)));
  for (auto c = characters.upper_bound(0xFFFF); c != characters.end(); ++c) {
    if (FT_Load_Char(face.get(), *c, FT_LOAD_RENDER | FT_LOAD_TARGET_LIGHT) != 0) continue;
    const FT_GlyphSlot glyph = face.get()->glyph;
    const FT_Bitmap& bitmap = glyph->bitmap;
    if (bitmap.pixel_mode != FT_PIXEL_MODE_GRAY || bitmap.width == 0 || bitmap.rows == 0) continue;
    WideGlyph wide{0, static_cast<int>(bitmap.width), static_cast<int>(bitmap.rows), {}};
    for (unsigned y = 0; y < bitmap.rows; ++y) {
      const unsigned char* row = bitmap.buffer + static_cast<std::ptrdiff_t>(y) * bitmap.pitch;
      wide.alpha.insert(wide.alpha.end(), row, row + bitmap.width);
    }
    const ImVec2 offset(static_cast<float>(glyph->bitmap_left),
                        static_cast<float>(std::ceil(ascent)) - static_cast<float>(glyph->bitmap_top));
    wide.rect = atlas.AddCustomRectFontGlyph(font, drawn_character(*c), wide.width, wide.height,
                                             static_cast<float>(glyph->advance.x) / 64, offset);
    list.push_back(std::move(wide));
  }
}

}  // namespace headscope
