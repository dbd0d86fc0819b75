#include "app/before_imgui_1_92/window/wide_glyphs.h"

#include <ft2build.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <utility>
#include FT_FREETYPE_H

#include "app/panels/widgets/glyphs.h"
#include "core/figure/text/device_glyph.h"

namespace headscope {

namespace {

void reserve(std::vector<WideGlyph>& list, ImFontAtlas& atlas, WideGlyph glyph, double advance, int left,
             int top, double ascent) {
  const ImVec2 offset(static_cast<float>(left), static_cast<float>(std::ceil(ascent) - top));
  glyph.rect = atlas.AddCustomRectFontGlyph(glyph.font, glyph.drawn, glyph.width, glyph.height,
                                            static_cast<float>(advance), offset);
  list.push_back(std::move(glyph));
}

/// Row by row to where the atlas has it.
template <typename Pixel>
void copy_rows(const ImFontAtlas& atlas, const WideGlyph& glyph, const std::vector<Pixel>& from, Pixel* to) {
  const ImFontAtlasCustomRect& place = atlas.CustomRects[glyph.rect];
  if (!place.IsPacked() || from.empty()) return;
  for (int y = 0; y < glyph.height; ++y)
    std::copy_n(from.data() + static_cast<std::ptrdiff_t>(y) * glyph.width, glyph.width,
                to + static_cast<std::ptrdiff_t>(place.Y + y) * atlas.TexWidth + place.X);
}

}  // namespace

void reserve_wide_glyphs(std::vector<WideGlyph>& list, ImFontAtlas& atlas, ImFont* font, const FontFace& face,
                         const std::set<char32_t>& characters, double em, double ascent) {
  if (sizeof(ImWchar) > 2 || characters.empty() || *characters.rbegin() <= 0xFFFF) return;
  FT_Set_Pixel_Sizes(face.get(), 0, static_cast<FT_UInt>(std::lround(em)));
  for (auto c = characters.upper_bound(0xFFFF); c != characters.end(); ++c) {
    if (FT_Load_Char(face.get(), *c, FT_LOAD_RENDER | FT_LOAD_TARGET_LIGHT) != 0) continue;
    const FT_GlyphSlot glyph = face.get()->glyph;
    const FT_Bitmap& bitmap = glyph->bitmap;
    if (bitmap.pixel_mode != FT_PIXEL_MODE_GRAY || bitmap.width == 0 || bitmap.rows == 0) continue;
    WideGlyph wide{
        font, drawn_character(*c), 0, static_cast<int>(bitmap.width), static_cast<int>(bitmap.rows), {}, {}};
    for (unsigned y = 0; y < bitmap.rows; ++y) {
      const unsigned char* row = bitmap.buffer + static_cast<std::ptrdiff_t>(y) * bitmap.pitch;
      wide.alpha.insert(wide.alpha.end(), row, row + bitmap.width);
    }
    reserve(list, atlas, std::move(wide), static_cast<double>(glyph->advance.x) / 64, glyph->bitmap_left,
            glyph->bitmap_top, ascent);
  }
}

void reserve_device_glyphs(std::vector<WideGlyph>& list, ImFontAtlas& atlas, ImFont* font,
                           const std::set<char32_t>& characters, double em, double ascent) {
  for (const char32_t c : characters) {
    std::optional<DeviceGlyph> glyph = device_glyph(c, em);
    if (!glyph) continue;
    WideGlyph wide{font, drawn_character(c), 0, glyph->width, glyph->height, {}, {}};
    if (glyph->colored)
      wide.colors = std::move(glyph->pixels);
    else
      std::ranges::transform(glyph->pixels, std::back_inserter(wide.alpha),
                             [](std::uint32_t pixel) { return static_cast<unsigned char>(pixel >> 24U); });
    reserve(list, atlas, std::move(wide), glyph->advance, glyph->left, glyph->top, ascent);
  }
}

void copy_into(ImFontAtlas& atlas, const std::vector<WideGlyph>& glyphs) {
  if (atlas.TexPixelsAlpha8 == nullptr) return;
  for (const WideGlyph& glyph : glyphs) copy_rows(atlas, glyph, glyph.alpha, atlas.TexPixelsAlpha8);
  if (std::ranges::all_of(glyphs, [](const WideGlyph& glyph) { return glyph.colors.empty(); })) return;
  unsigned char* rgba = nullptr;
  int width = 0, height = 0;
  atlas.GetTexDataAsRGBA32(&rgba, &width, &height);
  for (const WideGlyph& glyph : glyphs) {
    if (glyph.colors.empty()) continue;
    copy_rows(atlas, glyph, glyph.colors, atlas.TexPixelsRGBA32);
    if (const ImFontGlyph* const drawn = glyph.font->FindGlyphNoFallback(glyph.drawn))
      const_cast<ImFontGlyph*>(drawn)->Colored = 1;
  }
}

}  // namespace headscope
