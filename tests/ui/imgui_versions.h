#pragma once
#include <imgui.h>
#include <imgui_internal.h>

#include <cmath>
#include <set>

#include "app/panels/widgets/placed_text.h"

// What tests read of Dear ImGui's fonts and give them, in each of its versions.

namespace headscope::tests {

/// Pixels of the texture of all glyphs; the last of its `bytes` is the opacity.
struct GlyphTexture {
  const unsigned char* pixels;
  int width, height, bytes;
};

using BoxCharacters = const std::set<char32_t>& (*)();

#if IMGUI_VERSION_NUM >= 19200

/// For a context whose frames are not shown, after each change of its fonts.
inline void draw_without_graphics() {
  ImGui::GetIO().BackendFlags |= ImGuiBackendFlags_RendererHasTextures;
}

/// As a backend does.
inline void give_textures() {
  for (ImTextureData* texture : *ImGui::GetDrawData()->Textures) {
    texture->SetTexID(1);
    texture->SetStatus(ImTextureStatus_OK);
  }
}

constexpr bool fonts_have_any_size = true;

/// nullptr: the font has it not.
inline const ImFontGlyph* glyph_of(const MapTextStyle& text, ImWchar character) {
  return ImGui::GetIO().FontDefault->GetFontBaked(text.size)->FindGlyphNoFallback(character);
}
inline GlyphTexture glyph_texture() {
  const ImTextureData& texture = *ImGui::GetIO().Fonts->TexData;
  return {texture.Pixels, texture.Width, texture.Height, texture.BytesPerPixel};
}

/// Calls use(height of a line, glyph) for what the fonts have, in each size.
template <typename Use>
void for_each_glyph(const Use& use) {
  ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
  for (int i = 0; i < atlas.Builder->BakedPool.Size; ++i) {
    const ImFontBaked& baked = atlas.Builder->BakedPool[i];
    if (!baked.WantDestroy)
      for (const ImFontGlyph& glyph : baked.Glyphs) use(baked.Size, glyph);
  }
}

/// Gives the test's fonts boxes for these characters, so many lines wide.
template <BoxCharacters characters, int lines>
void add_boxes() {
  static const ImFontLoader boxes = [] {
    ImFontLoader loader;
    loader.FontSrcContainsGlyph = [](ImFontAtlas*, ImFontConfig*, ImWchar c) {
      return characters().contains(c);
    };
    loader.FontBakedLoadGlyph = [](ImFontAtlas*, ImFontConfig*, ImFontBaked* baked, void*, ImWchar c,
                                   ImFontGlyph* glyph, float* advance) {
      if (!characters().contains(c)) return false;
      if (advance != nullptr) {
        *advance = lines * baked->Size;
        return true;
      }
      glyph->Codepoint = c;
      glyph->AdvanceX = lines * baked->Size;
      glyph->X1 = glyph->Y1 = 5;
      glyph->U1 = glyph->V1 = 1;
      glyph->Visible = true;
      return true;
    };
    return loader;
  }();
  ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
  for (ImFont* font : atlas.Fonts) {
    ImFontConfig config;
    config.FontLoader = &boxes;
    config.MergeMode = true;
    config.DstFont = font;
    atlas.AddFont(&config);
  }
}

#else

inline void draw_without_graphics() {
  unsigned char* pixels = nullptr;
  int width = 0, height = 0;
  ImGui::GetIO().Fonts->GetTexDataAsRGBA32(&pixels, &width, &height);
}

inline void give_textures() {}

constexpr bool fonts_have_any_size = false;

inline const ImFontGlyph* glyph_of(const MapTextStyle& text, ImWchar character) {
  return font_of(text)->FindGlyphNoFallback(character);
}
inline GlyphTexture glyph_texture() {
  const ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
  return {atlas.TexPixelsAlpha8, atlas.TexWidth, atlas.TexHeight, 1};
}

template <typename Use>
void for_each_glyph(const Use& use) {
  for (const ImFont* font : ImGui::GetIO().Fonts->Fonts)
    for (const ImFontGlyph& glyph : font->Glyphs) use(font->FontSize, glyph);
}

template <BoxCharacters characters, int lines>
void add_boxes() {
  for (ImFont* font : ImGui::GetIO().Fonts->Fonts) {
    for (const char32_t c : characters())
      font->AddGlyph(nullptr, static_cast<ImWchar>(c), 0, 0, 5, 5, 0, 0, 1, 1, lines * font->FontSize);
    font->BuildLookupTable();
  }
}

#endif

}  // namespace headscope::tests
