#include "app/panels/shell/input_queue.h"
#include "tests/support/testing.h"
#include "tests/ui/imgui_versions.h"

namespace headscope::tests {

class InputQueueTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ImGui::CreateContext();
    ImGuiIO& io = ImGui::GetIO();
    io.DisplaySize = {100, 100};
    io.IniFilename = nullptr;
    draw_without_graphics();
    set_up_keys(io);
  }
  void TearDown() override { ImGui::DestroyContext(); }

  void key(Key key, bool down, bool ctrl = false) {
    queue.push({.kind = InputEvent::Kind::key, .key = key, .down = down, .ctrl = ctrl});
  }
  void character(char32_t c) { queue.push({.kind = InputEvent::Kind::character, .character = c}); }

  /// What is held down in the next frame.
  void frame() {
    queue.feed(ImGui::GetIO());
    ImGui::NewFrame();
    ImGui::EndFrame();
  }

  /// The frames until the queue is empty, each as "Ctrl+" if it is held, "E" if E is down, and characters.
  std::string frames() {
    std::string seen;
    do {
      frame();
      if (ImGui::GetIO().KeyCtrl) seen += "Ctrl+";
      if (key_down(Key::e)) seen += "E";
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

TEST_F(InputQueueTest, keys_repeat_by_when_they_were_seen_to_be_held) {
  queue.seen(1);
  key(Key::v, true, true);
  frame();
  EXPECT_TRUE(key_pressed(Key::v, true));
  queue.seen(1.01);  // whatever the frame takes from here on, such as fonts for the pasted letters
  frame();
  EXPECT_FALSE(key_pressed(Key::v, true));
  queue.seen(1.5);  // is held
  frame();
  EXPECT_TRUE(key_pressed(Key::v, true));
}

TEST_F(InputQueueTest, a_click_after_a_character_waits_until_it_has_been_typed) {
  character('a');
  queue.push({.kind = InputEvent::Kind::position, .x = 50, .y = 50});
  queue.push({.kind = InputEvent::Kind::button, .down = true});
  frame();
  EXPECT_EQ(queue.characters(), U"a");
  EXPECT_FALSE(ImGui::GetIO().MouseDown[0]);
  frame();
  EXPECT_TRUE(queue.characters().empty());
  EXPECT_TRUE(ImGui::GetIO().MouseDown[0]);
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

TEST_F(InputQueueTest, keeps_every_edge_of_a_key_that_is_quicker_than_a_frame) {
  for (int i = 0; i < 20; ++i)
    for (const bool down : {true, false}) key(Key::backspace, down);
  int presses = 0;
  bool before = false;
  for (int count = 0; !queue.empty() && count < 100; ++count) {
    frame();
    const bool down = key_down(Key::backspace);
    presses += down && !before;
    before = down;
  }
  EXPECT_EQ(presses, 20);
}

TEST_F(InputQueueTest, a_click_stays_where_the_pointer_was) {
  const auto button = [&](float x, bool down) {
    queue.push({.x = x});
    queue.push({.kind = InputEvent::Kind::button, .down = down});
  };
  button(10, true);
  button(50, false);
  for (const auto& [x, down] : {std::pair{10.0F, true}, {50.0F, false}}) {
    frame();
    EXPECT_EQ(ImGui::GetIO().MousePos.x, x);
    EXPECT_EQ(ImGui::GetIO().MouseDown[0], down);
  }
}

TEST_F(InputQueueTest, every_key_is_one_of_its_own) {
  for (int i = 0; i < static_cast<int>(Key::count); ++i) {
    const Key each = static_cast<Key>(i);
    key(each, true);
    frame();
    for (int j = 0; j < static_cast<int>(Key::count); ++j)
      EXPECT_EQ(key_down(static_cast<Key>(j)), i == j) << i << ", " << j;
    key(each, false);
    frame();
    EXPECT_FALSE(key_down(each)) << i;
  }
}

}  // namespace headscope::tests
