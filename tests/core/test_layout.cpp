#include "core/figure/boards/layout.h"
#include "tests/support/testing.h"

namespace headscope::tests {

/// Every byte is half as wide as the font is high: close enough to a font, and the same on every machine.
double measure(std::string_view text) {
  return 6.5 * static_cast<double>(text.size());
}

std::vector<std::string> tokens(int n, const std::string& word = "word") {
  std::vector<std::string> result;
  for (int i = 0; i < n; ++i) result.push_back(word + std::to_string(i));
  return result;
}

LayoutRequest request(int heads, double width, double height, int n_q, int n_k) {
  LayoutRequest r;
  r.area = {10, 20, width, height};
  for (int h = 0; h < heads; ++h) r.heads.push_back(h);
  r.x_tokens = tokens(n_k);
  r.y_tokens = tokens(n_q);
  r.measure = measure;
  return r;
}

constexpr double slack = 1e-6;  // rounding of sums of a few hundred doubles below 1e4

bool inside(const Rect& a, const Rect& b) {
  return a.width == 0 || a.height == 0 ||
         (a.x >= b.x - slack && a.y >= b.y - slack && a.right() <= b.right() + slack &&
          a.bottom() <= b.bottom() + slack);
}

bool overlap(const Rect& a, const Rect& b) {
  return a.width > 0 && a.height > 0 && b.width > 0 && b.height > 0 && a.x < b.right() - slack &&
         b.x < a.right() - slack && a.y < b.bottom() - slack && b.y < a.bottom() - slack;
}

std::vector<Rect> parts(const PanelLayout& p) {
  return {p.title, p.map, p.x_ticks, p.y_ticks, p.x_label, p.y_label, p.color_bar, p.color_bar.values};
}

void expect_ticks(const std::vector<Tick>& ticks, double begin, double end, double apart) {
  for (std::size_t i = 0; i < ticks.size(); ++i) {
    EXPECT_GE(ticks[i].position, begin);
    EXPECT_LE(ticks[i].position, end);
    if (i == 0) continue;
    EXPECT_LT(ticks[i - 1].token, ticks[i].token);
    EXPECT_GE(ticks[i].position - ticks[i - 1].position, apart - slack);
  }
}

void expect_sound(const LayoutRequest& r) {
  const GridLayout grid = grid_layout(r);
  ASSERT_EQ(grid.panels.size(), r.heads.size());
  for (std::size_t i = 0; i < grid.panels.size(); ++i) {
    const PanelLayout& p = grid.panels[i];
    EXPECT_EQ(p.head, r.heads[i]);
    EXPECT_TRUE(inside(p.frame, r.area)) << "panel " << i;
    const std::vector<Rect> all = parts(p);
    for (std::size_t a = 0; a < all.size(); ++a) {
      EXPECT_GE(all[a].width, 0);
      EXPECT_GE(all[a].height, 0);
      EXPECT_TRUE(inside(all[a], p.frame)) << "part " << a << " of panel " << i;
      for (std::size_t b = a + 1; b < all.size(); ++b)
        EXPECT_FALSE(overlap(all[a], all[b])) << a << " over " << b;
    }
    for (std::size_t j = i + 1; j < grid.panels.size(); ++j)
      EXPECT_FALSE(overlap(p.frame, grid.panels[j].frame));
    EXPECT_FALSE(overlap(p.frame, grid.color_bar));
    const double line = r.line_height * grid.tick_size;  // tight, but not overlapping
    expect_ticks(p.x_tick_labels, p.map.x, p.map.right(), p.ticks_rotated ? line : 0);
    expect_ticks(p.y_tick_labels, p.map.y, p.map.bottom(), line);
  }
}

TEST(Layout, holds_its_properties_at_every_size) {
  std::mt19937 random(1);
  const auto draw = [&](int low, int high) {
    return low + static_cast<int>(random() % static_cast<unsigned>(high - low + 1));
  };
  for (int i = 0; i < 400; ++i) {
    LayoutRequest r = request(draw(1, 64), draw(0, 2000), draw(0, 1500), draw(1, 60), draw(1, 60));
    r.font_size = draw(8, 30);
    r.shared_bar = draw(0, 1) == 1;
    r.rows = draw(0, 3) == 0 ? draw(1, 9) : 0;
    r.columns = draw(0, 3) == 0 ? draw(1, 9) : 0;
    r.maps_first = draw(0, 1) == 1;
    r.one_frame = draw(0, 1) == 1;
    r.min_map = draw(0, 80);
    r.scrolled = draw(0, 3) == 0;
    SCOPED_TRACE(testing::Message() << r.heads.size() << " heads in " << r.area.width << " x "
                                    << r.area.height << ", " << r.y_tokens.size() << " x "
                                    << r.x_tokens.size());
    expect_sound(r);
  }
}

TEST(Layout, cells_that_may_stretch_fill_the_room) {
  for (const int heads : {2, 3, 4, 8, 12}) {
    SCOPED_TRACE(heads);
    LayoutRequest r = request(heads, 1860, 900, 14, 14);
    r.maps_first = r.presented = true;
    r.stretch = 1.6;
    expect_sound(r);
    const GridLayout grid = grid_layout(r);
    const Rect &first = grid.panels.front().map, &last = grid.panels.back().map;
    EXPECT_GE(last.bottom() - first.y, 0.6 * r.area.height);
    EXPECT_GE(grid.panels[static_cast<std::size_t>(grid.shape.columns - 1)].map.right() - first.x,
              0.7 * r.area.width);
    EXPECT_LE(std::max(first.width / first.height, first.height / first.width), 1.6 + 1e-9);
  }
}

TEST(Layout, every_row_that_is_scrolled_has_its_words_and_names) {
  LayoutRequest r = request(8, 366, 4 * 260, 10, 10);
  r.columns = 2;
  r.maps_first = r.one_frame = r.scrolled = true;
  for (const bool shared : {false, true}) {
    r.shared_bar = shared;
    expect_sound(r);
    const GridLayout grid = grid_layout(r);
    EXPECT_EQ(grid.shape, (GridShape{4, 2}));
    for (std::size_t i = 0; i < grid.panels.size(); ++i) {
      const PanelLayout& panel = grid.panels[i];
      EXPECT_EQ(panel.x_tick_labels.size(), 10U) << i;
      EXPECT_EQ(panel.y_tick_labels.size(), i % 2 == 0 ? 10U : 0U) << i;
      EXPECT_GT(panel.x_label.height, 0) << i;
      EXPECT_GT(panel.map.width, 110) << i;
    }
    EXPECT_EQ(grid.x_label.width + grid.y_label.width, 0);
  }
}

/// Eight heads in the window, with text 13 high.
GridLayout in_window(double width, double height, int tokens = 10, bool shared_bar = false) {
  LayoutRequest r = request(8, width, height, tokens, tokens);
  r.maps_first = true;
  r.line_height = 0.9;
  r.shared_bar = shared_bar;
  expect_sound(r);
  return grid_layout(r);
}

TEST(Layout, with_maps_first_maps_take_the_room) {
  for (const bool shared : {false, true})
    for (const auto& [width, height] :
         {std::pair{724.0, 533.0}, {1044.0, 738.0}, {1500.0, 500.0}, {900.0, 1400.0}}) {
      SCOPED_TRACE(testing::Message() << width << " x " << height << (shared ? ", one bar" : ""));
      const GridLayout grid = in_window(width, height, 10, shared);
      const PanelLayout &first = grid.panels[0], &second = grid.panels[1];
      const double pitch = second.map.x - first.map.x;
      EXPECT_GE(first.map.width, 0.8 * pitch);
      // One direction is the limit: what the maps leave there is less than texts, bars and gaps need.
      const double across = width - grid.shape.columns * first.map.width,
                   down = height - grid.shape.rows * first.map.height;
      EXPECT_TRUE(across < 0.25 * width || down < 0.45 * height);
      for (const PanelLayout& p : grid.panels) {
        EXPECT_FALSE(p.x_tick_labels.empty()) << "keys under every row";
        EXPECT_EQ(p.x_tick_labels.size(), 10U);
        EXPECT_GT(p.title.height, 0);
        EXPECT_EQ(p.color_bar.height > 0, !shared);
      }
      EXPECT_EQ(first.y_tick_labels.size(), 10U);
      EXPECT_EQ(grid.color_bar.height > 0, shared);
    }
}

/// The grid of the notebook in a room of that size, with text 14 high that may be larger.
LayoutRequest default_grid(double width, double height) {
  LayoutRequest r = request(8, width, height, 10, 10);
  r.x_tokens =
      r.y_tokens = {"The", "animal", "didn't", "cross", "the", "street", "because", "it", "was", "tired"};
  r.maps_first = r.one_frame = r.named_bars = true;
  r.font_size = 14;
  r.measure = [](std::string_view text) { return 7 * static_cast<double>(text.size()); };
  r.larger = {1.5, 16.0 / 14};
  r.min_map = 67;
  return r;
}

TEST(Layout, a_grid_has_its_words_and_its_axes_once) {
  const LayoutRequest r = default_grid(756, 534);
  expect_sound(r);
  const GridLayout grid = grid_layout(r);
  ASSERT_EQ(grid.shape, (GridShape{2, 4}));
  EXPECT_TRUE(grid.strips);
  for (std::size_t i = 0; i < 8; ++i) {
    const PanelLayout& p = grid.panels[i];
    EXPECT_EQ(p.y_tick_labels.size(), i % 4 == 0 ? 10U : 0U) << i;
    EXPECT_EQ(p.x_tick_labels.size(), i >= 4 ? 10U : 0U) << i;
    EXPECT_EQ(p.x_label.width + p.y_label.width, 0) << i;
    EXPECT_EQ(p.title.x, p.map.x) << i;
    EXPECT_EQ(p.color_bar.width, p.map.width) << i;
    EXPECT_GE(p.map.width, 160) << i;
    for (const Rect& part : parts(p)) {
      EXPECT_FALSE(overlap(part, grid.x_label)) << i;
      EXPECT_FALSE(overlap(part, grid.y_label)) << i;
    }
  }
  EXPECT_TRUE(inside(grid.x_label, r.area) && inside(grid.y_label, r.area));
  EXPECT_GT(grid.x_label.width * grid.x_label.height * grid.y_label.width * grid.y_label.height, 0);
}

TEST(Layout, a_larger_room_never_has_smaller_maps) {
  std::vector<double> above;  // of the height before
  for (int height = 410; height <= 1250; height += 10) {
    std::vector<double> sides;
    for (int width = 270; width <= 2030; width += 10) {
      const std::size_t i = sides.size();
      sides.push_back(grid_layout(default_grid(width, height)).panels[0].map.width);
      if (i > 0) {
        EXPECT_GE(sides[i], sides[i - 1] - slack) << width << " x " << height;
      }
      if (!above.empty()) {
        EXPECT_GE(sides[i], above[i] - slack) << width << " x " << height;
      }
    }
    above = std::move(sides);
  }
}

TEST(Layout, with_maps_first_larger_text_is_larger_in_proportion) {
  LayoutRequest r = request(8, 860, 640, 10, 10);
  r.maps_first = true;
  const GridLayout normal = grid_layout(r);
  r.font_size *= 1.7;
  r.measure = [](std::string_view text) { return 1.7 * measure(text); };
  const GridLayout large = grid_layout(r);
  EXPECT_DOUBLE_EQ(large.tick_size, 1.7 * normal.tick_size);
  EXPECT_DOUBLE_EQ(large.title_size, 1.7 * normal.title_size);
  EXPECT_NEAR(large.panels[0].color_bar.height, 1.7 * normal.panels[0].color_bar.height, slack);
  EXPECT_GE(large.panels[0].map.width, 0.5 * normal.panels[0].map.width);
}

TEST(Layout, a_level_bar_keeps_its_numbers_apart_as_long_as_it_can) {
  const ColorRange range{0.0471F, 0.219F};
  const auto at = [&](double width) { return level_bar({5, 0, width, 14}, range, 13, measure); };
  const auto texts = [](const LevelBar& bar) {
    std::string all;
    for (const BarTick& tick : bar.ticks) all += (all.empty() ? "" : " ") + tick.text;
    return all;
  };
  EXPECT_EQ(texts(at(200)), "0.05 0.10 0.15 0.20");
  EXPECT_EQ(at(200).font_size, 13);
  EXPECT_EQ(texts(at(90)), "0.1 0.2") << "fewer rather than smaller";
  EXPECT_EQ(at(90).font_size, 13);
  EXPECT_EQ(texts(at(20)), ".1 .2") << "rather small than none";
  EXPECT_GE(at(20).font_size, 6.5) << "but not so small that nobody can read it";
  EXPECT_EQ(texts(level_bar({5, 0, 20, 14}, range, 13, measure, false, 10)), "")
      << "none in type that is asked to be larger";
  EXPECT_EQ(texts(at(10)), "");
  for (double width = 0; width < 200; ++width) {
    const LevelBar bar = at(width);
    EXPECT_EQ(bar.bar.width, width);
    double end = 5;
    for (const BarTick& tick : bar.ticks) {
      const double wide = bar.font_size / 13 * measure(tick.text), x = bar.text_x(tick, wide);
      EXPECT_GE(x - wide / 2, end - slack);
      end = x + wide / 2;
    }
    EXPECT_LE(end, 5 + width + slack);
  }
}

TEST(Layout, the_name_of_bars_has_room_of_its_own) {
  for (const bool maps_first : {false, true})
    for (const bool shared : {false, true})
      for (const int heads : {1, 8}) {
        LayoutRequest r = request(heads, 1600, 900, 10, 10);
        r.named_bars = true;
        r.maps_first = maps_first;
        r.shared_bar = shared;
        const GridLayout grid = grid_layout(r);
        EXPECT_GT(grid.bar_name.width * grid.bar_name.height, 0);
        EXPECT_TRUE(inside(grid.bar_name, r.area));
        EXPECT_FALSE(overlap(grid.bar_name, grid.color_bar));
        EXPECT_FALSE(overlap(grid.bar_name, grid.color_bar.values));
        for (const PanelLayout& p : grid.panels)
          for (const Rect& part : parts(p)) EXPECT_FALSE(overlap(grid.bar_name, part));
      }
}

TEST(Layout, text_is_larger_where_maps_keep_most_of_their_size) {
  LayoutRequest r = request(8, 1600, 900, 10, 10);
  r.maps_first = true;
  r.larger = {1.5, 1.2};
  EXPECT_EQ(grid_layout(r).tick_size, 1.5 * r.font_size);
  r.area = {0, 0, 700, 380};
  EXPECT_EQ(grid_layout(r).tick_size, r.font_size);
}

TEST(Layout, nothing_to_show_has_no_negative_size) {
  expect_sound(request(8, 0, 0, 10, 10));
  expect_sound(request(8, -50, 3, 10, 10));
  expect_sound(request(8, 800, 600, 0, 0));
  expect_sound(request(0, 800, 600, 10, 10));
}

/// The shape for square maps with nothing around them.
GridShape shape_of(int heads, double width, double height, int rows = 0, int columns = 0) {
  const auto side = [&](GridShape shape) { return std::min(width / shape.columns, height / shape.rows); };
  return largest_shape(grid_shapes(heads, rows, columns), heads, side);
}

TEST(Layout, eight_heads_are_in_two_rows_of_four) {
  for (const auto& [width, height] : {std::pair{1600, 800}, {1600, 900}, {900, 850}, {3000, 1000}}) {
    const GridLayout grid = grid_layout(request(8, width, height, 10, 10));
    EXPECT_EQ(grid.shape, (GridShape{2, 4})) << width << " x " << height;
  }
  EXPECT_EQ(grid_layout(request(8, 500, 1200, 10, 10)).shape, (GridShape{4, 2}));
  EXPECT_EQ(shape_of(12, 1600, 900), (GridShape{3, 4}));
  EXPECT_EQ(shape_of(16, 1000, 900), (GridShape{4, 4}));
  EXPECT_EQ(shape_of(1, 1600, 900), (GridShape{1, 1}));
}

TEST(Layout, on_a_phone_eight_heads_are_in_two_columns) {
  for (const double height : {560.0, 690.0}) {
    LayoutRequest r = request(8, 330, height, 10, 10);
    r.maps_first = true;
    EXPECT_EQ(grid_layout(r).shape, (GridShape{4, 2})) << height;
  }
}

TEST(Layout, wanted_rows_and_columns_are_kept_where_they_can_be) {
  const std::tuple<int, int, GridShape> cases[] = {
      {1, 0, {1, 8}}, {0, 3, {3, 3}}, {4, 2, {4, 2}}, {2, 2, {4, 2}}, {100, 0, {8, 1}}};
  for (const auto& [rows, columns, shape] : cases) EXPECT_EQ(shape_of(8, 1600, 900, rows, columns), shape);
}

TEST(Layout, cells_are_square_unless_the_map_would_be_too_thin) {
  for (const auto& [n_q, n_k] : {std::pair{10, 10}, {5, 30}, {30, 5}, {512, 512}}) {
    const PanelLayout p = grid_layout(request(4, 1200, 800, n_q, n_k)).panels[0];
    EXPECT_NEAR(p.map.width / n_k, p.map.height / n_q, slack) << n_q << " x " << n_k;
  }
  const PanelLayout thin = grid_layout(request(1, 800, 600, 1, 400)).panels[0];
  EXPECT_GE(thin.map.height, 4 * 13 * 0.7);
  EXPECT_GT(thin.map.width, 500);
}

TEST(Layout, ticks_stay_level_where_they_fit_and_turn_where_they_do_not) {
  const PanelLayout wide = grid_layout(request(1, 1600, 1000, 8, 8)).panels[0];
  EXPECT_FALSE(wide.ticks_rotated);
  EXPECT_EQ(wide.x_tick_labels.size(), 8U);
  const PanelLayout crowded = grid_layout(request(8, 1600, 800, 10, 10)).panels[0];
  EXPECT_TRUE(crowded.ticks_rotated);
  EXPECT_EQ(crowded.x_tick_labels.size(), 10U);
  EXPECT_EQ(crowded.y_tick_labels.size(), 10U);
}

TEST(Layout, ticks_thin_out_evenly) {
  const PanelLayout p = grid_layout(request(2, 1600, 800, 512, 512)).panels[0];
  ASSERT_GT(p.x_tick_labels.size(), 10U);
  ASSERT_LT(p.x_tick_labels.size(), 80U);
  const int step = p.x_tick_labels[1].token;
  for (std::size_t i = 0; i < p.x_tick_labels.size(); ++i)
    EXPECT_EQ(p.x_tick_labels[i].token, static_cast<int>(i) * step);
}

TEST(Layout, long_tokens_are_shortened_and_leave_the_map_its_room) {
  LayoutRequest r = request(8, 1600, 800, 10, 10);
  r.x_tokens[3] = r.y_tokens[3] = std::string(300, 'x');
  const GridLayout grid = grid_layout(r);
  const PanelLayout& p = grid.panels[0];
  EXPECT_GT(p.map.width, 150);
  ASSERT_GT(p.y_tick_labels.size(), 3U);
  EXPECT_TRUE(p.y_tick_labels[3].label.starts_with("xxx"));
  EXPECT_TRUE(p.y_tick_labels[3].label.ends_with("…"));
  EXPECT_LE(measure(p.y_tick_labels[3].label) * grid.tick_size / r.font_size, p.y_ticks.width + slack);
  expect_sound(r);
}

TEST(Layout, cuts_between_whole_characters) {
  const auto by_character = [](std::string_view text) {
    double width = 0;
    for (const char c : text) width += (static_cast<unsigned char>(c) & 0xC0) != 0x80 ? 10 : 0;
    return width;
  };
  const std::tuple<const char*, double, const char*> cases[] = {
      {"注意力", 30, "注意力"},
      {"注意力头", 30, "注意…"},
      {"abc", 10, "…"},
      {"abc", 9, ""},
      // e with a combining acute stays one character
      {"ae\u0301xyz", 35, "a…"},
      {"ae\u0301xyz", 40, "ae\u0301…"},
      {"13329–13336", 110, "13329–13336"},
      {"13329–13336", 100, "13329…"},
      {"13329–13336", 55, "13329"},
      {"13329–13336", 40, "133…"},
      {"13329-13336", 55, "1332…"},
      {"<unk> (bridge)", 140, "<unk> (bridge)"},
      {"<unk> (bridge)", 130, "(bridge)"},
      {"<unk> (bridge)", 50, "(bri…"},
      {"unk (bridge)", 50, "unk …"}};
  for (const auto& [text, room, expected] : cases) EXPECT_EQ(shortened(text, room, by_character), expected);
}

TEST(Layout, numbers_fit_only_into_large_cells) {
  EXPECT_TRUE(grid_layout(request(1, 1000, 1000, 10, 10)).panels[0].numbers_fit);
  EXPECT_FALSE(grid_layout(request(8, 800, 500, 10, 10)).panels[0].numbers_fit);
  LayoutRequest off = request(1, 1000, 1000, 10, 10);
  off.numbers = false;
  EXPECT_FALSE(grid_layout(off).panels[0].numbers_fit);
}

TEST(Layout, sixty_four_heads_keep_titles_bars_and_outer_ticks) {
  const GridLayout grid = grid_layout(request(64, 1600, 900, 10, 10));
  for (const PanelLayout& p : grid.panels) {
    EXPECT_GT(p.title.height, 0);
    EXPECT_GT(p.color_bar.height, 0);
    EXPECT_GT(p.map.height, 40);
  }
  EXPECT_FALSE(grid.panels[0].y_tick_labels.empty());
  EXPECT_FALSE(grid.panels[63].x_tick_labels.empty());
}

TEST(Layout, one_bar_for_all_gives_the_maps_its_room) {
  LayoutRequest r = request(8, 1600, 600, 10, 10);
  const GridLayout own = grid_layout(r);
  r.shared_bar = true;
  const GridLayout shared = grid_layout(r);
  EXPECT_GT(shared.color_bar.height, 200);
  EXPECT_EQ(shared.panels[0].color_bar.width, 0);
  EXPECT_GE(shared.panels[0].map.width, own.panels[0].map.width);
  EXPECT_TRUE(inside(shared.color_bar.values, r.area));
}

/// A figure's page with labels of 9 that may shrink to 5.
GridLayout in_figure(int maps, double width, double height, int tokens) {
  LayoutRequest r = request(maps, width, height, tokens, tokens);
  r.font_size = 9;
  r.measure = [](std::string_view text) { return 4.5 * static_cast<double>(text.size()); };
  r.smallest = 5;
  expect_sound(r);
  return grid_layout(r);
}

TEST(Layout, labels_shrink_before_any_is_left_out) {
  for (const auto& [maps, width, height, tokens] : {std::tuple{8, 650.0, 360.0, 15},
                                                    {12, 227.0, 420.0, 10},
                                                    {3, 227.0, 420.0, 15},
                                                    {1, 200.0, 200.0, 20}}) {
    SCOPED_TRACE(testing::Message() << maps << " maps of " << tokens << " tokens");
    const GridLayout grid = in_figure(maps, width, height, tokens);
    EXPECT_EQ(grid.labelled_every, 1);
    EXPECT_GE(grid.tick_size, 5 - slack);
    EXPECT_EQ(grid.panels.front().y_tick_labels.size(), static_cast<std::size_t>(tokens));
    EXPECT_EQ(grid.panels.back().x_tick_labels.size(), static_cast<std::size_t>(tokens));
  }
}

TEST(Layout, of_too_many_labels_every_nth_is_as_large_as_it_can_be) {
  const GridLayout grid = in_figure(1, 200, 200, 60);
  EXPECT_GT(grid.labelled_every, 1);
  EXPECT_GE(grid.tick_size, 5 - slack);
  const PanelLayout& panel = grid.panels.front();
  EXPECT_EQ(panel.y_tick_labels.size(), static_cast<std::size_t>((59 / grid.labelled_every) + 1));
  EXPECT_GT(grid.tick_line, 0.9 * grid.labelled_every * panel.map.height / 60) << "no room is left over";
}

}  // namespace headscope::tests
