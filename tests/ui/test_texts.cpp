#include <cmath>

#include "app/state/document/open_model.h"
#include "app/state/view/available_views.h"
#include "core/scene/view_kinds.h"
#include "tests/support/built_in_models.h"
#include "tests/ui/app_fixture.h"
#include "tests/ui/places.h"

namespace headscope::tests {

using DrawnText = UiAnchors::DrawnText;

/// A window of any size with text of any size.
struct TextsWindow : AppFixture {
  TextsWindow(ImVec2 size, float text) : AppFixture(size, text) { frames(3); }
  void TestBody() override {}

  using AppFixture::app;
  using AppFixture::frames;
  using AppFixture::point_to;
  using AppFixture::wait_until_idle;
  const std::vector<DrawnText>& texts() const { return ui_anchors.texts(); }
};

/// Whether a line along an edge of `a` parts the boxes. Letters do not reach the upper and lower ends of
/// their boxes, in which lines are set close to each other.
bool parted(const std::array<ImVec2, 4>& a, const std::array<ImVec2, 4>& b) {
  for (std::size_t i = 0; i < 2; ++i) {
    const ImVec2 edge{a[i + 1].x - a[i].x, a[i + 1].y - a[i].y};
    const float length = std::hypot(edge.x, edge.y);
    if (length == 0) return true;
    const auto along = [&](const ImVec2& point) { return (point.x * edge.x + point.y * edge.y) / length; };
    const auto ends = [&](const std::array<ImVec2, 4>& corners) {
      const auto [low, high] = std::ranges::minmax(corners, {}, along);
      return std::pair(along(low), along(high));
    };
    const auto [a_low, a_high] = ends(a);
    const auto [b_low, b_high] = ends(b);
    const bool across = i == 1;
    const float slack = across ? 0.3F * length : 1;
    if (a_high - slack <= b_low || b_high - slack <= a_low) return true;
  }
  return false;
}

/// What of it can be seen.
bool is_seen(const DrawnText& text) {
  const auto [left, right] = std::ranges::minmax(text.corners, {}, &ImVec2::x);
  const auto [top, bottom] = std::ranges::minmax(text.corners, {}, &ImVec2::y);
  return left.x < text.clip_max.x && right.x > text.clip_min.x && top.y < text.clip_max.y &&
         bottom.y > text.clip_min.y;
}

std::vector<std::string> overlaps(const std::vector<DrawnText>& texts) {
  std::vector<std::string> found;
  for (std::size_t i = 0; i < texts.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const DrawnText &a = texts[i], &b = texts[j];
      if (!is_seen(a) || !is_seen(b) || parted(a.corners, b.corners) || parted(b.corners, a.corners))
        continue;
      found.push_back(
          fmt::format("“{}” over “{}” at {:.0f}, {:.0f}", a.text, b.text, a.corners[0].x, a.corners[0].y));
    }
  return found;
}

/// A text of a number cut to its beginning, which is another number.
bool is_cut_number(const std::string& text) {
  std::string_view number = text;
  for (const std::string_view sign : {"+", "−"})
    if (number.starts_with(sign)) number.remove_prefix(sign.size());
  return text.ends_with("…") && std::ranges::any_of(number, [](char c) { return c == '.'; }) &&
         std::ranges::all_of(number.substr(0, number.size() - std::string_view("…").size()),
                             [](char c) { return c == '.' || (c >= '0' && c <= '9'); });
}

TEST(Texts, over_each_other_are_found) {
  const auto at = [](float x, float y) {
    return DrawnText{
        "old → big", {ImVec2{x, y}, {x + 60, y}, {x + 60, y + 16}, {x, y + 16}}, {0, 0}, {999, 999}};
  };
  EXPECT_EQ(overlaps({at(0, 0), at(40, 4)}).size(), 1U);
  EXPECT_TRUE(overlaps({at(0, 0), at(60, 0)}).empty());
  EXPECT_TRUE(overlaps({at(0, 0), at(0, 14)}).empty()) << "lines";
  for (const char* number : {"2.…", "+2.…", "−0.1…"}) EXPECT_TRUE(is_cut_number(number)) << number;
  EXPECT_FALSE(is_cut_number("1025…"));
}

constexpr std::array text_sizes_of_windows{16.0F, 20.0F, 27.0F};
const ImVec2 sizes_of_windows[] = {{1280, 720}, {1600, 1000}, {3840, 2160}};

class Texts : public testing::TestWithParam<std::tuple<ImVec2, float, Language>> {};

TEST_P(Texts, none_is_over_another_in_any_view) {
  const auto [size, text, language] = GetParam();
  const ModelsIn models(SOURCE_DIR "/assets/models");
  for (const char* model : {"", "induction", "translator", "drawn-shapes"}) {
    TextsWindow window(size, text);
    if (language == Language::zh) add_wide_glyphs();
    window.app.set_language(language);
    if (*model != '\0') open_model(window.app, model);
    window.wait_until_idle();
    window.app.compare = window.app.inputs;
    window.app.compare->temperature = 0.5;
    std::size_t drawn = 0;
    for (const ViewKindRow& row : view_kinds) {
      if (why_no_view(window.app, row.value) != nullptr) continue;
      for (const bool locked : {false, true}) {
        window.app.state.view.kind = row.value;
        window.app.state.lock = locked ? std::optional(Cell{0, 1, 0}) : std::nullopt;
        window.wait_until_idle();
        window.frames(3);
        SCOPED_TRACE(fmt::format("{} {}{}, {} × {}, text {}, {}", model, row.name, locked ? ", locked" : "",
                                 size.x, size.y, text, language == Language::zh ? "zh" : "en"));
        drawn += window.texts().size();
        EXPECT_THAT(overlaps(window.texts()), testing::IsEmpty());
        for (const DrawnText& one : window.texts()) EXPECT_FALSE(is_cut_number(one.text)) << one.text;
      }
    }
    EXPECT_GT(drawn, 200U) << model;
  }
}

class PhoneTexts : public testing::TestWithParam<ImVec2> {};

TEST_P(PhoneTexts, are_no_numbers_that_are_cut) {
  const ModelsIn models(SOURCE_DIR "/assets/models");
  for (const char* model : {"induction", "translator"}) {
    TextsWindow window(GetParam(), 16);
    add_wide_glyphs();
    window.app.set_language(Language::zh);
    open_model(window.app, model);
    window.wait_until_idle();
    for (const ViewKindRow& row : view_kinds) {
      if (why_no_view(window.app, row.value) != nullptr) continue;
      SCOPED_TRACE(fmt::format("{} {}", model, row.name));
      window.app.state.view.kind = row.value;
      window.wait_until_idle();
      window.frames(3);
      for (const DrawnText& one : window.texts()) EXPECT_FALSE(is_cut_number(one.text)) << one.text;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Phones, PhoneTexts,
                         testing::Values(ImVec2{320, 640}, ImVec2{390, 844}, ImVec2{844, 390}));

INSTANTIATE_TEST_SUITE_P(EachWindow, Texts,
                         testing::Combine(testing::ValuesIn(sizes_of_windows),
                                          testing::ValuesIn(text_sizes_of_windows),
                                          testing::Values(Language::en, Language::zh)));

}  // namespace headscope::tests
