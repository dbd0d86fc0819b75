#pragma once
#include <imgui.h>
#include <imgui_internal.h>

#include <array>
#include <set>
#include <string>

#include "app/panels/widgets/compat.h"
#include "app/state/text/text_edit.h"
#include "core/io/file.h"

namespace headscope::tests {

// Rectangles of marks (app/panels/widgets/ui_anchors.h): left, top, right, bottom.

inline bool overlap(const std::array<float, 4>& a, const std::array<float, 4>& b) {
  constexpr float slack = 0.51F;  // of a pixel, to which edges are rounded
  return a[0] < b[2] - slack && b[0] < a[2] - slack && a[1] < b[3] - slack && b[1] < a[3] - slack;
}

inline bool inside(const std::array<float, 4>& a, const std::array<float, 4>& b) {
  return a[0] >= b[0] - 1 && a[1] >= b[1] - 1 && a[2] <= b[2] + 1 && a[3] <= b[3] + 1;
}

/// Calls use(height of a line, glyph) for what the fonts have, in each size.
template <typename Use>
void for_each_glyph(const Use& use) {
  ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
#if IMGUI_VERSION_NUM < 19200
  for (const ImFont* font : atlas.Fonts)
    for (const ImFontGlyph& glyph : font->Glyphs) use(font->FontSize, glyph);
#else
  for (int i = 0; i < atlas.Builder->BakedPool.Size; ++i) {
    const ImFontBaked& baked = atlas.Builder->BakedPool[i];
    if (!baked.WantDestroy)
      for (const ImFontGlyph& glyph : baked.Glyphs) use(baked.Size, glyph);
  }
#endif
}

/// What the translations have beyond Latin letters.
inline const std::set<char32_t>& wide_characters() {
  static const std::set<char32_t> characters = [] {
    std::set<char32_t> found;
    const std::string text = read_file(SOURCE_DIR "/assets/translations/zh_CN.po", 1 << 22);
    for (std::size_t at = 0; at < text.size();)
      if (const char32_t c = decode_utf8(text, at, at); c > 0x2000 && c < 0x10000) found.insert(c);
    return found;
  }();
  return characters;
}
inline const std::set<char32_t>& combining_marks() {
  static const std::set<char32_t> characters{0x301};
  return characters;
}

/// Gives the test's fonts boxes for these characters, so many lines wide.
template <const std::set<char32_t>& (*characters)(), int lines>
void add_boxes() {
#if IMGUI_VERSION_NUM < 19200
  for (ImFont* font : ImGui::GetIO().Fonts->Fonts) {
    for (const char32_t c : characters())
      font->AddGlyph(nullptr, static_cast<ImWchar>(c), 0, 0, 5, 5, 0, 0, 1, 1, lines * font->FontSize);
    font->BuildLookupTable();
  }
#else
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
#endif
}

/// Glyphs of the translations as wide as they are high, like Chinese ones; the test's font has none.
inline void add_wide_glyphs() {
  add_boxes<wide_characters, 1>();
}
/// Glyphs without a width, like combining marks in a real font.
inline void add_zero_width_glyphs() {
  add_boxes<combining_marks, 0>();
}

}  // namespace headscope::tests
