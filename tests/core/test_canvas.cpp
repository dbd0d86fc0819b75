#include "core/figure/canvas/canvas.h"
#include "core/figure/text/chinese_text.h"
#include "tests/support/png.h"

namespace headscope::tests {

MapPicture picture_of(const std::vector<float>& values, Index n_q, Index n_k,
                      const std::uint8_t* blocked = nullptr) {
  MapPicture picture;
  picture.values = values.data();
  picture.blocked = blocked;
  picture.n_q = n_q;
  picture.n_k = n_k;
  picture.query_end = static_cast<double>(n_q);
  picture.key_end = static_cast<double>(n_k);
  picture.colors = &colors(Colormap::viridis);
  picture.masked = masked_style(Theme::light);
  return picture;
}

/// A map of 100 x 100 pixels with its upper left corner at (10, 20).
Pixels map_pixels(const MapPicture& picture) {
  TextShaper shaper;
  const auto canvas = make_canvas(FigureFormat::png, 120, 130, 72, shaper, {"", "{}"});
  canvas->fill({0, 0, 120, 130}, {255, 255, 255});
  canvas->map(picture, {10, 20, 100, 100});
  return decoded(canvas->finish());
}

TEST(Canvas, chinese_is_simplified_with_its_punctuation) {
  const std::pair<const char*, bool> texts[] = {{"直：", true},  {"：", true},    {"，", true},
                                                {"、", true},    {"直か", false}, {"か：", false},
                                                {"a: b", false}, {"…", false}};
  for (const auto& [text, simplified] : texts) EXPECT_EQ(wants_simplified(text), simplified) << text;
  EXPECT_TRUE(mostly_han("看 softmax 的“键”"));
  EXPECT_FALSE(mostly_han("the token “猫” again"));
}

TEST(Canvas, every_cell_has_its_colour) {
  std::vector<float> values;
  for (int i = 0; i < 35; ++i) values.push_back(static_cast<float>((i * 13) % 35) / 34);
  const MapPicture picture = picture_of(values, 5, 7);  // not square, to detect a transposed map
  const Pixels pixels = map_pixels(picture);
  for (int q = 0; q < 5; ++q)
    for (int k = 0; k < 7; ++k) {
      const float value = values[static_cast<std::size_t>(q * 7 + k)];
      const Rgb expected = (*picture.colors)[static_cast<std::size_t>(picture.range.index(value))];
      EXPECT_EQ(pixels.at(10 + (2 * k + 1) * 100 / 14, 20 + (2 * q + 1) * 100 / 10), expected)
          << q << ", " << k;
    }
  EXPECT_EQ(pixels.at(9, 60), (Rgb{255, 255, 255}));
  EXPECT_EQ(pixels.at(110, 60), (Rgb{255, 255, 255}));
}

TEST(Canvas, masked_cells_are_hatched_and_filtered_ones_are_not) {
  const std::vector<float> values(4, 0.5F);
  const std::array<std::uint8_t, 4> blocked{0, 1, 2, 0};
  const MapPicture picture = picture_of(values, 2, 2, blocked.data());
  const Pixels pixels = map_pixels(picture);
  std::set<int> masked, filtered;
  for (int y = 2; y < 48; ++y)
    for (int x = 2; x < 48; ++x) {
      masked.insert(pixels.at(60 + x, 20 + y).r);
      filtered.insert(pixels.at(10 + x, 70 + y).r);
    }
  EXPECT_EQ(filtered, std::set<int>{picture.masked.background.r});
  EXPECT_GT(masked.size(), 2U);  // background, lines, and between
  EXPECT_TRUE(masked.contains(picture.masked.background.r));
  EXPECT_LT(*masked.begin(), (picture.masked.background.r + picture.masked.line.r) / 2);
  const Rgb shown = (*picture.colors)[128];
  EXPECT_EQ(pixels.at(35, 45), shown);
  EXPECT_EQ(pixels.at(85, 95), shown);
}

TEST(Canvas, of_cells_smaller_than_pixels_the_brightest_shows) {
  constexpr Index n = 1000;
  std::vector<float> values(static_cast<std::size_t>(n * n), 0);
  for (Index i = 0; i < 40; ++i)
    values[static_cast<std::size_t>((25 * i + 3) * n + (25 * i * 7 + 11) % n)] = 1;
  const Pixels pixels = map_pixels(picture_of(values, n, n));
  int bright = 0;
  for (int y = 0; y < 100; ++y)
    for (int x = 0; x < 100; ++x) bright += pixels.at(10 + x, 20 + y) == colors(Colormap::viridis)[255];
  EXPECT_EQ(bright, 40);
}

}  // namespace headscope::tests
