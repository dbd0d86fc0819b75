#include <imgui_internal.h>

#include "app/panels/widgets/heard.h"
#include "app/state/document/work_link.h"
#include "core/session/session_link.h"
#include "tests/ui/app_fixture.h"

namespace headscope::tests {

class LinkTest : public AppFixture {
 protected:
  LinkTest() {
    app.settings.page_address = "https://example.org/h.html";
    app.desktop.get_text = [this] { return clipboard; };
  }
};

TEST_F(LinkTest, code_fills_the_window_in_whole_pixels) {
  show_link(app);
  frames(4);
  const auto [left, top, right, bottom] = place("link code");
  const int side = app.dialogs.link.code->size + 2 * QrCode::quiet;
  const float width = right - left, module = width / static_cast<float>(side);
  EXPECT_FLOAT_EQ(width, bottom - top);
  EXPECT_EQ(module, std::floor(module));
  EXPECT_GT(width, 500) << "of 1000";
  EXPECT_LE(bottom, 1000);
  EXPECT_TRUE(shows("link copy"));
  click("link copy");
  EXPECT_EQ(clipboard, "https://example.org/h.html" + link_here(app));
  click("link copy part");
  EXPECT_EQ(clipboard, link_here(app));
}

TEST_F(LinkTest, says_what_a_button_has_done) {
  Heard heard;
  memory.heard = &heard;
  show_link(app);
  frames(4);
  const auto before = place("link copy");
  click("link copy");
  frames(2);
  EXPECT_EQ(place("link copy"), before) << "nothing moves";
  const ImGuiWindow* const dialog = ImGui::GetTopMostPopupModal();
  ASSERT_NE(dialog, nullptr);
  EXPECT_TRUE(std::ranges::any_of(heard.items(), [&](const HeardItem& item) {
    return item.name == "Link copied" && item.rect[0] >= dialog->Pos.x && item.rect[1] >= dialog->Pos.y &&
           item.rect[3] <= dialog->Pos.y + dialog->Size.y;
  }));
  memory.heard = nullptr;
}

TEST_F(LinkTest, a_wrong_address_keeps_its_field) {
  app.settings.page_address.clear();
  show_link(app);
  frames(4);
  type(U"nowhere");
  press(Key::enter);
  frames(2);
  EXPECT_TRUE(app.dialogs.link.problem);
  EXPECT_TRUE(ImGui::GetIO().WantTextInput);
  press(Key::end);
  type(U"!");
  EXPECT_EQ(app.dialogs.link.address, "nowhere!");
}

class LinkInLargeType : public AppFixture {
 protected:
  LinkInLargeType() : AppFixture({1280, 720}, 28) {}
};

TEST_F(LinkInLargeType, has_its_code_beside_what_is_said) {
  app.settings.page_address = "https://example.org/h.html";
  show_link(app);
  frames(4);
  const auto [left, top, right, bottom] = place("link code");
  EXPECT_GT(bottom - top, 0.7F * 720);
  EXPECT_LE(bottom, 720);
  EXPECT_GT(place("link copy")[0], right);
  EXPECT_GT(place("link address")[0], right);
  EXPECT_LE(place("link address")[2], 1280);
}

/// Of the lists in dialogs that are higher than the window, one thing scrolls.
TEST_F(LinkInLargeType, as_other_dialogs_does_not_scroll_around_a_list) {
  for (const char* action : {"keys", "palette", "lesson lecture"}) {
    run_action(app, action);
    frames(5);
    const ImGuiWindow* const dialog = ImGui::GetTopMostPopupModal();
    ASSERT_NE(dialog, nullptr) << action;
    EXPECT_EQ(dialog->ScrollMax.y, 0) << action;
    EXPECT_LE(dialog->Pos.y + dialog->Size.y, 720) << action;
    press(Key::escape);
    frames(3);
  }
}

class LinkOnPhone : public AppFixture {
 protected:
  LinkOnPhone() : AppFixture({390, 844}, 14) {}
};

TEST_F(LinkOnPhone, is_shown_and_asked_for) {
  app.settings.page_address = "https://example.org/h.html";
  show_link(app);
  frames(4);
  const auto [left, top, right, bottom] = place("link code");
  EXPECT_GE(left, 0);
  EXPECT_LE(right, 390);
  EXPECT_LE(bottom, 844);
  click("dialog back");
  EXPECT_FALSE(app.dialogs.link.open);
  command_open_link(app);
  frames(4);
  EXPECT_TRUE(shows("open link text"));
  click("dialog back");
  EXPECT_FALSE(app.dialogs.link.asks);
}

TEST_F(LinkTest, address_is_typed_where_it_is_not_known) {
  app.settings.page_address.clear();
  copy_link(app);
  frames(4);
  EXPECT_FALSE(shows("link code"));
  type(U"https://a.org/b.html");
  frames(3);
  EXPECT_EQ(app.settings.page_address, "https://a.org/b.html");
  EXPECT_TRUE(shows("link code"));
  press(Key::escape);
  EXPECT_EQ(app.settings.page_address, "https://a.org/b.html") << "Esc leaves the field";
  EXPECT_TRUE(shows("link code"));
  app.desktop.page_address = [] { return "file:///a.html"; };
  show_link(app);
  frames(3);
  EXPECT_FALSE(shows("link address")) << "a page knows where it is";
}

TEST_F(LinkTest, is_typed_and_opened) {
  command_open_link(app);
  frames(4);
  type(U"nothing");
  press(Key::enter);
  frames(3);
  EXPECT_TRUE(app.dialogs.link.asks);
  EXPECT_TRUE(app.dialogs.link.refused);
  type(U"!");
  EXPECT_EQ(app.dialogs.link.typed, "nothing!") << "the field still has the keyboard";
  EXPECT_FALSE(app.dialogs.link.refused);
  press(Key::escape);
  frames(3);
  press(Key::escape);
  frames(3);
  EXPECT_FALSE(app.dialogs.link.asks);
  clipboard = "https://example.org/h.html" + link_to_session({});
  press(Key::k, true);
  type(U"open link");
  press(Key::enter);
  frames(4);
  ASSERT_TRUE(app.dialogs.link.asks) << "the Enter that asks is no answer";
  click("open link");
  EXPECT_EQ(app.dialogs.link.chosen, clipboard);
}

}  // namespace headscope::tests
