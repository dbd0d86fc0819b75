#include "app/window/glyph_loader.h"

#include <ft2build.h>
#include <imgui_internal.h>

#include <cmath>
#include FT_FREETYPE_H

#include "app/panels/widgets/glyphs.h"

namespace headscope {
namespace {

FontFace* face_of(const ImFontAtlas& atlas, ImWchar drawn) {
  return static_cast<FontFaces*>(atlas.UserData)->of(character_drawn_as(drawn));
}

bool has_glyph(ImFontAtlas* atlas, ImFontConfig*, ImWchar drawn) {
  return face_of(*atlas, drawn) != nullptr;
}

/// `baked` has one size of one font, in ImGui's pixels.
bool begin_size(ImFontAtlas*, ImFontConfig*, ImFontBaked* baked, void*) {
  baked->Ascent = std::round(baked->Size / line_em * baseline_em);
  baked->Descent = baked->Ascent - baked->Size;
  return true;
}

/// Strokes are fitted to the pixels of the screen across lines only, which keeps the widths of letters.
constexpr FT_Int32 how = FT_LOAD_NO_BITMAP | FT_LOAD_TARGET_LIGHT;

FT_GlyphSlot load(FT_Face face, char32_t character, float em) {
  if (FT_Set_Char_Size(face, 0, std::lround(em * 64), 0, 0) != 0 || FT_Load_Char(face, character, how) != 0)
    return nullptr;
  return face->glyph;
}

/// Puts the bitmap into the atlas and its place into the glyph. Returns whether the atlas has room.
bool place_bitmap(ImFontAtlas& atlas, ImFontConfig& source, ImFontBaked& baked, FT_GlyphSlot slot,
                  ImFontGlyph& glyph) {
  const FT_Bitmap& bitmap = slot->bitmap;
  const int width = static_cast<int>(bitmap.width), height = static_cast<int>(bitmap.rows);
  glyph.PackId = ImFontAtlasPackAddRect(&atlas, width, height);
  if (glyph.PackId == ImFontAtlasRectId_Invalid) return false;
  const float scale = 1 / baked.RasterizerDensity;
  glyph.X0 = static_cast<float>(slot->bitmap_left) * scale;
  glyph.Y0 = baked.Ascent - static_cast<float>(slot->bitmap_top) * scale;
  glyph.X1 = glyph.X0 + static_cast<float>(width) * scale;
  glyph.Y1 = glyph.Y0 + static_cast<float>(height) * scale;
  glyph.Visible = true;
  ImFontAtlasBakedSetFontGlyphBitmap(&atlas, &baked, &source, &glyph,
                                     ImFontAtlasPackGetRect(&atlas, glyph.PackId), bitmap.buffer,
                                     ImTextureFormat_Alpha8, bitmap.pitch);
  return true;
}

/// With `advance` only the width is wanted.
bool load_glyph(ImFontAtlas* atlas, ImFontConfig* source, ImFontBaked* baked, void*, ImWchar drawn,
                ImFontGlyph* glyph, float* advance) {
  const FontFace* const face = face_of(*atlas, drawn);
  if (face == nullptr) return false;
  const float density = baked->RasterizerDensity;
  const FT_GlyphSlot slot = load(face->get(), character_drawn_as(drawn), baked->Size / line_em * density);
  if (slot == nullptr) return false;
  const float width = static_cast<float>(slot->advance.x) / 64 / density;
  if (advance != nullptr) {
    *advance = width;
    return true;
  }
  glyph->Codepoint = drawn;
  glyph->AdvanceX = width;
  if (FT_Render_Glyph(slot, FT_RENDER_MODE_NORMAL) != 0) return false;
  const bool empty = slot->bitmap.width == 0 || slot->bitmap.rows == 0;
  return empty || place_bitmap(*atlas, *source, *baked, slot, *glyph);
}

const ImFontLoader& loader() {
  static const ImFontLoader all = [] {
    ImFontLoader made;
    made.Name = "headscope";
    made.FontSrcContainsGlyph = has_glyph;
    made.FontBakedInit = begin_size;
    made.FontBakedLoadGlyph = load_glyph;
    return made;
  }();
  return all;
}

}  // namespace

ImFont* add_font(ImFontAtlas& atlas, FontFaces& faces, float height) {
  atlas.UserData = &faces;
  ImFontConfig config;
  config.FontLoader = &loader();
  config.SizePixels = height;
  config.PixelSnapH = true;
  return atlas.AddFont(&config);
}

void forget_glyphs(ImFontAtlas& atlas) {
  for (ImFont* font : atlas.Fonts) ImFontAtlasFontDiscardBakes(&atlas, font, 0);
}

}  // namespace headscope
