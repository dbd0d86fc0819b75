// The window's fonts, rasterized as in the window.
#include "app/panels/map/map_text.h"
#include "app/panels/widgets/compat.h"
#include "app/panels/widgets/glyphs.h"
#include "app/window/fonts.h"
#include "tests/support/testing.h"

namespace headscope::tests {

class WindowFonts : public testing::TestWithParam<float> {
 protected:
  WindowFonts() {
    const TextSizes sizes = ordinary_sizes(GetParam(), 1);
    fonts.build_first(Translator(Language::en), sizes);
    fonts.show(style, sizes);
  }
  ~WindowFonts() override { ImGui::DestroyContext(context); }

  /// Counts the pixels of a character that reach the screen.
  int ink(const MapTextStyle& text, ImWchar character) {
#if IMGUI_VERSION_NUM < 19200
    const ImFontAtlas& atlas = *fonts.atlas();
    const ImFontGlyph* glyph = font_of(text.size, text.number).FindGlyphNoFallback(character);
    const int columns = atlas.TexWidth, rows = atlas.TexHeight, bytes = 1;
    const unsigned char* pixels = atlas.TexPixelsAlpha8;
#else
    const ImFontGlyph* glyph =
        ImGui::GetIO().FontDefault->GetFontBaked(text.size)->FindGlyphNoFallback(character);
    const ImTextureData& texture = *ImGui::GetIO().Fonts->TexData;
    const int columns = texture.Width, rows = texture.Height, bytes = texture.BytesPerPixel;
    const unsigned char* pixels = texture.Pixels;
#endif
    if (glyph == nullptr) return 0;
    int maximum = 0;
    const auto pixel = [](float share, int size) {
      return static_cast<int>(share * static_cast<float>(size) + 0.5F);
    };
    for (int y = pixel(glyph->V0, rows); y < pixel(glyph->V1, rows); ++y)
      for (int x = pixel(glyph->U0, columns); x < pixel(glyph->U1, columns); ++x)
        maximum = std::max<int>(maximum, pixels[(y * columns + x) * bytes + bytes - 1]);
    return maximum;
  }

  Fonts fonts;
  ImGuiContext* context = ImGui::CreateContext(fonts.atlas());
  Style style;
};

// A stroke one pixel high that is scaled down can fall between the pixels of the screen.
TEST_P(WindowFonts, never_lose_a_minus) {
  constexpr ImWchar minus = 0x2212;
  for (float size = 0.8F * style.small; size < 1.6F * style.small; size += 0.25F) {
    const MapTextStyle number = number_style(static_cast<double>(size));
    EXPECT_LE(number.size, size + 0.5F) << "fits its cell";
    EXPECT_GT(ink(number, minus), 100) << size;
    if (size < style.small) continue;
    EXPECT_GT(ink(text_style(static_cast<double>(size), 0), minus), 100) << size;
  }
}

#if IMGUI_VERSION_NUM >= 19200
// DejaVu Sans, which every system of ours has, has this face.
TEST_P(WindowFonts, have_characters_beyond_16_bits_in_any_size) {
  PanelMemory memory;
  ImGui::GetIO().UserData = &memory;
  const ImWchar grin = drawn_character(0x1F600), missing = drawn_character(0x10FFFD);
  for (const float size : {11.0F, 16.0F, 40.0F}) {
    ImFontBaked& baked = *ImGui::GetIO().FontDefault->GetFontBaked(size);
    EXPECT_NE(baked.FindGlyphNoFallback(grin), nullptr) << size;
    EXPECT_EQ(baked.FindGlyphNoFallback(missing), nullptr) << size;
  }
  EXPECT_THAT(fonts.missing(), testing::Contains(char32_t{0x10FFFD}));
}
#endif

INSTANTIATE_TEST_SUITE_P(TextSizes, WindowFonts, testing::Values(14.0F, 17.0F, 23.0F));

}  // namespace headscope::tests
