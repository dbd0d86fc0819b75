#include "core/analysis/similarity.h"
#include "tests/support/traces.h"

namespace headscope::tests {

// Each head of one layer attends with weight `to_first` to the first of two keys, in every row; the rest goes
// to the second, times `scale`.
std::shared_ptr<const BlockTrace> heads_that_look(const std::vector<float>& to_first, int layers = 1,
                                                  const std::vector<float>& scale = {}) {
  const int heads = static_cast<int>(to_first.size()) / layers;
  return first_block(trace_of(numbered_tokens(2), numbered_tokens(2), heads, layers, {},
                              [&](int layer, int head, Index, Index key) {
                                const auto i = static_cast<std::size_t>(layer * heads + head);
                                const float weight = key == 0 ? to_first[i] : 1 - to_first[i];
                                return scale.empty() ? weight : scale[i] * weight;
                              }));
}

float distance(const HeadSimilarity& s, Index a, Index b) {
  return s.distance.at(a)[b];
}

TEST(Similarity, is_zero_for_the_same_and_one_for_nothing_in_common) {
  const auto s = head_similarity(*heads_that_look({1, 0, 1}));
  EXPECT_EQ(distance(*s, 0, 2), 0);
  EXPECT_FLOAT_EQ(distance(*s, 0, 1), 1);
  EXPECT_EQ(distance(*s, 1, 1), 0);
}

TEST(Similarity, is_the_root_of_the_divergence_in_bits) {
  // p = (1, 0), q = (1/2, 1/2), m = (3/4, 1/4): (log2(4/3) + (log2(2/3) + log2 2) / 2) / 2
  const double expected = std::sqrt((std::log2(4.0 / 3) + (std::log2(2.0 / 3) + 1) / 2) / 2);
  const auto s = head_similarity(*heads_that_look({1, 0.5F}));
  EXPECT_NEAR(distance(*s, 0, 1), expected, 1e-6);  // float32 logarithms
  EXPECT_EQ(distance(*s, 0, 1), distance(*s, 1, 0));
}

TEST(Similarity, neighbours_in_the_order_are_alike) {
  const auto s = head_similarity(*heads_that_look({0.9F, 0.1F, 0.2F, 0.8F}, 2));
  EXPECT_EQ(std::pair(s->heads[3].layer, s->heads[3].head), std::pair(1, 1));
  EXPECT_THAT(s->order, AnyOf(ElementsAre(0, 3, 2, 1), ElementsAre(1, 2, 3, 0)));
}

TEST(Similarity, of_equal_distances_the_first_heads_are_joined_first) {
  const auto s = head_similarity(*heads_that_look({1, 1, 1, 1}));
  EXPECT_EQ(std::pair(s->merges[0].left, s->merges[0].right), std::pair(0, 1));
  EXPECT_THAT(s->order, ElementsAre(0, 1, 2, 3));
}

TEST(Similarity, merges_nearest_first_by_average_linkage) {
  const auto s = head_similarity(*heads_that_look({0.9F, 0.1F, 0.85F}));
  ASSERT_EQ(s->merges.size(), 2U);
  EXPECT_EQ(std::pair(s->merges[0].left, s->merges[0].right), std::pair(0, 2));
  EXPECT_EQ(std::pair(s->merges[1].left, s->merges[1].right), std::pair(3, 1));  // 3: the first merge
  EXPECT_NEAR(s->merges[1].distance, (distance(*s, 0, 1) + distance(*s, 2, 1)) / 2, 1e-6);
}

TEST(Similarity, rows_that_sum_to_anything_are_compared_as_distributions) {
  const auto block = heads_that_look({0.5F, 0.5F}, 1, {1, 2});  // as dropout scales
  EXPECT_EQ(distance(*head_similarity(*block), 0, 1), 0);
}

TEST(Similarity, empty_rows_are_alike_each_other_only) {
  const auto s = head_similarity(*heads_that_look({0.5F, 0.5F, 0.5F}, 1, {0, 0, 1}));
  EXPECT_EQ(distance(*s, 0, 1), 0);
  EXPECT_EQ(distance(*s, 0, 2), 1);
}

TEST(Similarity, of_nothing_and_of_one_head) {
  EXPECT_TRUE(head_similarity(BlockTrace{})->heads.empty());
  EXPECT_THAT(head_similarity(*heads_that_look({0.3F}))->order, ElementsAre(0));
}

TEST(Similarity, gives_nothing_when_stopped) {
  std::stop_source stop;
  stop.request_stop();
  EXPECT_EQ(head_similarity(*heads_that_look({0.3F, 0.5F}), stop.get_token()), nullptr);
}

TEST(Similarity, the_tree_is_cut_into_groups) {
  const auto s = head_similarity(*heads_that_look({0.9F, 0.1F, 0.85F, 0.5F, 0.12F}));
  const auto groups = head_groups(*s, 3);
  EXPECT_EQ(groups[0], groups[2]);
  EXPECT_EQ(groups[1], groups[4]);
  EXPECT_NE(groups[0], groups[1]);
  EXPECT_NE(groups[3], groups[0]);
  EXPECT_NE(groups[3], groups[1]);
  EXPECT_EQ(groups[static_cast<std::size_t>(s->order.front())], 0);
  EXPECT_EQ(head_groups(*s, 0), std::vector<int>(5, 0));
  EXPECT_EQ(head_groups(*s, 1), std::vector<int>(5, 0));
  auto single = head_groups(*s, 99);
  std::sort(single.begin(), single.end());
  EXPECT_EQ(single, (std::vector{0, 1, 2, 3, 4}));
  EXPECT_TRUE(head_groups(*head_similarity(BlockTrace{}), 3).empty());
}

TEST(Similarity, the_tree_is_drawn_by_places) {
  // 0 and 2 are nearest, 1 joins them last.
  const auto s = head_similarity(*heads_that_look({0.9F, 0.1F, 0.85F}));
  const HeadTree tree = head_tree(*s, 2);
  ASSERT_EQ(tree.heads.size(), 3U);
  for (Index i = 0; i < 3; ++i)
    for (Index j = 0; j < 3; ++j)
      EXPECT_EQ(tree.distance.at(i)[j],
                distance(*s, tree.heads[std::size_t(i)].head, tree.heads[std::size_t(j)].head));
  EXPECT_EQ(tree.largest, std::max({distance(*s, 0, 1), distance(*s, 0, 2), distance(*s, 1, 2)}));
  EXPECT_EQ(tree.smallest, distance(*s, 0, 2));  // of two heads, not of one with itself
  EXPECT_EQ(tree.share(0), 0);
  EXPECT_GT(tree.share(static_cast<double>(tree.smallest)), 0);
  EXPECT_EQ(tree.share(static_cast<double>(tree.largest)), 1);
  ASSERT_EQ(tree.brackets.size(), 2U);
  EXPECT_TRUE(tree.brackets[0].within);
  EXPECT_FALSE(tree.brackets[1].within);
  EXPECT_EQ(std::abs(tree.brackets[0].left - tree.brackets[0].right), 1);
  EXPECT_EQ(std::abs(tree.brackets[1].left - tree.brackets[1].right), 1.5);  // from between the two
  EXPECT_EQ(std::max(tree.brackets[1].left_height, tree.brackets[1].right_height), tree.brackets[0].height);
  EXPECT_GT(tree.cut, tree.brackets[0].height);
  EXPECT_LT(tree.cut, tree.brackets[1].height);
  EXPECT_EQ(tree.group_of(0, 0), tree.group_of(0, 2));
  EXPECT_NE(tree.group_of(0, 0), tree.group_of(0, 1));
  EXPECT_EQ(tree.group_of(0, 3), -1);
}

TEST(Similarity, blocks_cover_all_places) {
  const auto s = head_similarity(*heads_that_look({0.9F, 0.1F, 0.85F, 0.5F, 0.12F}));
  for (int groups = 1; groups <= 6; ++groups) {
    const HeadTree tree = head_tree(*s, groups);
    EXPECT_EQ(static_cast<int>(tree.blocks.size()), std::min(groups, 5));
    int place = 0;
    for (const HeadTree::Block& block : tree.blocks) {
      EXPECT_EQ(block.begin, place);
      EXPECT_GT(block.end, block.begin);
      place = block.end;
    }
    EXPECT_EQ(place, 5);
    EXPECT_EQ(tree.group_at(4), static_cast<int>(tree.blocks.size()) - 1);
  }
  EXPECT_EQ(head_tree(*s, 1).cut, 0);
  EXPECT_TRUE(head_tree(*head_similarity(BlockTrace{}), 3).blocks.empty());
  for (const std::vector<float>& alike : {std::vector<float>{0.5F, 0.5F}, {0.5F}, {0.2F, 0.4F}}) {
    const HeadTree tree = head_tree(*head_similarity(*heads_that_look(alike)), 1);
    EXPECT_EQ(tree.smallest, 0);  // a single distance has no range
    EXPECT_GT(tree.largest, 0);
  }
}

}  // namespace headscope::tests
