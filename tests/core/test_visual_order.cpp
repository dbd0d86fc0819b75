#include "core/text/visual_order.h"
#include "tests/support/testing.h"

namespace headscope::tests {

TEST(VisualOrder, leaves_left_to_right_text_alone) {
  for (const char* text : {"", "The cat", "猫坐在垫子上", "naïve Ångström", "мат", "\xFF", "😀"})
    EXPECT_EQ(visual_order(text), text);
}

TEST(VisualOrder, reverses_right_to_left_text) {
  const std::pair<const char*, const char*> cases[] = {
      {"\u05E9\u05DC\u05D5\u05DD", "\u05DD\u05D5\u05DC\u05E9"},
      {"a \u05D0\u05D1 b", "a \u05D1\u05D0 b"},
      // Arabic letters take their positional forms. BEH BEH: initial form U+FE91, final form U+FE90; from
      // left to right the final one comes first.
      {"\u0628\u0628", "\uFE90\uFE91"},
      {"\u0628", "\uFE8F"},
      // Brackets are mirrored.
      {"(\u05D0\u05D1)", "(\u05D1\u05D0)"}};
  for (const auto& [text, seen] : cases) EXPECT_EQ(visual_order(text), seen);
}

}  // namespace headscope::tests
