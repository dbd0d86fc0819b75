#include "core/figure/boards/cell_numbers.h"
#include "core/figure/boards/ticks.h"
#include "core/figure/boards/vertical_text.h"
#include "tests/support/testing.h"

namespace headscope::tests {

/// Chinese characters are as wide as a line of 10 is high, others half as wide.
double width(std::string_view text) {
  double sum = 0;
  for (const std::size_t at : character_starts(text))
    sum += static_cast<unsigned char>(text[at]) >= 0xE0 ? 10 : 5;
  return sum;
}

TEST(Ticks, chinese_keys_are_vertical_where_others_are_rotated) {
  const std::tuple<const char*, bool> cases[] = {{"注意力", true}, {"ご飯", true}, {"한국", true},
                                                 {"，", true},     {"GPU", false}, {"模型2", false},
                                                 {"é", false},     {"", false},    {"注⋮", true}};
  for (const auto& [label, vertical] : cases) EXPECT_EQ(is_vertical(label), vertical) << label;
  for (const char* label : {"注意力", "，", "a", "é"}) EXPECT_TRUE(is_upright(label)) << label;
  for (const char* label : {"GPU", "👍🏽", ""}) EXPECT_FALSE(is_upright(label)) << label;
  EXPECT_THAT(vertical_characters("注意力"), testing::ElementsAre("注", "意", "力"));
  EXPECT_THAT(vertical_characters("猫 → 小狗"), testing::ElementsAre("猫", "↓", "小", "狗"));
  EXPECT_THAT(vertical_characters("+ 旧"), testing::ElementsAre("+", "旧"));
  EXPECT_EQ(shortened_vertical("注意力机制", 30, 10), "注意⋮");
  EXPECT_EQ(shortened_vertical("注意力", 30, 10), "注意力");
  EXPECT_EQ(shortened_vertical("注意力", 9, 10), "");

  const std::vector<std::string> tokens{"河岸边", "bank", "的"};
  const TickPlan rotated = plan_ticks(tokens, true, 12, 10, 100, width);
  EXPECT_TRUE(rotated.rotated);
  EXPECT_EQ(rotated.step, 1);
  EXPECT_EQ(rotated.extent, 30) << "three characters, one below the other";
  EXPECT_FALSE(plan_ticks(tokens, true, 40, 10, 100, width).rotated);
}

TEST(Ticks, thin_out_only_when_they_would_touch) {
  const std::vector<std::string> tokens(13, "word");
  EXPECT_EQ(plan_ticks(tokens, false, 13, 13, 100, width).labels.size(), 13U);
  EXPECT_EQ(plan_ticks(tokens, false, 12.9, 13, 100, width).labels.size(), 7U);
}

TEST(Ticks, lean_where_rotated_ones_would_be_cut) {
  const std::vector<std::string> tokens{"The", "animal", "because", "tired"};
  const auto at = [&](double cell, double limit, bool may) {
    return plan_ticks(tokens, true, cell, 10, limit, width, may);
  };
  EXPECT_EQ(at(20, 32, false).labels[2], "beca…");
  const TickPlan leaning = at(20, 32, true);
  EXPECT_TRUE(leaning.slant && leaning.rotated);
  EXPECT_EQ(leaning.labels[2], "because") << "35 long, and goes down by 32";
  EXPECT_LE(leaning.extent, 32);
  EXPECT_NEAR(leaning.slant.sine, leaning.slant.cosine, 1e-12) << "no flatter than it must";
  EXPECT_EQ(at(20, 28, true).labels[2], "because") << "flatter, where cells are wide enough";
  EXPECT_EQ(at(19, 28, true).labels[2], "bec…");
  EXPECT_FALSE(bool(at(20, 36, true).slant)) << "there is room for turned ones";
  EXPECT_FALSE(bool(at(14, 32, true).slant)) << "leaning ones would touch";
}

TEST(Ticks, rows_and_columns_that_are_cut_keep_their_labels_unless_they_touch) {
  std::vector<std::string> tokens;
  for (int i = 0; i < 10; ++i) tokens.push_back(std::to_string(i));
  PanelLayout panel;
  panel.map = {0, 0, 400, 400};
  panel.x_ticks = {0, 410, 400, 60};
  panel.y_ticks = {-60, 0, 60, 400};
  label_part(panel, {2.75, 6.75, 2.25, 6.25}, {tokens, tokens}, 10, width);  // cells of 100
  std::vector<int> rows, columns;
  for (const Tick& tick : panel.y_tick_labels) rows.push_back(tick.token);
  for (const Tick& tick : panel.x_tick_labels) columns.push_back(tick.token);
  EXPECT_THAT(rows, testing::ElementsAre(2, 3, 4, 5, 6));
  EXPECT_THAT(columns, testing::ElementsAre(2, 3, 4, 5, 6));
  EXPECT_EQ(panel.y_tick_labels.front().position, 12.5) << "in the middle of what is seen of it";
  label_part(panel, {2.75, 6.75, 2.25, 6.25}, {tokens, tokens}, 70, width);
  EXPECT_EQ(panel.y_tick_labels.front().token, 3) << "would touch the next";
}

TEST(CellNumbers, never_touch) {
  const float values[] = {0.00012F, 0.0034F, 0.0949F, 0.0951F, 0.12F, 0.5F, 0.999F, 1, 0, -0.12F, 7e-7F};
  for (double cell = 4; cell < 90; cell += 0.5)
    for (std::size_t first = 0; first < std::size(values); ++first) {
      NumberExtent extent;
      for (std::size_t i = first; i < std::size(values); ++i) extent.add(values[i]);
      const CellNumbers numbers = cell_numbers(extent, cell, cell, 10, width);
      if (numbers.size <= 0) continue;
      EXPECT_GE(numbers.size, 8) << "can be read";
      for (std::size_t i = first; i < std::size(values); ++i)
        EXPECT_LT(width(numbers.text(values[i])) * numbers.size / 10, cell - 2) << numbers.text(values[i]);
    }
}

TEST(CellNumbers, of_a_map_that_is_still_to_be_computed_are_none) {
  MapPart part;
  part.n_q = part.n_k = 3;
  part.query_end = part.key_end = 3;
  EXPECT_EQ(NumberExtent::of(part).largest, 0);
}

TEST(CellNumbers, of_a_difference_fit_on_a_projector_where_ten_tokens_share_its_width) {
  const auto measure = [](std::string_view text) {  // Open Sans at 24, a thirtieth of 720 lines
    double sum = 0;
    for (const std::size_t at : character_starts(text)) sum += (text[at] == '.' ? 0.27 : 0.57) * 24;
    return sum;
  };
  NumberExtent extent;
  for (const float value : {-0.02F, 0.13F}) extent.add(value);
  const CellNumbers numbers = bare_numbers(extent, 36, 38, 24, measure);
  EXPECT_GE(numbers.size, 16);
  EXPECT_EQ(numbers.text(-0.024F), "−.02");
  EXPECT_LT(measure(numbers.text(-0.024F)) * numbers.size / 24, 36);
}

TEST(CellNumbers, of_a_difference_fit_where_those_of_the_maps_do) {
  const auto measure = [](std::string_view text) {  // a minus is as wide as a digit
    return 5.0 * static_cast<double>(std::ranges::count_if(
                     text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
  };
  NumberExtent weights, differences;
  weights.add(0.31F);
  for (const float value : {-0.12F, 0.05F}) differences.add(value);
  for (double cell = 4; cell < 60; cell += 0.5)
    EXPECT_EQ(cell_numbers(weights, cell, cell, 10, measure).size > 0,
              cell_numbers(differences, cell, cell, 10, measure).size > 0)
        << cell;
  const CellNumbers tight = cell_numbers(differences, 20, 100, 10, measure);
  EXPECT_EQ(tight.text(-0.12F), "−.12");
  EXPECT_EQ(tight.text(-0.002F), "·") << "as where there is room";
}

TEST(CellNumbers, get_smaller_then_shorter_then_go) {
  NumberExtent extent;
  extent.add(0.095F);
  const auto at = [&](double cell) { return cell_numbers(extent, cell, 100, 10, width); };
  EXPECT_EQ(at(60).size, 14);
  EXPECT_EQ(at(30).text(0.095F), "0.095");
  EXPECT_LT(at(28).size, 10);
  EXPECT_EQ(at(23).text(0.096F), "0.10");
  EXPECT_EQ(at(23).text(0.0F), "0");
  EXPECT_EQ(at(15).size, 0);
}

TEST(CellNumbers, have_the_decimals_of_the_largest_in_every_cell) {
  const struct {
    float largest;
    const char *text, *of_half, *of_a_tenth, *of_a_thousandth;
  } cases[] = {{1, "1.00", "0.50", "0.10", "·"},
               {0.31F, "0.31", "0.16", "0.03", "·"},
               {0.05F, "0.050", "0.025", "0.005", "·"},
               {12.6F, "12.6", "6.3", "1.3", "·"},
               {-1234, "−1234", "−617", "−123", "−1"}};
  for (const auto& [largest, text, of_half, of_a_tenth, of_a_thousandth] : cases) {
    NumberExtent extent;
    for (const float part : {1.0F, 0.5F, 0.1F, 0.001F}) extent.add(part * largest);
    const CellNumbers numbers = cell_numbers(extent, 100, 100, 10, width);
    EXPECT_EQ(numbers.text(largest), text);
    EXPECT_EQ(numbers.text(largest / 2), of_half);
    EXPECT_EQ(numbers.text(largest / 10), of_a_tenth);
    EXPECT_EQ(numbers.text(largest / 1000), of_a_thousandth);
    EXPECT_EQ(numbers.text(0), "0");
  }
}

TEST(Ticks, groups_are_named_in_one_way_along_an_axis_and_never_by_some_of_their_digits) {
  const std::vector<std::string> groups{"1–64", "1025–1088", "20001–20064"};
  const auto labels = [&](double room) { return plan_ticks(groups, false, 100, 12, room, width).labels; };
  EXPECT_EQ(labels(60), groups);
  EXPECT_EQ(labels(35), (std::vector<std::string>{"1…", "1025…", "20001…"}));
  EXPECT_EQ(labels(30), (std::vector<std::string>{"1", "1025", "20001"}));
  EXPECT_EQ(labels(22), (std::vector<std::string>{"", "", ""}));
  EXPECT_DOUBLE_EQ(group_name_width(groups, width), width("20001"));
}

}  // namespace headscope::tests
