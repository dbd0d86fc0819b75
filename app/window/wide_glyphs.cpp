#include "app/window/wide_glyphs.h"

#include <ft2build.h>
#include FT_FREETYPE_H

#include <algorithm>
#include <cmath>
#include <memory>

#include "app/panels/widgets/glyphs.h"
#include "app/window/fonts.h"

namespace headscope {
namespace {

using Library = std::unique_ptr<FT_LibraryRec_, decltype(&FT_Done_FreeType)>;
using Face = std::unique_ptr<FT_FaceRec_, decltype(&FT_Done_Face)>;

bool shares_stand_in(char32_t character, const std::set<char32_t>& used) {
  return std::ranges::any_of(used, [character](char32_t other) {
    return other != character && drawn_character(other) == drawn_character(character);
  });
}

}  // namespace

void WideGlyphs::add(ImFontAtlas& atlas, ImFont* font, const FontFace& face, const std::set<char32_t>& used,
                     double em, double ascent) {
  if (sizeof(ImWchar) > 2 || face.characters.empty() || *face.characters.rbegin() <= 0xFFFF) return;
  FT_Library raw_library = nullptr;
  if (FT_Init_FreeType(&raw_library) != 0) return;
  const Library library(raw_library, &FT_Done_FreeType);
  FT_Face raw_face = nullptr;
  if (FT_New_Memory_Face(library.get(), static_cast<const FT_Byte*>(face.memory.get()),
                         static_cast<FT_Long>(face.bytes), face.index, &raw_face) != 0)
    return;
  const Face opened(raw_face, &FT_Done_Face);
  FT_Set_Pixel_Sizes(raw_face, 0, static_cast<FT_UInt>(std::lround(em)));
  for (auto c = face.characters.upper_bound(0xFFFF); c != face.characters.end(); ++c) {
    if (shares_stand_in(*c, used) || FT_Load_Char(raw_face, *c, FT_LOAD_RENDER | FT_LOAD_TARGET_LIGHT) != 0)
      continue;
    const FT_GlyphSlot glyph = raw_face->glyph;
    const FT_Bitmap& bitmap = glyph->bitmap;
    if (bitmap.pixel_mode != FT_PIXEL_MODE_GRAY || bitmap.width == 0 || bitmap.rows == 0) continue;
    Picture picture;
    picture.width = static_cast<int>(bitmap.width);
    picture.height = static_cast<int>(bitmap.rows);
    for (unsigned y = 0; y < bitmap.rows; ++y) {
      const unsigned char* row = bitmap.buffer + static_cast<std::ptrdiff_t>(y) * bitmap.pitch;
      picture.alpha.insert(picture.alpha.end(), row, row + bitmap.width);
    }
    const ImVec2 offset(static_cast<float>(glyph->bitmap_left),
                        static_cast<float>(std::ceil(ascent)) - static_cast<float>(glyph->bitmap_top));
    picture.rect = atlas.AddCustomRectFontGlyph(font, drawn_character(*c), picture.width, picture.height,
                                                static_cast<float>(glyph->advance.x) / 64, offset);
    pictures_.push_back(std::move(picture));
  }
}

void WideGlyphs::copy_into(ImFontAtlas& atlas) const {
  if (atlas.TexPixelsAlpha8 == nullptr) return;
  for (const Picture& picture : pictures_) {
    const ImFontAtlasCustomRect* rect = atlas.GetCustomRectByIndex(picture.rect);
    if (!rect->IsPacked()) continue;
    for (int y = 0; y < picture.height; ++y)
      std::copy_n(picture.alpha.data() + static_cast<std::ptrdiff_t>(y) * picture.width, picture.width,
                  atlas.TexPixelsAlpha8 + (rect->Y + y) * atlas.TexWidth + rect->X);
  }
}

}  // namespace headscope
