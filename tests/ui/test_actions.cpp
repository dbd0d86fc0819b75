#include "tests/ui/app_fixture.h"

namespace headscope {
namespace {

TEST_F(AppFixture, every_action_is_reachable_by_the_palette_and_runs) {
  app.desktop_chooser = [](const FileRequest&) { return true; };  // asks, and never answers
  for (const Action& action : all_actions()) {
    const std::string id = action.id;
    if (id == "quit" || id == "palette") continue;
    press(Key::p, true, true);
    ASSERT_TRUE(app.dialogs.palette.open) << action.id;
    for (const char* c = action.text; *c != '\0'; ++c)
      if (static_cast<unsigned char>(*c) < 0x80) type(std::u32string(1, static_cast<char32_t>(*c)));
    press(Key::enter);
    EXPECT_FALSE(app.dialogs.palette.open) << action.id;
    press(Key::escape);
    press(Key::escape);
  }
}

TEST_F(AppFixture, language_and_theme_switch_live) {
  press(Key::l, true, true);
  EXPECT_EQ(app.language(), Language::zh);
  EXPECT_TRUE(shows("填充"));
  EXPECT_FALSE(shows("Padding"));
  press(Key::l, true, true);
  EXPECT_TRUE(shows("Padding"));
  press(Key::d, true);
  EXPECT_EQ(memory.style.theme, Theme::dark);
  EXPECT_EQ(app.settings.theme, Theme::dark);
}

TEST_F(AppFixture, question_mark_lists_the_keys_but_not_in_a_text) {
  type(U"?");
  EXPECT_TRUE(app.dialogs.keys);
  press(Key::escape);
  EXPECT_FALSE(app.dialogs.keys);
  press(Key::l, true);
  type(U"?");
  EXPECT_FALSE(app.dialogs.keys);
  EXPECT_TRUE(app.inputs.sentence.ends_with("?"));
}

TEST(InputQueue, keeps_every_edge_of_a_key_that_is_quicker_than_a_frame) {
  ImGui::CreateContext();
  InputQueue queue;
  for (int i = 0; i < 20; ++i)
    for (const bool down : {true, false}) {
      InputEvent event;
      event.kind = InputEvent::Kind::key;
      event.key = Key::backspace;
      event.down = down;
      queue.push(event);
    }
  int presses = 0, frames = 0;
  bool before = false;
  while (!queue.empty() && frames < 100) {
    queue.feed(ImGui::GetIO());
    const bool down = ImGui::GetIO().KeysDown[native_key(Key::backspace)];
    presses += down && !before;
    before = down;
    ++frames;
  }
  EXPECT_EQ(presses, 20);
  ImGui::DestroyContext();
}

TEST(InputQueue, a_click_stays_where_the_pointer_was) {
  ImGui::CreateContext();
  InputQueue queue;
  const auto position = [&](float x) {
    InputEvent event;
    event.x = x;
    queue.push(event);
  };
  InputEvent button;
  button.kind = InputEvent::Kind::button;
  position(10);
  button.down = true;
  queue.push(button);
  position(50);
  button.down = false;
  queue.push(button);
  queue.feed(ImGui::GetIO());
  EXPECT_EQ(ImGui::GetIO().MousePos.x, 10);
  EXPECT_TRUE(ImGui::GetIO().MouseDown[0]);
  queue.feed(ImGui::GetIO());
  EXPECT_EQ(ImGui::GetIO().MousePos.x, 50);
  EXPECT_FALSE(ImGui::GetIO().MouseDown[0]);
  ImGui::DestroyContext();
}

}  // namespace
}  // namespace headscope
