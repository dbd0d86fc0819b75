#include "app/panels/ui/panel_memory.h"
#include "app/panels/widgets/glyphs.h"
#include "tests/support/testing.h"

namespace headscope::tests {

TEST(StandIns, each_character_has_its_own_and_keeps_it) {
  StandIns stand_ins;
  constexpr char32_t grin = 0x1F600, same_place = grin + 0x1900;
  const ImWchar first = stand_ins.of(grin), second = stand_ins.of(same_place);
  EXPECT_NE(first, second);
  EXPECT_EQ(stand_ins.of(grin), first);
  EXPECT_EQ(stand_ins.character(first), grin);
  EXPECT_EQ(stand_ins.character(second), same_place);
  EXPECT_EQ(stand_ins.character('a'), U'a');
}

TEST(StandIns, are_private_characters_until_there_are_no_more) {
  StandIns stand_ins;
  for (char32_t c = 0x20000; c < 0x20000 + 0x1900; ++c) {
    const ImWchar drawn = stand_ins.of(c);
    ASSERT_TRUE(drawn >= 0xE000 && drawn < 0xF900);
  }
  EXPECT_EQ(stand_ins.of(0x30000), 0xFFFD);
}

}  // namespace headscope::tests
