// The window's fonts, rasterized as in the window.
#include "app/panels/widgets/glyphs.h"
#include "app/panels/widgets/placed_text.h"
#include "app/panels/widgets/widget_memory.h"
#include "app/state/lesson/play_lesson.h"
#include "app/window/fonts.h"
#include "app/window/text_sizes.h"
#include "tests/support/testing.h"
#include "tests/ui/imgui_versions.h"

namespace headscope::tests {

class WindowFonts : public testing::TestWithParam<float> {
 protected:
  WindowFonts() {
    use_widget_memory(memory);
    fonts->open(Language::en, sizes);
    show();
  }
  ~WindowFonts() override { ImGui::DestroyContext(context); }

  bool show() { return fonts->show(app, events, sizes); }

  /// The opacity of a character's darkest pixel that reaches the screen.
  static int ink(const MapTextStyle& text, ImWchar character) {
    const ImFontGlyph* glyph = glyph_of(text, character);
    if (glyph == nullptr) return 0;
    const GlyphTexture texture = glyph_texture();
    int maximum = 0;
    const auto pixel = [](float share, int size) {
      return static_cast<int>(share * static_cast<float>(size) + 0.5F);
    };
    for (int y = pixel(glyph->V0, texture.height); y < pixel(glyph->V1, texture.height); ++y)
      for (int x = pixel(glyph->U0, texture.width); x < pixel(glyph->U1, texture.width); ++x)
        maximum = std::max<int>(maximum,
                                texture.pixels[(y * texture.width + x) * texture.bytes + texture.bytes - 1]);
    return maximum;
  }
  static int ink(float size, char32_t character) {
    return ink(text_style(static_cast<double>(size), 0), static_cast<ImWchar>(character));
  }

  std::unique_ptr<Fonts> fonts = make_fonts();
  ImGuiContext* context = ImGui::CreateContext();
  TextSizes sizes = ordinary_sizes(GetParam(), 1);
  App app;
  WindowEvents events;
  WidgetMemory memory;
};

// A stroke one pixel high that is scaled down can fall between the pixels of the screen.
TEST_P(WindowFonts, never_lose_a_minus) {
  constexpr ImWchar minus = 0x2212;
  for (float size = 0.8F * sizes.small; size < 1.6F * sizes.small; size += 0.25F) {
    const MapTextStyle number = number_style(static_cast<double>(size));
    EXPECT_LE(number.size, size + 0.5F) << "fits its cell";
    EXPECT_GT(ink(number, minus), 100) << size;
    if (size < sizes.small) continue;
    EXPECT_GT(ink(size, minus), 100) << size;
  }
}

// DejaVu Sans, which every system of ours has, has this face.
TEST_P(WindowFonts, have_characters_beyond_16_bits_in_any_size) {
  const ImWchar grin = drawn_character(0x1F600), missing = drawn_character(0x10FFFD);
  show();
  for (const float size : {11.0F, 16.0F, 40.0F}) {
    EXPECT_NE(glyph_of(text_style(size, 0), grin), nullptr) << size;
    EXPECT_EQ(glyph_of(text_style(size, 0), missing), nullptr) << size;
  }
  EXPECT_THAT(fonts->missing(), testing::Contains(char32_t{0x10FFFD}));
}

TEST_P(WindowFonts, have_what_was_drawn_in_the_frame_before) {
  drawn_text("Ж");  // of a predicted token, which is in no text of the window
  show();
  EXPECT_GT(ink(sizes.font_size, U'Ж'), 100);
  app.presentation.on = true;
  sizes = presented_sizes(720, 1);
  show();
  drawn_text("Ж");
  show();
  EXPECT_GT(ink(sizes.caption, U'Ж'), 100);
  EXPECT_FALSE(show());
}

TEST_P(WindowFonts, have_texts_before_they_are_drawn) {
  app.inputs.sentence = "Б";
  app.state.view.title = "Г";
  app.bookmarks.emplace_back().name = "Д";
  app.notices.info("Ж");
  app.settings.recent_files = {"З"};
  events.input.push({.kind = InputEvent::Kind::character, .character = U'И'});
  show();
  for (const char32_t letter : {U'Б', U'Г', U'Д', U'Ж', U'З', U'И'})
    EXPECT_GT(ink(sizes.font_size, letter), 100) << static_cast<unsigned>(letter);
}

TEST_P(WindowFonts, have_what_a_lesson_says) {
  const TempFolder folder;
  std::ofstream(folder.at("lesson.md")) << R"(# Б | Г

## Д | Ж

```state
{"sentence": "a b"}
```

### English
З

```question
en: И
check: temperature < 1
```
)";
  app.actions.push_back({.id = "another", .text = "Another", .own = {{"", "Л"}}, .run = [](App&) {}});
  ASSERT_TRUE(play_lesson(app, folder.at("lesson.md")));
  app.tr = Translator(Language::zh);
  show();
  for (const char32_t letter : {U'Б', U'Г', U'Д', U'Ж', U'З', U'И', U'Л'})
    EXPECT_GT(ink(sizes.font_size, letter), 100) << static_cast<unsigned>(letter);
}

INSTANTIATE_TEST_SUITE_P(TextSizes, WindowFonts, testing::Values(14.0F, 17.0F, 23.0F));

}  // namespace headscope::tests
