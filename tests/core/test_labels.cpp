#include "core/scene/labels.h"
#include "tests/support/testing.h"

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

}  // namespace headscope::tests
