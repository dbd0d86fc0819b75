#include "core/scene/labels.h"
#include "core/scene/scene.h"
#include "tests/support/figures.h"

namespace headscope::tests {

TEST(Labels, are_kept_in_order_and_replaced) {
  std::vector<HeadLabel> labels;
  set_label(labels, {1, 0, "late", {}});
  set_label(labels, {0, 3, "early", {}});
  set_label(labels, {1, 0, "later", 0x102030U});
  ASSERT_EQ(labels.size(), 2U);
  EXPECT_EQ(labels[0].name, "early");
  EXPECT_EQ(find_label(labels, 1, 0)->name, "later");
  EXPECT_EQ(find_label(labels, 0, 0), nullptr);
}

TEST(Labels, without_name_and_color_are_taken_away) {
  std::vector<HeadLabel> labels;
  set_label(labels, {0, 0, "x", {}});
  set_label(labels, {0, 0, "", {}});
  EXPECT_TRUE(labels.empty());
}

TEST(Labels, color_is_the_labels_or_the_heads) {
  std::vector<HeadLabel> labels;
  set_label(labels, {0, 1, "", 0xFF8001U});
  EXPECT_EQ(labelled_color(labels, 0, 1, 8), (Rgb{0xFF, 0x80, 0x01}));
  EXPECT_EQ(labelled_color(labels, 0, 2, 8), head_color(2, 8));
}

TEST(Labels, titles_say_which_heads_are_off) {
  auto trace = std::make_shared<Trace>(*trace_of("one two three", 3, {}, 2));
  trace->blocks.front().interventions.ablated_heads = {{BlockKind::self, 0, 1}, {BlockKind::self, 1, 0}};
  const BlockTrace& block = trace->blocks.front();
  const Translator tr(Language::en);
  EXPECT_TRUE(is_ablated(block, 0, 1));
  EXPECT_FALSE(is_ablated(block, 1, 1));
  EXPECT_EQ(ablated_heads(block, 0), 1);
  EXPECT_EQ(with_off(tr, "B", block, 0, 1), "B · off");
  EXPECT_EQ(with_off(tr, "B", block, 0, 2), "B");
  EXPECT_EQ(ablated_heads_text(tr, 2, 8), "2 of 8 heads ablated");
  // Neither the map nor the lines of such a head have its colours.
  const View view;
  EXPECT_EQ(&map_colors(view, block, 0, 2), &colors(view.colormap));
  EXPECT_EQ(&map_colors(view, block, 0, 1), &colors_of_ablated(view.colormap, view.theme));
  EXPECT_EQ(labelled_color({}, block, 0, 2), head_color(2, block.heads()));
  EXPECT_NE(labelled_color({}, block, 0, 1), head_color(1, block.heads()));
  EXPECT_EQ(ablated_heads_text(tr, 0, 8), "");
  Session session;
  const auto texts = [&] { return recorded(scene_of(session, trace, nullptr)).texts; };
  EXPECT_THAT(texts(), AllOf(Contains("Head 2 · off"), Contains("Head 1"), Contains("Head 3")));
  session.view.kind = ViewKind::layers;
  const auto all = texts();
  EXPECT_EQ(std::ranges::count(all, "off"), 2) << "on the map of each";
  session.view.kind = ViewKind::head;
  session.view.head = 1;
  EXPECT_THAT(texts(), Contains("Head 2 · off"));
  session.view.kind = ViewKind::compare;
  const auto other = recorded(scene_of(session, trace_of("one two three", 3, {}, 2), trace)).texts;
  EXPECT_THAT(other, AllOf(Contains("A"), Contains("B · off")));
}

}  // namespace headscope::tests
