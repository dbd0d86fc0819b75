// The window's fonts, rasterized as in the window.
#include "app/panels/map/map_text.h"
#include "app/window/fonts.h"
#include "tests/support/testing.h"

namespace headscope::tests {

class WindowFonts : public testing::TestWithParam<float> {
 protected:
  WindowFonts() {
    fonts.build(ordinary_sizes(GetParam()), 1);
    fonts.show(style);
  }
  ~WindowFonts() override { ImGui::DestroyContext(context); }

  /// Counts the pixels of a character that reach the screen.
  int ink(const MapTextStyle& text, ImWchar character) {
    const ImFontAtlas& atlas = fonts.atlas();
    const ImFontGlyph* glyph = text.font->FindGlyphNoFallback(character);
    if (glyph == nullptr) return 0;
    int maximum = 0;
    const auto pixel = [](float share, int size) {
      return static_cast<int>(share * static_cast<float>(size) + 0.5F);
    };
    for (int y = pixel(glyph->V0, atlas.TexHeight); y < pixel(glyph->V1, atlas.TexHeight); ++y)
      for (int x = pixel(glyph->U0, atlas.TexWidth); x < pixel(glyph->U1, atlas.TexWidth); ++x)
        maximum = std::max<int>(maximum, atlas.TexPixelsAlpha8[y * atlas.TexWidth + x]);
    return maximum;
  }

  ImGuiContext* context = ImGui::CreateContext();
  Fonts fonts;
  Style style;
};

// A stroke one pixel high that is scaled down can fall between the pixels of the screen.
TEST_P(WindowFonts, never_lose_a_minus) {
  constexpr ImWchar minus = 0x2212;
  for (float size = 0.8F * size_of(style, style.small); size < 1.6F * size_of(style, style.small);
       size += 0.25F) {
    const MapTextStyle number = number_style(style, static_cast<double>(size));
    EXPECT_FLOAT_EQ(number.size, size_of(style, number.font)) << size;
    EXPECT_LE(number.size, size + 0.5F) << "fits its cell";
    EXPECT_GT(ink(number, minus), 100) << size;
    if (size < size_of(style, style.small)) continue;
    const MapTextStyle text = text_style(style, static_cast<double>(size), 0);
    EXPECT_GE(text.size, size_of(style, text.font)) << size;
    EXPECT_GT(ink(text, minus), 100) << size;
  }
}

INSTANTIATE_TEST_SUITE_P(TextSizes, WindowFonts, testing::Values(14.0F, 17.0F, 23.0F));

}  // namespace headscope::tests
