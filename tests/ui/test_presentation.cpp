#include <imgui_internal.h>

#include "app/state/actions/present.h"
#include "app/state/lesson/play_lesson.h"
#include "app/state/view/steps.h"
#include "core/scene/view_kinds.h"
#include "core/teach/library.h"
#include "tests/ui/app_fixture.h"
#include "tests/ui/places.h"

namespace headscope::tests {

using Place = std::array<float, 4>;

/// A projector of that size. The test's font is as high as its em, so sizes are those that are requested.
struct Projector : AppFixture {
  explicit Projector(ImVec2 size, float line = 1)
      : AppFixture(size, line * size.y * static_cast<float>(Presented::text)), height(size.y) {
    const auto share = [&](double part) { return height * static_cast<float>(part); };
    Style& style = memory.style;
    set_text_sizes({{&style.large, share(Presented::heading)},
                    {&style.caption, share(Presented::caption)},
                    {&style.number, share(Presented::number)}});
    for (int i = 0; i < 5; ++i) add_font(share(Presented::min_number) * (1 + 0.3F * float(i)));
    draw_without_graphics();
    style.small = style.font_size;
    add_wide_glyphs();
    point_to({size.x / 2, size.y - 4});
    start_presentation(app);
    app.state.lock = Cell{2, 1, 2};
    frames(3);
  }
  void TestBody() override {}

  void show(ViewKind kind) {
    app.state.view.kind = kind;
    wait_until_idle();
  }

  /// Sizes of the frame's Latin letters, with the scale at which they are drawn relative to their font.
  std::set<std::pair<float, float>> letters() const {
    std::map<std::pair<float, float>, std::pair<float, const ImFontGlyph*>> known;
    for_each_glyph([&](float at, const ImFontGlyph& glyph) {
      if (glyph.Visible && glyph.U0 > 0) known[{glyph.U0, glyph.V0}] = {at, &glyph};
    });
    std::set<std::pair<float, float>> sizes;
    const ImDrawData& data = *ImGui::GetDrawData();
    for (int l = 0; l < data.CmdListsCount; ++l) {
      const auto& vertices = data.CmdLists[l]->VtxBuffer;
      for (int i = 0; i + 2 < vertices.Size; ++i) {
        const auto found = known.find({vertices[i].uv.x, vertices[i].uv.y});
        if (found == known.end()) continue;
        const auto& [height_of_font, glyph] = found->second;
        if (vertices[i + 2].uv.x != glyph->U1 || vertices[i + 2].uv.y != glyph->V1) continue;
        const ImVec2 from = vertices[i].pos, to = vertices[i + 2].pos;
        const float drawn = std::max(std::abs(to.x - from.x), std::abs(to.y - from.y));
        const float scale = drawn / std::max(glyph->X1 - glyph->X0, glyph->Y1 - glyph->Y0);
        sizes.insert({std::round(scale * height_of_font * 10) / 10, std::round(scale * 100) / 100});
      }
    }
    return sizes;
  }

