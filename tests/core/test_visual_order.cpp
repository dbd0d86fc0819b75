#include <gtest/gtest.h>

#include "core/text/visual_order.h"

namespace headscope {
namespace {

TEST(VisualOrder, leaves_left_to_right_text_alone) {
  for (const char* text : {"", "The cat", "猫坐在垫子上", "naïve Ångström", "мат", "\xFF", "😀"})
    EXPECT_EQ(visual_order(text), text);
}

TEST(VisualOrder, reverses_hebrew) {
  EXPECT_EQ(visual_order("\u05E9\u05DC\u05D5\u05DD"), "\u05DD\u05D5\u05DC\u05E9");
  EXPECT_EQ(visual_order("a \u05D0\u05D1 b"), "a \u05D1\u05D0 b");
}

TEST(VisualOrder, arabic_letters_take_the_forms_of_their_places) {
  // BEH BEH: initial form U+FE91, final form U+FE90; seen from the left the final one stands first.
  EXPECT_EQ(visual_order("\u0628\u0628"), "\uFE90\uFE91");
  EXPECT_EQ(visual_order("\u0628"), "\uFE8F");
}

TEST(VisualOrder, brackets_are_mirrored) {
  EXPECT_EQ(visual_order("(\u05D0\u05D1)"), "(\u05D1\u05D0)");
}

}  // namespace
}  // namespace headscope
