#include <imgui_internal.h>

#include "app/panels/widgets/widgets.h"
#include "app/state/document/adjust.h"
#include "app/state/lesson/play_lesson.h"
#include "app/state/view/panels.h"
#include "tests/ui/app_fixture.h"

namespace headscope::tests {

TEST_F(AppFixture, opens_on_the_notebook) {
  EXPECT_EQ(app.inputs, Inputs{});
  EXPECT_EQ(app.block()->n_q(), 10);
  EXPECT_GE(painter.requests.size(), 8U);
}

TEST_F(AppFixture, maps_have_their_heads_name_in_every_view_of_them) {
  for (int head = 1; head <= 8; ++head) EXPECT_TRUE(shows("map " + std::to_string(head)));
  click("title 3");
  EXPECT_EQ(app.state.view.kind, ViewKind::head);
  EXPECT_TRUE(shows("map 3"));
  EXPECT_FALSE(shows("map 1"));
  EXPECT_TRUE(shows("views 1"));
  click("views 0");
  app.state.view.hidden_heads = {0, 1, 2, 3, 5, 6, 7};
  frames(2);
  EXPECT_TRUE(shows("map 5")) << "alone in the grid";
  EXPECT_FALSE(shows("map 4"));
}

TEST_F(AppFixture, heads_are_chosen_among_the_divisors_of_d_model) {
  click("heads");
  for (int heads = 1; heads <= 64; ++heads)
    EXPECT_EQ(shows(fmt::format("divisor {}", heads)), 512 % heads == 0) << heads;
  click("divisor 16");
  EXPECT_EQ(app.inputs.heads, 16);
}

TEST_F(AppFixture, typed_width_takes_the_nearest_heads_and_says_so) {
  enter("d_model", U"500");
  EXPECT_EQ(app.inputs.d_model, 500);
  EXPECT_EQ(app.inputs.heads, 10);
  ASSERT_NE(app.notices.current(), nullptr);
  EXPECT_NE(app.notices.current()->text.find("does not divide"), std::string::npos);
  EXPECT_FALSE(app.runners.a.error());
}

TEST_F(AppFixture, numbers_out_of_range_are_clamped) {
  enter("d_model", U"-3");
  EXPECT_EQ(app.inputs.d_model, 1);
  EXPECT_EQ(app.inputs.heads, 1);
}

TEST_F(AppFixture, numbers_stay_when_a_menu_takes_the_focus) {
  for (const char* field : {"d_model", "temperature typed"}) {
    const Inputs before = app.inputs;
    click(field);
    click("menu file");
    frames(3);
    EXPECT_EQ(app.inputs.d_model, before.d_model) << field;
    EXPECT_EQ(app.inputs.temperature, before.temperature) << field;
    press(Key::escape);
    frames(2);
  }
}

TEST_F(AppFixture, positions_only_with_embedding) {
  click("section more");
  click("positions 1");
  EXPECT_EQ(app.inputs.positions, Positions::none);
  click("inputs 1");
  EXPECT_EQ(app.inputs.vectors, VectorKind::embedding);
  click("positions 1");
  EXPECT_EQ(app.inputs.positions, Positions::sinusoidal);
}

TEST_F(AppFixture, padding_is_typed_by_numbers_from_one) {
  click_each({"Padding", "padding tokens"});
  type(U"9 3-4");
  press(Key::enter);
  ASSERT_NE(find_part(app.inputs, MaskKind::padding), nullptr);
  EXPECT_EQ(find_part(app.inputs, MaskKind::padding)->tokens, (std::vector<int>{2, 3, 8}));
  EXPECT_TRUE(app.block()->mask.blocked(0, 0, 8));
  click("Padding");
  EXPECT_FALSE(app.block()->mask.any());
  click("Padding");  // what was marked is still marked
  EXPECT_TRUE(app.block()->mask.blocked(0, 0, 8));
}

TEST_F(AppFixture, a_number_that_no_token_has_is_reported_while_it_is_typed) {
  click_each({"Padding", "padding tokens"});
  type(U"0");
  EXPECT_TRUE(shows("no such token"));
  type(U" 3");
  press(Key::enter);
  EXPECT_EQ(find_part(app.inputs, MaskKind::padding)->tokens, std::vector<int>{2});
  EXPECT_FALSE(shows("no such token"));
}

TEST_F(AppFixture, presets_begin_with_the_first_token_global) {
  switch_part(app.inputs, MaskKind::longformer, true);
  frames(2);
  EXPECT_EQ(to_string(app.inputs.mask[0]), "longformer:1,global=0");
  EXPECT_FALSE(app.block()->mask.blocked(0, 5, 0));
  EXPECT_TRUE(app.block()->mask.blocked(0, 5, 1));
}

TEST_F(AppFixture, editing_the_sentence_keeps_the_mask_of_tokens_that_come_back) {
  app.inputs.mask = mask_parts({"padding:9"});
  app.inputs.sentence = "The animal didn't cross the street because it wastired";
  frames(2);
  EXPECT_FALSE(app.runners.a.error());
  EXPECT_EQ(app.block()->n_q(), 9);
  EXPECT_FALSE(app.block()->mask.any());
  app.inputs.sentence = notebook_sentence;
  frames(2);
  EXPECT_TRUE(app.block()->mask.blocked(0, 0, 9));
}

TEST_F(AppFixture, seed_is_typed_and_rolled) {
  enter("seed", U"7");
  EXPECT_EQ(app.inputs.seed, 7U);
  const auto before = app.inputs.seed;
  for (int i = 0; i < 3 && app.inputs.seed == before; ++i) click("roll");
  EXPECT_NE(app.inputs.seed, before);
}

TEST_F(AppFixture, cross_attention_gets_a_second_sentence) {
  click("section more");
  click("Second sentence (cross-attention)");
  ASSERT_TRUE(app.inputs.key_sentence);
  EXPECT_TRUE(shows("key token 0"));
  *app.inputs.key_sentence = "two words";
  frames(2);
  EXPECT_EQ(app.block()->n_k(), 2);
  EXPECT_FALSE(shows("key token 2"));
}

TEST_F(AppFixture, x_is_typed_and_pasted) {
  click("section more");
  click("inputs 2");
  EXPECT_EQ(app.inputs.vectors, VectorKind::randn) << "d_model is too large";
  app.inputs.sentence = "a b";
  change_d_model(app, 2);
  frames(2);
  click("inputs 2");
  ASSERT_EQ(app.inputs.vectors, VectorKind::typed);
  enter("X 1 0", U"7");
  EXPECT_EQ(app.inputs.typed.x, (std::vector<double>{1, 0, 7, 1}));
  EXPECT_EQ(app.runners.a.trace()->x.at(1)[0], 7);
  clipboard = "1 2 3";
  click("paste X");
  ASSERT_NE(app.notices.current(), nullptr);
  EXPECT_EQ(app.notices.current()->text, "Numbers pasted: 3; expected 4");
  clipboard = "1 2 3 4";
  click("paste X");
  EXPECT_EQ(app.inputs.typed.x, (std::vector<double>{1, 2, 3, 4}));
  app.inputs.sentence = "a b c";
  frames(2);
  EXPECT_EQ(app.inputs.typed.x, (std::vector<double>{1, 2, 3, 4, 1, 0}));
  EXPECT_FALSE(app.runners.a.error());
}

bool tooltip_is_shown() {
  const ImGuiWindow* window = ImGui::FindWindowByName("##Tooltip_00");
  return window != nullptr && window->Active && !window->Hidden;
}

TEST_F(AppFixture, what_was_clicked_explains_itself_only_when_it_is_pointed_at_anew) {
  for (const char* mark : {"Padding", "Paint on the maps"}) {
    SCOPED_TRACE(mark);
    move(middle(mark));
    frames(3);
    EXPECT_TRUE(tooltip_is_shown());
    click(mark);
    frames(5);
    EXPECT_FALSE(tooltip_is_shown()) << "it would cover what has just come below";
    const ImVec2 at = middle(mark);
    move({at.x + 1, at.y});
    frames(3);
    EXPECT_FALSE(tooltip_is_shown());
    move(middle("map 1"));
    frames(3);
    move(middle(mark));
    frames(3);
    EXPECT_TRUE(tooltip_is_shown());
    click(mark);
  }
}

TEST_F(AppFixture, a_key_hides_the_tooltip_of_what_lies_under_a_resting_pointer) {
  for (const char* mark : {"map 1", "token 1", "Padding"}) {
    SCOPED_TRACE(mark);
    for (const auto& [key, ctrl] : {std::pair{Key::page_down, false}, {Key::c, true}, {Key::right, false}}) {
      move(middle("map 5"));
      move(middle(mark));
      frames(3);
      ASSERT_TRUE(tooltip_is_shown());
      press(key, ctrl);
      frames(3);
      EXPECT_FALSE(tooltip_is_shown());
    }
    const ImVec2 at = middle(mark);
    move({at.x + 1, at.y});
    frames(3);
    EXPECT_TRUE(tooltip_is_shown()) << "asked for again";
  }
}

TEST_F(AppFixture, an_explanation_behind_its_button_is_shown_by_pointer_click_and_keyboard) {
  move(middle("info mask"));
  frames(3);
  EXPECT_TRUE(tooltip_is_shown());
  click("info mask");
  frames(3);
  EXPECT_TRUE(tooltip_is_shown()) << "a click asks for it, too";
  const auto button = place("info mask");
  const ImGuiWindow* window = ImGui::FindWindowByName("##Tooltip_00");
  EXPECT_TRUE(window->Pos.y >= button[3] || window->Pos.y + window->Size.y <= button[1]);
  move(middle("map 1"));
  frames(3);
  go_to_panel(app, Panel::controls);
  frames(3);
  for (int i = 0; i < 60 && !tooltip_is_shown(); ++i) press(i % 2 == 0 ? Key::down : Key::right);
  EXPECT_TRUE(tooltip_is_shown());
}

TEST(TooltipSide, is_the_first_that_is_inside_the_window) {
  const ImVec2 window{1000, 600};
  const auto side = [&](ImVec2 at, ImVec2 size, bool sideways = false) {
    return tooltip_side(at, {at.x + 100, at.y + 20}, size, window, sideways);
  };
  EXPECT_EQ(side({100, 100}, {300, 200}), TooltipSide::below);
  EXPECT_EQ(side({100, 500}, {300, 200}), TooltipSide::above);
  EXPECT_EQ(side({100, 300}, {300, 400}), TooltipSide::right);
  EXPECT_EQ(side({800, 300}, {300, 400}), TooltipSide::left);
  EXPECT_EQ(side({100, 100}, {300, 200}, true), TooltipSide::right);
  EXPECT_EQ(side({800, 100}, {300, 200}, true), TooltipSide::left);
  EXPECT_EQ(side({450, 200}, {600, 500}), TooltipSide::below) << "the roomiest where none has room";
  EXPECT_EQ(side({350, 200}, {600, 700}), TooltipSide::right);
}

TEST_F(AppFixture, rows_and_columns_are_auto_while_their_fields_are_empty) {
  enter("columns", U"2");
  EXPECT_EQ(app.state.view.columns, 2);
  enter("columns", U"70");
  EXPECT_EQ(app.state.view.columns, 70) << "as many as a source's heads can need";
  click("columns");
  press_each({{Key::a, true}, Key::del, Key::enter});
  EXPECT_EQ(app.state.view.columns, 0);
}

TEST_F(AppFixture, a_step_that_points_to_a_folded_control_opens_its_section) {
  EXPECT_FALSE(shows("Divide scores by √d_k"));
  ASSERT_TRUE(play_lesson(app, "temperature")) << "one of its steps points to the scale";
  for (int i = 0; i < app.lesson.last() && !is_outlined("scale"); ++i) {
    go_to_step(app, i);
    frames(4);
  }
  ASSERT_TRUE(is_outlined("scale"));
  EXPECT_TRUE(shows("Divide scores by √d_k"));
}

TEST_F(AppFixture, the_lists_of_queries_and_keys_begin_at_one_height) {
  click("filter");
  frames(3);
  EXPECT_EQ(place("query list heading")[1], place("key list heading")[1]);
}

TEST_F(AppFixture, a_row_of_the_inspector_gives_its_word_45_percent_of_its_width) {
  app.state.lock = Cell{0, 2, 3};
  memory.whole_row = true;
  for (const double width : {10.0, 12.5, 13.0, 15.0, 20.0, 30.0}) {
    app.settings.inspector_width = width;
    frames(3);
    const auto entry = place("row entry"), word = place("row word");
    EXPECT_GE(word[2] - word[0], 0.449F * (entry[2] - entry[0])) << width;
  }
}

}  // namespace headscope::tests
