#include "core/scene/colormap.h"
#include "core/scene/view_kinds.h"
#include "tests/support/luminance.h"
#include "tests/support/testing.h"

namespace headscope::tests {

/// CIE L* under D65 of an sRGB colour: the perceived lightness, 0 to 100.
double lightness(Rgb c) {
  const double y = luminance(c);
  return y > 216.0 / 24389 ? 116 * std::cbrt(y) - 16 : y * 24389.0 / 27;
}

class Maps : public testing::TestWithParam<Colormap> {};

TEST_P(Maps, lightness_goes_one_way_in_even_steps) {
  const auto& map = colors(GetParam());
  const double sign = lightness(map[255]) > lightness(map[0]) ? 1 : -1;
  const double mean = std::abs(lightness(map[255]) - lightness(map[0])) / 255;
  EXPECT_GT(mean, 60.0 / 255);  // most of the lightness range is used
  // One level of 8-bit colour is up to 0.7 of L*, so steps are compared over 16 colours. Matplotlib's maps
  // are uniform in CAM02-UCS, whose steps near black are half as large in L*.
  constexpr std::size_t stride = 16;
  const double largest =
      GetParam() == Colormap::blues ? 1.55 : 1.4;  // Brewer's classes are darker at the end
  for (std::size_t i = 0; i + stride < 256; ++i) {
    const double step = sign * (lightness(map[i + stride]) - lightness(map[i])) / stride;
    EXPECT_GT(step, 0.5 * mean) << "at " << i;
    EXPECT_LT(step, largest * mean) << "at " << i;
  }
  for (std::size_t i = 0; i + 1 < 256; ++i)
    EXPECT_GE(sign * (lightness(map[i + 1]) - lightness(map[i])), -0.25) << i;
}

std::vector<Colormap> all_maps() {
  std::vector<Colormap> maps;
  for (const ColormapRow& row : colormaps()) maps.push_back(row.value);
  return maps;
}

INSTANTIATE_TEST_SUITE_P(All, Maps, testing::ValuesIn(all_maps()));

TEST(Colormap, rows_are_in_the_order_of_the_maps_and_are_read_by_their_names) {
  ASSERT_EQ(colormaps().size(), 5U);
  for (std::size_t i = 0; i < colormaps().size(); ++i) {
    EXPECT_EQ(static_cast<std::size_t>(colormaps()[i].value), i);
    EXPECT_EQ(from_name<Colormap>(colormaps()[i].name), colormaps()[i].value);
    EXPECT_EQ(&colors(colormaps()[i].value), &colormaps()[i].colors);
  }
  EXPECT_EQ(from_name<Colormap>("grays"), Colormap::greys);
}

TEST(Colormap, ends_are_those_known_from_matplotlib) {
  EXPECT_EQ(colors(Colormap::viridis)[0], (Rgb{0x44, 0x01, 0x54}));
  EXPECT_EQ(colors(Colormap::viridis)[255], (Rgb{0xfd, 0xe7, 0x25}));
  EXPECT_EQ(colors(Colormap::magma)[255], (Rgb{0xfc, 0xfd, 0xbf}));
  EXPECT_EQ(colors(Colormap::cividis)[0], (Rgb{0x00, 0x22, 0x4e}));
  EXPECT_EQ(colors(Colormap::greys)[0], (Rgb{255, 255, 255}));
  EXPECT_EQ(colors(Colormap::greys)[255], (Rgb{0, 0, 0}));
  EXPECT_EQ(colors(Colormap::blues)[0], (Rgb{0xf7, 0xfb, 0xff}));
  EXPECT_EQ(colors(Colormap::blues)[255], (Rgb{0x08, 0x30, 0x6b}));
}

TEST(Colormap, colours_between_are_matplotlibs) {
  const auto expect = [](Colormap map, std::array<Rgb, 4> at_1_64_127_200) {
    const std::size_t places[] = {1, 64, 127, 200};
    for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(colors(map)[places[i]], at_1_64_127_200[i]) << i;
  };
  expect(Colormap::viridis,
         {{{0x44, 0x02, 0x56}, {0x3b, 0x52, 0x8b}, {0x21, 0x90, 0x8d}, {0x70, 0xcf, 0x57}}});
  expect(Colormap::magma, {{{0x01, 0x00, 0x05}, {0x51, 0x12, 0x7c}, {0xb5, 0x36, 0x7a}, {0xfd, 0x98, 0x69}}});
  expect(Colormap::cividis,
         {{{0x00, 0x23, 0x4f}, {0x43, 0x4e, 0x6c}, {0x7c, 0x7b, 0x78}, {0xc4, 0xb4, 0x68}}});
  expect(Colormap::blues, {{{0xf6, 0xfa, 0xff}, {0xc6, 0xdb, 0xef}, {0x6c, 0xae, 0xd6}, {0x1a, 0x68, 0xae}}});
}

TEST(Colormap, diverging_is_symmetric_about_its_bright_middle) {
  const auto& map = diverging_colors(Theme::light);
  for (std::size_t i = 0; i < 128; ++i) {
    // 2.5: the blue at the end is clipped slightly, since no screen can show it.
    EXPECT_NEAR(lightness(map[i]), lightness(map[255 - i]), 2.5) << i;
  }
  for (std::size_t i = 1; i < 128; ++i) EXPECT_GE(lightness(map[i]), lightness(map[i - 1]) - 0.25) << i;
  EXPECT_GT(map[0].b, map[0].r + 60);
  EXPECT_GT(map[255].r, map[255].b + 60);
  EXPECT_NEAR(map[127].r, map[127].b, 3);
  EXPECT_NEAR(map[128].r, map[128].b, 3);
}

TEST(Colormap, zero_is_the_background_of_the_dark_theme) {
  const auto& map = diverging_colors(Theme::dark);
  for (const std::size_t middle : {127U, 128U}) {
    EXPECT_NEAR(map[middle].r, dark_background.r, 1);
    EXPECT_NEAR(map[middle].g, dark_background.g, 1);
    EXPECT_NEAR(map[middle].b, dark_background.b, 1);
  }
  for (std::size_t i = 1; i < 128; ++i) {
    EXPECT_LE(lightness(map[i]), lightness(map[i - 1])) << i;
    EXPECT_NEAR(lightness(map[i]), lightness(map[255 - i]), 4) << i;
  }
}

TEST(Colormap, heads_have_distinct_colours) {
  for (const int heads : {1, 8, 10, 12, 64}) {
    std::set<int> seen;
    for (int h = 0; h < heads; ++h) {
      const Rgb c = head_color(h, heads);
      seen.insert(c.r << 16 | c.g << 8 | c.b);
    }
    EXPECT_EQ(seen.size(), static_cast<std::size_t>(heads));
  }
}

TEST(Colormap, heads_of_other_layers_have_other_colours) {
  for (const int heads : {1, 4, 8, 12}) {
    std::set<int> seen;
    for (int layer = 0; layer < 12; ++layer)
      for (int h = 0; h < heads; ++h) {
        const Rgb c = head_color(h, heads, layer);
        seen.insert(c.r << 16 | c.g << 8 | c.b);
      }
    EXPECT_EQ(seen.size(), static_cast<std::size_t>(12 * heads));
  }
}

TEST(Colormap, no_head_is_blue_as_the_selection) {
  for (const int heads : {1, 4, 8, 12, 64})
    for (int layer = 0; layer < 12; ++layer)
      for (int h = 0; h < heads; ++h) {
        const Rgb c = head_color(h, heads, layer);
        EXPECT_FALSE(c.b > c.g + 60 && c.g > c.r + 30) << h << " of " << heads << " in layer " << layer;
      }
}

TEST(Colormap, colours_are_those_of_oklch) {
  EXPECT_EQ(from_oklch(1, 0, 0), (Rgb{255, 255, 255}));
  EXPECT_EQ(from_oklch(0, 0.1, 0), (Rgb{0, 0, 0}));
  EXPECT_EQ(from_oklch(0.44027, 0.1603, 303.373), (Rgb{0x66, 0x33, 0x99})) << "CSS Color 4: rebeccapurple";
}

TEST(ColorRange, position_is_clamped_and_never_na_n) {
  const ColorRange linear{0.2F, 0.6F, false}, equal{0.5F, 0.5F, false};
  const ColorRange logarithm{1e-4F, 1, true};  // every decade has the same number of colours
  const std::tuple<ColorRange, float, double> cases[] = {
      {linear, 0.4F, 0.5},      {linear, 0.1F, 0},       {linear, 0.7F, 1}, {linear, std::nanf(""), 0},
      {logarithm, 1e-3F, 0.25}, {logarithm, 1e-2F, 0.5}, {logarithm, 0, 0}, {logarithm, -1, 0},
      {logarithm, 1, 1},        {equal, 0.5F, 0},        {equal, 0.6F, 1}};
  for (const auto& [range, value, position] : cases) {
    const bool at_end = position == 0 || position == 1;
    EXPECT_NEAR(range.position(value), position, at_end ? 0 : range.logarithm ? 1e-6 : 2e-7) << value;
  }
  EXPECT_EQ(linear.index(0.2F), 0);
  EXPECT_EQ(linear.index(0.6F), 255);
  EXPECT_EQ(linear.index(0.41F), 134);  // 0.525 * 256 = 134.4
}

TEST(MaskedStyle, looks_like_no_colour_of_a_map) {
  for (const Theme theme : {Theme::light, Theme::dark}) {
    const MaskedStyle style = masked_style(theme);
    EXPECT_NE(style.background, style.line);
    for (const Colormap map : {Colormap::viridis, Colormap::magma})
      for (const Rgb c : colors(map)) EXPECT_NE(c, style.background);
  }
}

}  // namespace headscope::tests
