#include <gmock/gmock.h>

#include "app/state/jobs/notices.h"
#include "tests/state/state_fixture.h"

namespace headscope::tests {

using About = Notice::About;

class NoticesTest : public testing::Test {
 protected:
  std::string shown() const { return notices.current() == nullptr ? "" : notices.current()->text; }

  Translator tr{Language::en};
  Notices notices{tr};
};

TEST_F(NoticesTest, an_info_ends_after_a_while_from_when_it_was_first_seen) {
  EXPECT_LT(notices.due_in(0), 0);
  notices.info("Saved to {}", "a");
  notices.pass_time(100);
  EXPECT_EQ(notices.due_in(101), Notices::info_seconds - 1);
  notices.pass_time(107.9);
  EXPECT_EQ(shown(), "Saved to a");
  notices.pass_time(108);
  EXPECT_EQ(shown(), "");
  EXPECT_LT(notices.due_in(108), 0);
  EXPECT_EQ(notices.list().size(), 1U) << "to be read in the list";
}

TEST_F(NoticesTest, a_newer_info_has_its_own_time) {
  notices.info("Saved to {}", "a");
  notices.pass_time(0);
  notices.info("Saved to {}", "b");
  notices.pass_time(7);
  notices.pass_time(9);
  EXPECT_EQ(shown(), "Saved to b");
  notices.pass_time(15);
  EXPECT_EQ(shown(), "") << "the older one does not come back";
}

TEST_F(NoticesTest, a_warning_stays_until_it_is_dismissed_or_no_longer_true) {
  notices.error(About::saving, unable_error("{}: cannot be written", "a"));
  notices.pass_time(0);
  notices.pass_time(1000);
  EXPECT_EQ(shown(), "a: cannot be written");
  EXPECT_LT(notices.due_in(1000), 0);
  notices.info("Row copied as tab-separated text");
  notices.pass_time(1000);
  notices.pass_time(1008);
  EXPECT_EQ(shown(), "a: cannot be written") << "as true as before";
  notices.settle(About::opening);
  EXPECT_EQ(shown(), "a: cannot be written");
  notices.settle(About::saving);
  EXPECT_EQ(shown(), "");
  notices.warn(About::copying, "No weights to copy here");
  notices.dismiss();
  EXPECT_EQ(shown(), "");
}

TEST_F(NoticesTest, of_one_matter_only_the_newest_is_reported) {
  notices.error(About::opening, unable_error("{}: cannot be written", "a"));
  notices.error(About::opening, unable_error("{}: cannot be written", "b"));
  notices.dismiss();
  EXPECT_EQ(shown(), "");
}

TEST_F(StateFixture, notices_follow_the_language_and_the_clock) {
  app.notices.warn(About::next_time, "Could not be saved for next time: {}",
                   unable_error("{}: cannot be written", "/a"));
  app.set_language(Language::zh);
  const Translator zh(Language::zh);
  EXPECT_EQ(app.notices.current()->text,
            zh("Could not be saved for next time: {}", zh(unable_error("{}: cannot be written", "/a"))));
  EXPECT_THAT(app.notices.current()->text, testing::Not(testing::HasSubstr("cannot")));
  app.notices.settle(About::next_time);
  app.notices.info("Saved to {}", "a");
  frames(8);
  EXPECT_NE(app.notices.current(), nullptr);
  frames(2);
  EXPECT_EQ(app.notices.current(), nullptr);
}

TEST(PageNotices, name_no_folder_that_nobody_knows) {
  EXPECT_EQ(without_own_folders("/files/a/config.json, /downloads/b.png, /kept/fonts/c.ttf", true),
            "a/config.json, b.png, c.ttf");
  EXPECT_EQ(without_own_folders("Saved to /files/a", false), "Saved to /files/a");
  EXPECT_STREQ(written_text("Exported to {}", true), "Saved by your browser as {}");
  EXPECT_STREQ(written_text("Exported to {}", false), "Exported to {}");
}

}  // namespace headscope::tests
