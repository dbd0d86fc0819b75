#include "core/analysis/lines.h"
#include "core/scene/line_heads.h"
#include "tests/support/testing.h"

namespace headscope::tests {

FilteredLayer two_heads() {
  FilteredLayer shown;
  auto block = std::make_shared<BlockTrace>();
  block->mask = Mask(2, 3);
  shown.block = block;
  shown.queries = {0, 1};
  shown.keys = {0, 1, 2};
  Tensor maps({2, 2, 3});
  const float weights[] = {0.1F, 0.2F, 0.7F, 0, 1, 0, 0.3F, 0.3F, 0.4F, 0.05F, 0.05F, 0.9F};
  std::copy(std::begin(weights), std::end(weights), maps.data());
  shown.maps = {maps.part(0), maps.part(1)};
  return shown;
}

std::vector<float> weights_of(const LineSet& set) {
  std::vector<float> weights;
  for (const Line& line : set.lines) weights.push_back(line.weight);
  return weights;
}

TEST(Lines, the_strongest_come_last) {
  const LineSet set = strongest_lines(two_heads(), {}, 3);
  EXPECT_EQ(weights_of(set), (std::vector{0.7F, 0.9F, 1.0F}));
  EXPECT_EQ(set.largest, 1);
  EXPECT_EQ(set.left_out, 7U);  // ten cells above 0
  EXPECT_EQ(set.lines.back().head, 0);
  EXPECT_EQ(set.lines.back().row, 1);
  EXPECT_EQ(set.lines.back().column, 1);
}

TEST(Lines, of_groups_a_few_are_as_strong_as_lines_get) {
  for (const Index group : {1, 2}) {
    FilteredLayer shown;
    auto block = std::make_shared<BlockTrace>();
    block->mask = Mask(8, 10);
    block->query_pool = block->key_pool = group;
    shown.block = block;
    for (int i = 0; i < 8; ++i) shown.queries.push_back(i);
    for (int i = 0; i < 10; ++i) shown.keys.push_back(i);
    Tensor map({8, 10});
    for (Index i = 0; i < 80; ++i) map.data()[i] = static_cast<float>(i + 1);
    shown.maps = {map};
    EXPECT_EQ(strongest_lines(shown, {}, 100).largest, group == 1 ? 80 : 78);
  }
}

TEST(Lines, equal_weights_are_cut_at_the_limit_too) {
  FilteredLayer shown = two_heads();
  for (Tensor& map : shown.maps) std::fill_n(map.data(), 6, 0.25F);
  const LineSet set = strongest_lines(shown, {}, 5);
  EXPECT_EQ(set.lines.size(), 5U);
  EXPECT_EQ(set.left_out, 7U);
  for (const Line& line : set.lines) EXPECT_EQ(line.row, 0) << "the first token's stay";
}

TEST(Lines, hidden_heads_have_none) {
  const LineSet set = strongest_lines(two_heads(), {0}, 100);
  EXPECT_EQ(set.lines.size(), 6U);
  for (const Line& line : set.lines) EXPECT_EQ(line.head, 1);
}

TEST(Lines, cells_that_are_not_shown_have_none) {
  FilteredLayer shown = two_heads();
  shown.unfiltered = false;
  shown.states = {{0, 0, 2, 0, 1, 0}, {}};
  EXPECT_EQ(strongest_lines(shown, {1}, 100).lines.size(), 2U);
  EXPECT_EQ(strongest_lines(shown, {}, 100).lines.size(), 8U);
}

TEST(Lines, of_one_token_are_its_row_or_its_column) {
  EXPECT_EQ(weights_of(lines_of_token(two_heads(), {1}, 0, -1, 9)), (std::vector{0.1F, 0.2F, 0.7F}));
  EXPECT_EQ(weights_of(lines_of_token(two_heads(), {}, -1, 2, 3)), (std::vector{0.4F, 0.7F, 0.9F}));
}

TEST(LineHeads, are_next_to_each_other_and_cover_what_is_weaker) {
  const LineHeads heads({4, 1, 2}, 5);
  EXPECT_EQ(heads.offset(4), -0.25);
  EXPECT_EQ(heads.offset(1), 0);
  EXPECT_EQ(heads.offset(2), 0.25);
  EXPECT_EQ(LineHeads({3}, 5).offset(3), 0);
  const Rgb red{200, 0, 0}, white{255, 255, 255};
  EXPECT_EQ(blend(white, red, 1), red);
  EXPECT_EQ(blend(white, red, 0), white);
  EXPECT_EQ(blend(white, red, 0.5), (Rgb{228, 128, 128}));
}

TEST(LineHeads, blocks_are_as_strong_as_the_strongest_line_of_their_head_there) {
  const LineSet set{{{1, 0, 2, 0.25F}, {1, 0, 1, 0.5F}, {2, 1, 2, 0.75F}}, 0.75F, 0};
  const LineEnds ends(set, LineHeads({2, 1}, 3), 2, 3);
  EXPECT_EQ(ends.at(false, 0, 1), 0.5F);
  EXPECT_EQ(ends.at(false, 0, 0), 0);
  EXPECT_EQ(ends.at(false, 1, 0), 0.75F);
  EXPECT_EQ(ends.at(true, 2, 0), 0.75F);
  EXPECT_EQ(ends.at(true, 2, 1), 0.25F);
}

TEST(Lines, width_and_opacity_grow_with_the_weight) {
  const LineLook weak = line_look(0.1F, 0.5F), middle = line_look(0.3F, 0.5F), strong = line_look(0.5F, 0.5F);
  EXPECT_LT(weak.width, middle.width);
  EXPECT_LT(middle.width, strong.width);
  EXPECT_LT(weak.opacity, middle.opacity);
  EXPECT_LT(middle.opacity, strong.opacity);
  EXPECT_LE(strong.opacity, 1);
  EXPECT_EQ(line_look(0, 0).opacity, line_look(0, 1).opacity);
}

}  // namespace headscope::tests
