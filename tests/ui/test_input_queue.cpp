#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "app/panels/input_queue.h"

namespace headscope {
namespace {

class InputQueueTest : public ::testing::Test {
 protected:
  void SetUp() override { ImGui::CreateContext(); }
  void TearDown() override { ImGui::DestroyContext(); }

  void key(Key key, bool down, bool ctrl = false) {
    InputEvent event;
    event.kind = InputEvent::Kind::key;
    event.key = key;
    event.down = down;
    event.ctrl = ctrl;
    queue.push(event);
  }
  void character(char32_t c) {
    InputEvent event;
    event.kind = InputEvent::Kind::character;
    event.character = c;
    queue.push(event);
  }

  /// The frames until the queue is empty, each as "Ctrl+" where it is held, "E" where E is down, and
  /// characters.
  std::string frames() {
    std::string seen;
    do {
      queue.feed(ImGui::GetIO());
      if (ImGui::GetIO().KeyCtrl) seen += "Ctrl+";
      if (ImGui::GetIO().KeysDown[native_key(Key::e)]) seen += "E";
      for (const char32_t c : queue.characters()) seen += static_cast<char>(c);
      seen += " ";
    } while (!queue.empty());
    return seen;
  }

  InputQueue queue;
};

TEST_F(InputQueueTest, a_key_that_comes_and_goes_within_a_frame_is_down_for_one) {
  key(Key::e, true);
  key(Key::e, false);
  key(Key::e, true);
  key(Key::e, false);
  EXPECT_EQ(frames(), "E  E  ");
}

TEST_F(InputQueueTest, a_modifier_let_go_within_the_frame_still_counts_for_its_key) {
  key(Key::count, true, true);
  key(Key::e, true, true);
  key(Key::count, false, false);
  key(Key::e, false, false);
  EXPECT_EQ(frames(), "Ctrl+E  ");
}

TEST_F(InputQueueTest, a_key_waits_for_the_characters_typed_before_it) {
  character('a');
  key(Key::e, true);
  character('b');
  EXPECT_EQ(frames(), "a Eb ");
}

TEST_F(InputQueueTest, characters_of_one_frame_come_together_and_in_order) {
  for (const char c : std::string("words")) character(static_cast<char32_t>(c));
  EXPECT_EQ(frames(), "words ");
}

}  // namespace
}  // namespace headscope