  float height;
  using AppFixture::app;
  using AppFixture::click;
  using AppFixture::frames;
  using AppFixture::memory;
  using AppFixture::middle;
  using AppFixture::place;
  using AppFixture::point_to;
  using AppFixture::press;
  using AppFixture::shows;
  using AppFixture::type;
  using AppFixture::ui_anchors;
  using AppFixture::wait_until_idle;
};

const ImVec2 projectors[] = {{1280, 720}, {1920, 1080}, {3840, 2160}};

class Projectors : public testing::TestWithParam<ImVec2> {};

TEST_P(Projectors, every_view_can_be_read_from_the_back_row) {
  Projector projector(GetParam());
  const Place window{0, 0, GetParam().x, GetParam().y};
  projector.app.inputs.layers = 2;
  for (const Language language : {Language::en, Language::zh})
    for (const ViewKindRow& view : view_kinds) {
      SCOPED_TRACE(fmt::format("{} in {}", view.tab, language == Language::zh ? "zh" : "en"));
      projector.app.set_language(language);
      projector.show(view.value);
      if (projector.app.state.view.kind != view.value) continue;  // not of this source
      const Place stage = projector.place("panel stage");
      EXPECT_GE(stage[3] - stage[1], 0.7F * projector.height);
      EXPECT_TRUE(inside(stage, window));
      // Views without cells have no cell number below.
      ASSERT_EQ(projector.shows("caption number"), !view.of_model());
      if (!view.of_model()) {
        const Place number = projector.place("caption number"), caption = projector.place("caption");
        EXPECT_GE(number[3] - number[1], 0.1F * projector.height);
        EXPECT_TRUE(inside(caption, window));
        EXPECT_FALSE(overlap(caption, stage));
      }
      for (const char* hidden : {"menu file", "sentence", "views 0", "panel controls", "panel inspector"})
        EXPECT_FALSE(projector.shows(hidden)) << hidden;
      for (const auto& [name, place] : projector.ui_anchors.rects()) {
        EXPECT_TRUE(inside(place, window)) << name;
        if (name.starts_with("map ")) {
          EXPECT_TRUE(inside(place, stage)) << name;
        }
        if (name.starts_with("line token")) {
          EXPECT_FALSE(overlap(place, stage)) << name;
        }
      }
      const double minimum = view.value == ViewKind::steps ? Presented::text : Presented::min_number;
      for (const auto& [size, scale] : projector.letters())
        EXPECT_GE(size, projector.height * static_cast<float>(minimum) - 1) << "x " << scale;
    }
}

TEST_P(Projectors, one_head_of_twelve_tokens_is_large_sharp_and_has_its_numbers) {
  Projector projector(GetParam());
  for (const char* sentence : {"a b c d e f g h i j k l",
                               "the animal did not cross any street because it was too tired", "one two"}) {
    SCOPED_TRACE(sentence);
    projector.app.inputs.sentence = sentence;
    projector.app.state.view.head = 2;
    projector.show(ViewKind::head);
    const Place map = projector.place("map 3");
    EXPECT_GE(map[3] - map[1], Presented::map * projector.height);
    ASSERT_TRUE(projector.shows("map numbers"));
    const Place number = projector.place("map numbers");
    const float digits = number[3] - number[1];
    EXPECT_GE(digits + 0.5F, projector.height / 45);
    for (const auto& [size, scale] : projector.letters()) {
      EXPECT_NEAR(scale, 1, 0.02) << "sharp, " << size;
      EXPECT_TRUE(size + 1 >= projector.height / 30 || digits <= size + 1) << size;
    }
  }
}

/// The bounding box of the marks that begin with these names.
Place around(const Projector& projector, const std::vector<const char*>& marks) {
  Place all{1e9F, 1e9F, 0, 0};
  for (const auto& [name, place] : projector.ui_anchors.rects())
    if (std::ranges::any_of(marks, [&, &mark = name](const char* begin) { return mark.starts_with(begin); }))
      all = {std::min(all[0], place[0]), std::min(all[1], place[1]), std::max(all[2], place[2]),
             std::max(all[3], place[3])};
  return all;
}

TEST_P(Projectors, maps_of_several_heads_and_layers_fill_the_stage) {
  Projector projector(GetParam());
  projector.app.inputs.sentence = "the animal did not cross any street because it was too tired to";
  for (const auto& [heads, layers] : {std::pair{4, 2}, {12, 2}, {12, 12}}) {
    SCOPED_TRACE(fmt::format("{} heads, {} layers", heads, layers));
    projector.app.inputs.d_model = 16 * heads;
    projector.app.inputs.heads = heads;
    projector.app.inputs.layers = layers;
    projector.app.compare = projector.app.inputs;
    projector.frames(3);
    for (const auto& [kind, marks] : {std::pair{ViewKind::grid, std::vector{"map ", "title ", "key label"}},
                                      {ViewKind::layers, {"layer "}},
                                      {ViewKind::compare, {"compare map", "key label"}}}) {
      projector.show(kind);
      const Place all = around(projector, marks);
      EXPECT_GE(all[3] - all[1], 0.69F * projector.height) << static_cast<int>(kind);
      EXPECT_GE(all[2] - all[0], 0.7F * GetParam().x) << static_cast<int>(kind);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, Projectors, testing::ValuesIn(projectors));

TEST(Present, every_stage_of_the_steps_is_whole_and_can_be_read) {
  Projector projector({1280, 720});
  projector.app.inputs.mask = {make_mask_part(MaskKind::causal)};
  projector.show(ViewKind::steps);
  for (const std::string& stage : steps_of(projector.app.scene(projector.app.block()))) {
    SCOPED_TRACE(stage);
    projector.app.state.view.steps.stage = stage;
    projector.frames(4);
    // Three vectors by three matrices, or V next to its weighted rows, may be higher: a key scrolls them to
    // their end.
    if (stage != "projections" && stage != "values") {
      EXPECT_FALSE(projector.app.state.steps_room.above || projector.app.state.steps_room.below);
    }
    const Place room = projector.place("panel stage");
    EXPECT_TRUE(inside(projector.place("stage " + stage), room));
    for (const auto& [size, scale] : projector.letters()) EXPECT_GE(size + 1, projector.height / 30);
  }
}

TEST_P(Projectors, the_sums_of_the_equation_by_hand_are_whole) {
  Projector projector(GetParam(), 7.0F / 6);  // as high as a line of Open Sans
  run_action(projector.app, "lesson by-hand");
  for (int step = 0; step <= projector.app.lesson.last(); ++step) {
    go_to_step(projector.app, step);
    projector.frames(5);
    SCOPED_TRACE(fmt::format("step {}, {}", step + 1, projector.app.state.view.steps.stage));
    EXPECT_FALSE(projector.app.state.steps_room.above || projector.app.state.steps_room.below);
    for (const auto& [size, scale] : projector.letters()) EXPECT_GE(size + 1, projector.height / 30);
  }
}

TEST(Present, too_many_tokens_thin_out_instead_of_getting_smaller) {
  Projector projector({1280, 720});
  std::string sentence;
  for (int i = 0; i < 60; ++i) sentence += fmt::format("word{} ", i);
  projector.app.inputs.sentence = sentence;
  projector.frames(3);
  projector.app.state.lock = Cell{0, 30, 31};
  for (const ViewKind kind : {ViewKind::head, ViewKind::grid, ViewKind::lines}) {
    projector.show(kind);
    EXPECT_TRUE(projector.shows("line token 30") && projector.shows("line token 31"));
    EXPECT_FALSE(projector.shows("line token 0") || projector.shows("line token 59"));
    for (const auto& [size, scale] : projector.letters()) EXPECT_GE(size + 1, projector.height / 45);
    Place before{};
    for (const auto& [name, place] : projector.ui_anchors.rects()) {
      EXPECT_TRUE(inside(place, {0, 0, 1280, 720})) << name;
      if (!name.starts_with("query token")) continue;
      EXPECT_FALSE(overlap(place, before)) << name;
      before = place;
    }
  }
}

TEST(Present, the_maps_of_a_comparison_can_be_discussed) {
  Projector projector({1280, 720});
  for (const char* sentence : {"The animal didn't cross the street because it was tired", "one two three"})
    for (const char* other : {"The animal didn't cross the street because it was too wide", "one two"}) {
      projector.app.inputs.sentence = sentence;
      projector.app.compare = projector.app.inputs;
      projector.app.compare->sentence = other;
      projector.show(ViewKind::compare);
      for (int side = 0; side < 3; ++side) {
        const Place map = projector.place(fmt::format("compare map {}", side));
        EXPECT_GE(map[2] - map[0], 150) << sentence << ", " << other;
        EXPECT_GE(map[3] - map[1], 150) << sentence << ", " << other;
      }
    }
}

TEST(Present, a_stage_is_as_large_as_its_slide_allows) {
  Projector projector({1280, 720});
  projector.app.inputs.sentence = "one two";
  projector.show(ViewKind::steps);
  const Place room = projector.place("panel stage");
  for (const std::string& stage : steps_of(projector.app.scene(projector.app.block()))) {
    projector.app.state.view.steps.stage = stage;
    projector.frames(4);
    const Place card = projector.place("stage " + stage);
    EXPECT_TRUE(card[3] - card[1] > 0.75F * (room[3] - room[1]) ||
                card[2] - card[0] > 0.75F * (room[2] - room[0]))
        << stage;
  }
}

TEST(Present, nothing_of_a_stack_or_of_both_sides_is_cut) {
  Projector projector({1280, 720});
  projector.app.inputs.layers = 12;
  projector.app.inputs.key_sentence = "one two";
  projector.app.compare = projector.app.inputs;
  projector.app.compare->key_sentence = "uno dos tres";
  projector.show(ViewKind::layers);
  ASSERT_TRUE(projector.shows("layer 12 head 8"));
  EXPECT_TRUE(inside(projector.place("layer 12 head 8"), projector.place("panel stage")));
  projector.show(ViewKind::compare);
  for (const char* token : {"key line token 1", "B line token 1", "B key line token 2"})
    EXPECT_TRUE(projector.shows(token)) << token;
}

TEST(Present, a_marked_label_leaves_those_next_to_it) {
  Projector projector({1280, 720});
  projector.app.inputs.sentence = "小猫今天没有过马路，因为它太累了";
  projector.app.state.view.head = 0;
  projector.frames(3);
  projector.app.state.lock = Cell{0, 4, 2};
  projector.show(ViewKind::head);
  for (int key = 0; key < static_cast<int>(projector.app.block()->n_k()); ++key)
    EXPECT_EQ(projector.shows(fmt::format("key label {}", key).c_str()), key != 2) << key;
}

TEST(Present, a_lesson_has_its_line_above_every_view_and_its_text_with_a_key) {
  Projector projector({1280, 720});
  ASSERT_TRUE(play_lesson(projector.app, "by-hand"));
  for (const Language language : {Language::en, Language::zh})
    for (int step = 0; step <= projector.app.lesson.last(); ++step) {
      SCOPED_TRACE(step);
      projector.app.set_language(language);
      go_to_step(projector.app, step);
      projector.wait_until_idle();
      const Place claim = projector.place("presented lesson claim"), stage = projector.place("panel stage");
      EXPECT_TRUE(projector.shows("presented lesson title"));
      EXPECT_LT(claim[2], projector.place("presented lesson key")[0]);
      EXPECT_FALSE(overlap(claim, stage));
      EXPECT_FALSE(projector.shows("lesson words"));
      projector.press(Key::t);
      projector.frames(2);
      const char* const told = withholds_text(projector.app) ? "lesson show text" : "lesson words";
      EXPECT_TRUE(inside(projector.place(told), projector.place("panel stage")));
      EXPECT_EQ(projector.shows("lesson question"), !projector.app.lesson.at().questions.empty());
      for (const auto& [size, scale] : projector.letters())
        EXPECT_GE(size, projector.height * static_cast<float>(Presented::text) - 1) << "x " << scale;
      projector.press(Key::t);
    }
}

TEST(Present, panels_come_over_the_stage_at_the_edges_and_go_again) {
  Projector projector({1280, 720});
  projector.show(ViewKind::head);
  const Place map = projector.place("map 3");
  const std::tuple<ImVec2, const char*, const char*> edges[] = {{{640, 0}, "edge top", "menu view"},
                                                                {{0, 360}, "edge left", "heads fewer"},
                                                                {{1279, 360}, "edge right", "edge right"}};
  for (const auto& [at, panel, part] : edges) {
    projector.point_to(at);
    projector.frames(3);
    EXPECT_TRUE(projector.shows(panel)) << panel;
    EXPECT_TRUE(projector.shows(part)) << part;
    EXPECT_EQ(projector.place("map 3"), map) << "nothing moves";
    projector.point_to(projector.middle(panel));
    EXPECT_TRUE(projector.shows(panel)) << "while the pointer is on it";
    projector.point_to({640, 700});
    projector.frames(3);
    EXPECT_FALSE(projector.shows(panel)) << panel;
    EXPECT_EQ(projector.place("map 3"), map);
  }
}

TEST(Present, the_sentence_is_edited_at_the_upper_edge_while_the_picture_stays) {
  Projector projector({1280, 720});
  projector.show(ViewKind::head);
  projector.press(Key::f);
  EXPECT_TRUE(projector.shows("frozen"));
  projector.press(Key::l, true);
  projector.frames(3);
  ASSERT_TRUE(projector.shows("edge top"));
  projector.press(Key::a, true);
  projector.type(U"one m");
  projector.frames(3);
  EXPECT_EQ(projector.app.inputs.sentence, "one m");
  EXPECT_FALSE(projector.app.presentation.lens) << "typed, not pressed";
  EXPECT_EQ(projector.app.block()->n_q(), 10);
  projector.press(Key::escape);
  projector.frames(3);
  EXPECT_TRUE(projector.app.presentation.on);
  EXPECT_FALSE(projector.shows("edge top"));
  projector.press(Key::f);
  projector.frames(2);
  EXPECT_EQ(projector.app.block()->n_q(), 2);
  EXPECT_FALSE(projector.shows("frozen"));
}

TEST(Present, black_shows_nothing_and_the_key_that_ends_it_moves_no_cell) {
  Projector projector({1280, 720});
  projector.show(ViewKind::head);
  projector.press(Key::b);
  projector.frames(2);
  EXPECT_TRUE(projector.ui_anchors.rects().empty());
  projector.press(Key::right);
  projector.frames(2);
  EXPECT_FALSE(projector.ui_anchors.rects().empty());
  EXPECT_EQ(projector.app.state.lock, (Cell{2, 1, 2}));
  projector.press(Key::right, false, true);
  EXPECT_EQ(projector.app.state.lock, (Cell{2, 1, 3})) << "the maps have the keys again";
}

/// Whether some of a text is beyond the part of the screen that it is in: letters reach neither end of their
/// line.
bool is_cut(const UiAnchors::DrawnText& text) {
  ImVec2 low = text.corners[0], high = text.corners[0];
  for (const ImVec2& corner : text.corners) {
    low = {std::min(low.x, corner.x), std::min(low.y, corner.y)};
    high = {std::max(high.x, corner.x), std::max(high.y, corner.y)};
  }
  const ImVec2 from = text.clip_min, to = text.clip_max;
  const bool any = low.x < to.x && high.x > from.x && low.y < to.y && high.y > from.y;
  const float slack = 0.2F * std::min(high.x - low.x, high.y - low.y);
  return any && std::max({from.x - low.x, from.y - low.y, high.x - to.x, high.y - to.y}) > slack;
}

/// ImGui windows with a line more than they have room for.
std::vector<std::string> scrolled_windows() {
  std::vector<std::string> names;
  const float line = ImGui::GetFontSize();
  for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows)
    if (window->WasActive && !window->Hidden && std::max(window->ScrollMax.x, window->ScrollMax.y) > line)
      names.emplace_back(window->Name);
  return names;
}

/// What of a presented step cannot be used: a text that is cut, a cell whose number matters and is too small,
/// a map that is not whole, what is below the edge.
std::vector<std::string> unusable(Projector& projector) {
  std::vector<std::string> found;
  const Place stage = projector.place("panel stage");
  const ViewKindRow& view = projector.app.state.view.row();
  // Pages of the steps are read by keys, and signs say that there is more; a lens shows the last positions
  // that have room.
  if (!view.has_steps && view.value != ViewKind::lens) {
    // The line of the lesson is measured in its own font (ShippedLesson).
    for (const UiAnchors::DrawnText& text : projector.ui_anchors.texts())
      if (text.corners[0].y >= stage[1] && is_cut(text)) found.push_back("cut: " + text.text);
    for (const std::string& name : scrolled_windows()) found.push_back("scrolls: " + name);
  }
  // All of a stage is on the screen; a page of costs is read down from where a step shows it. The stages with
  // the most rows are higher in the letters here; in Open Sans they are whole (ShippedLesson).
  const StepsRoom& room = projector.app.state.steps_room;
  const StepsOptions& steps = projector.app.state.view.steps;
  const bool most_rows = steps.stage == "projections" || steps.stage == "norm";
  if (view.has_steps && steps.page == StepsPage::cell && !most_rows && (room.above || room.below))
    found.push_back("not whole: " + steps.stage);
  // Letters are wider here than in Open Sans: a caption has the numbers of both sides, and titles of a
  // comparison are measured in it (ShippedLesson).
  for (const std::string& name : projector.ui_anchors.cut())
    if (name != "caption" && name != "compare title") found.push_back("cut: " + name);
  const auto& block = *projector.app.block();
  auto rows = static_cast<float>(block.n_q()), columns = static_cast<float>(block.n_k());
  if (view.compares)
    if (const auto both = projector.app.view_cache.comparison(
            projector.app.block(), projector.app.block(Side::b), projector.app.state.view)) {
      rows = static_cast<float>(both->rows());
      columns = static_cast<float>(both->columns());
    }
  const float smallest = std::floor(projector.height * static_cast<float>(Presented::cell));
  constexpr float most = 17;  // beyond that only a part of a map is looked at
  for (const auto& [name, place] : projector.ui_anchors.rects()) {
    const float width = place[2] - place[0], height = place[3] - place[1];
    const bool map = name.starts_with("map ") && name != "map numbers",
               compared = name.starts_with("compare map");
    if ((map || compared) && !inside(place, stage)) found.push_back("not whole: " + name);
    if (((map && view.zooms) || compared) && std::max(rows, columns) <= most)
      if (const float cell = std::min(width / columns, height / rows); cell < smallest)
        found.push_back(fmt::format("{}: cells of {}", name, cell));
    const bool numbered = name.find_first_of("0123456789") != std::string::npos;
    if ((name.starts_with("cause ") || name.starts_with("circuit pair ")) && numbered &&
        std::min(width, height) < smallest)
      found.push_back(fmt::format("{}: {} × {}", name, width, height));
    if (name.starts_with("overlay ") && std::min(width, height) < 0.24F * projector.height)
      found.push_back(fmt::format("{}: {} × {}", name, width, height));
    if (name.starts_with("presented task") && place[3] > stage[1] + 1) found.push_back("covers: " + name);
  }
  return found;
}

/// The same of its text, page by page.
std::vector<std::string> unusable_text(Projector& projector) {
  std::vector<std::string> found;
  projector.press(Key::t);
  for (bool more = true; more;) {
    projector.frames(2);
    const Place stage = projector.place("panel stage");
    for (const UiAnchors::DrawnText& text : projector.ui_anchors.texts())
      if (text.corners[0].y >= stage[1] && is_cut(text)) found.push_back("cut: " + text.text);
    for (const std::string& name : scrolled_windows()) found.push_back("scrolls: " + name);
    more = projector.app.lesson.text_below && found.empty();
    if (more) projector.press(Key::down);
  }
  projector.press(Key::t);
  projector.frames(2);
  return found;
}

// The setting of the text size has no part in it: sizes are shares of the window's height.
TEST_P(Projectors, every_step_of_every_lesson_fits) {
  if (GetParam().x > 2000) GTEST_SKIP() << "sizes are shares of the height";
  Projector projector(GetParam(), 7.0F / 6);  // as high as a line of Open Sans
  for (const BuiltInLesson& lesson : built_in_lessons()) {
    if (lesson.course) continue;  // of the same steps
    ASSERT_TRUE(play_lesson(projector.app, lesson.name));
    for (int step = 0; step <= projector.app.lesson.last(); ++step) {
      go_to_step(projector.app, step);
      projector.wait_until_idle();
      for (const Language language : {Language::zh, Language::en}) {
        SCOPED_TRACE(fmt::format("{} {} {}", lesson.name, step + 1, language == Language::zh ? "zh" : "en"));
        projector.app.set_language(language);
        projector.frames(4);
        EXPECT_THAT(unusable(projector), testing::IsEmpty());
        EXPECT_THAT(unusable_text(projector), testing::IsEmpty());
      }
    }
    close_lesson(projector.app);
  }
}

TEST(Present, a_step_that_asks_for_a_state_says_so_until_it_is_found) {
  Projector projector({1280, 720});
  ASSERT_TRUE(play_lesson(projector.app, "temperature"));
  go_to_step(projector.app, projector.app.lesson.last());
  projector.wait_until_idle();
  const LessonQuestion* asked = nullptr;
  for (const LessonQuestion& question : projector.app.lesson.at().questions)
    if (question.check && asked == nullptr) asked = &question;
  ASSERT_NE(asked, nullptr);
  EXPECT_TRUE(projector.shows("presented task"));
  EXPECT_LE(projector.place("presented task")[3], projector.place("panel stage")[1] + 1);
  projector.app.apply(*asked->solution);
  projector.wait_until_idle();
  EXPECT_TRUE(projector.shows("presented task done"));
  projector.press(Key::t);
  projector.frames(2);
  EXPECT_FALSE(projector.shows("presented task done")) << "the page has it";
}

TEST(Present, references_follow_the_questions) {
  Projector projector({1920, 1080});
  ASSERT_TRUE(play_lesson(projector.app, "why-many-heads"));
  go_to_step(projector.app, projector.app.lesson.last());
  projector.wait_until_idle();
  projector.press(Key::t);
  projector.frames(2);
  EXPECT_FALSE(projector.shows("lesson words")) << "its choices come first";
  projector.app.lesson.text_wanted = true;
  projector.frames(2);
  while (!projector.shows("lesson references") && projector.app.lesson.text_below) {
    EXPECT_TRUE(projector.shows("lesson page"));
    projector.press(Key::down);
    projector.frames(2);
  }
  ASSERT_TRUE(projector.shows("lesson references"));
  if (projector.shows("lesson question 2")) {
    EXPECT_GT(projector.place("lesson references")[1], projector.place("lesson question 2")[3]);
  }
}

TEST(Present, the_line_of_a_step_is_marked_when_it_is_no_longer_true_and_leads_back) {
  Projector projector({1280, 720});
  const TempFolder folder;
  std::ofstream(folder.at("a.md")) << "# A\n## B\n\n> It is cold\n\n```state\n{\"temperature\": 0.5}\n```\n\n"
                                      "### English\nText.\n\n```claims\n> It is cold\ntemperature < 1\n```\n";
  ASSERT_TRUE(play_lesson(projector.app, folder.at("a.md")));
  projector.wait_until_idle();
  EXPECT_FALSE(projector.shows("presented lesson link"));
  projector.app.inputs.temperature = 2;
  projector.wait_until_idle();
  ASSERT_TRUE(projector.shows("presented lesson link"));
  projector.click("presented lesson link");
  projector.wait_until_idle();
  EXPECT_EQ(projector.app.inputs.temperature, 0.5);
  EXPECT_FALSE(projector.shows("presented lesson link"));
}

TEST(Present, after_the_last_step_its_line_says_that_it_was_the_last) {
  Projector projector({1280, 720});
  ASSERT_TRUE(play_lesson(projector.app, "why-many-heads"));
  go_to_step(projector.app, projector.app.lesson.last());
  projector.wait_until_idle();
  const auto says = [&] {
    return std::ranges::any_of(projector.ui_anchors.texts(), [](const UiAnchors::DrawnText& text) {
      return text.text.find("this was the last step") != std::string::npos;
    });
  };
  EXPECT_FALSE(says());
  projector.press(Key::page_down);
  projector.frames(2);
  EXPECT_TRUE(says());
  projector.press(Key::page_up);
  projector.frames(2);
  EXPECT_FALSE(says());
}

TEST(Present, the_number_below_is_that_of_the_stage_or_there_is_none) {
  Projector projector({1280, 720});
  projector.app.inputs.mask = {make_mask_part(MaskKind::causal)};
  projector.show(ViewKind::steps);
  projector.app.state.lock = Cell{2, 2, 1};
  for (const auto& [stage, has] : {std::pair{"x", false},
                                   {"projections", false},
                                   {"products", true},
                                   {"scale", true},
                                   {"softmax", true}}) {
    SCOPED_TRACE(stage);
    projector.app.state.view.steps.stage = stage;
    projector.frames(4);
    EXPECT_EQ(projector.shows("caption number"), has);
  }
}

TEST(Present, both_texts_of_a_comparison_are_named) {
  Projector projector({1280, 720});
  const auto both = [&] { return projector.shows("line label A") && projector.shows("line label B"); };
  for (const auto& [lesson, step] :
       {std::pair{"pronoun", 0}, {"pronoun", 4}, {"which-head", 3}, {"cross-attention", 3}}) {
    SCOPED_TRACE(lesson);
    ASSERT_TRUE(play_lesson(projector.app, lesson));
    go_to_step(projector.app, step);
    projector.wait_until_idle();
    EXPECT_TRUE(both());
    projector.press(Key::t);
    EXPECT_TRUE(both()) << "beside its text";
    projector.press(Key::t);
  }
  ASSERT_TRUE(play_lesson(projector.app, "why-many-heads"));
  projector.wait_until_idle();
  EXPECT_FALSE(projector.shows("line label A")) << "there is one text";
}

TEST(Present, keys_that_turn_steps_move_and_paint_nothing) {
  Projector projector({1280, 720});
  for (const ViewKind kind : {ViewKind::head, ViewKind::grid, ViewKind::lines, ViewKind::layers}) {
    SCOPED_TRACE(static_cast<int>(kind));
    ASSERT_TRUE(play_lesson(projector.app, "masks"));
    projector.show(kind);
    projector.app.state.lock = Cell{0, 1, 1};
    projector.app.state.brush.on = true;
    for (const Key key : {Key::space, Key::right, Key::page_down}) {
      const int step = projector.app.lesson.step;
      projector.press(key);
      EXPECT_EQ(projector.app.lesson.step, step + 1);
      EXPECT_EQ(projector.app.state.lock, projector.app.lesson.at().cell);
      EXPECT_FALSE(is_free_play(projector.app));
    }
  }
  projector.app.state.view.kind = ViewKind::head;
  projector.app.inputs.mask.clear();
  projector.app.state.brush.on = true;
  projector.wait_until_idle();
  projector.app.state.lock = Cell{0, 1, 1};
  projector.press(Key::enter);
  EXPECT_FALSE(projector.app.inputs.mask.empty()) << "it paints";
}

TEST(Present, f7_opens_the_controls_at_what_the_step_names) {
  for (const bool text : {false, true})
    for (const Language language : {Language::en, Language::zh}) {
      SCOPED_TRACE(text);
      Projector projector({1280, 720});
      projector.app.set_language(language);
      ASSERT_TRUE(play_lesson(projector.app, "temperature"));
      go_to_step(projector.app, projector.app.lesson.last());
      projector.wait_until_idle();
      ASSERT_FALSE(projector.app.lesson.at().questions.empty());
      projector.app.presentation.text = text;
      projector.frames(3);
      projector.press(Key::f7);
      projector.frames(6);
      ASSERT_TRUE(projector.shows("edge left"));
      const Place panel = projector.place("edge left"), named = projector.place("temperature");
      EXPECT_TRUE(inside(named, panel));
      projector.point_to(projector.middle("edge left"));
      projector.press(Key::f7);
      projector.frames(3);
      EXPECT_FALSE(projector.shows("edge left")) << "though the pointer is there";
    }
}

TEST(Present, the_lens_stays_in_the_window_over_the_cell_under_the_pointer) {
  Projector projector({1280, 720});
  projector.press(Key::m);
  for (const ViewKind kind : {ViewKind::head, ViewKind::grid}) {
    projector.show(kind);
    const Place map = projector.place("map 3");
    for (const ImVec2 at :
         {ImVec2{map[0] + 2, map[1] + 2}, {map[2] - 2, map[3] - 2}, projector.middle("map 3")}) {
      projector.point_to(at);
      ASSERT_TRUE(projector.shows("lens"));
      const Place lens = projector.place("lens");
      EXPECT_TRUE(inside(lens, {0, 0, 1280, 720}));
      EXPECT_TRUE(at.x >= lens[0] && at.x <= lens[2] && at.y >= lens[1] && at.y <= lens[3]);
    }
  }
  projector.press(Key::m);
  EXPECT_FALSE(projector.shows("lens"));
}

}  // namespace headscope::tests
