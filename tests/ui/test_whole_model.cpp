#include <fstream>

#include "app/state/actions/present.h"
#include "app/state/document/adjust.h"
#include "app/state/document/file_commands.h"
#include "app/state/view/navigation.h"
#include "core/inputs/names.h"
#include "tests/support/built_in_models.h"
#include "tests/ui/app_fixture.h"

namespace headscope::tests {

class WholeModel : public AppFixture {
 protected:
  explicit WholeModel(ImVec2 size = {1280, 1000}, float text = 13)
      : AppFixture(size, text), models_(home.path) {
    write_whole_model(home.path / "translator", translator_case());
    app.inputs.sentence = "w3 zork w5";
  }
  void open(const std::string& model) {
    command_open_path(app, model);
    wait_until_idle();
  }

  void double_click(ImVec2 at) {
    move(at);
    for (const bool down : {true, false, true, false}) button(down);
    settle();
  }

  OwnHome home;

 private:
  ModelsIn models_;
};

TEST_F(WholeModel, is_opened_from_the_menu_by_the_name_that_sessions_keep) {
  run_action(app, "model translator");
  wait_until_idle();
  EXPECT_EQ(app.inputs.model, "translator");
  EXPECT_EQ(app.session().inputs.model, "translator");
  EXPECT_EQ(app.trace()->blocks.size(), 3U);
  EXPECT_THAT(app.settings.recent_models, IsEmpty()) << "has a menu of its own";
  EXPECT_TRUE(find_action(app, "model translator")->checked(app));
  const Action* guided = find_action(app, "model translator-guided");
  EXPECT_FALSE(is_enabled(app, *guided));
  EXPECT_THAT(guided->refused(app), HasSubstr("translator-guided is not installed"));
}

TEST_F(WholeModel, is_offered_at_the_start_where_it_is_installed) {
  app.settings.welcome = true;
  wait_until_idle();
  ASSERT_TRUE(shows("welcome translator"));
  click("welcome translator");
  wait_until_idle();
  EXPECT_EQ(app.inputs.model, "translator");
  EXPECT_FALSE(shows("welcome translator"));
}

class LowWholeModel : public WholeModel {
 protected:
  LowWholeModel() : WholeModel({1900, 720}, 27) {}
};

TEST_F(LowWholeModel, has_its_choices_beside_the_legend) {
  run_action(app, "model translator");
  app.state.view.kind = ViewKind::model;
  wait_until_idle();
  ASSERT_TRUE(shows("shown head"));
  ASSERT_TRUE(shows("sign blocked"));
  const auto list = place("shown head"), legend = place("sign blocked");
  EXPECT_TRUE(list[2] <= legend[0] || list[3] <= legend[1] || legend[3] <= list[1]);
}

TEST_F(WholeModel, is_what_a_model_built_in_is_met_with) {
  run_action(app, "model translator");
  wait_until_idle();
  EXPECT_EQ(app.state.view.kind, ViewKind::model);
  EXPECT_TRUE(shows("whole model"));
  write_whole_model(home.path / "elsewhere", translator_case());
  app.state.view.kind = ViewKind::grid;
  open((home.path / "elsewhere").string());
  EXPECT_EQ(app.state.view.kind, ViewKind::grid) << "a folder of one's own";
}

TEST_F(WholeModel, a_session_is_seen_as_it_was_kept) {
  Session session;
  session.inputs.model = "translator";
  session.inputs.sentence = "w3 zork w5";
  app.set_session(session);
  wait_until_idle();
  EXPECT_EQ(app.trace()->blocks.size(), 3U);
  EXPECT_EQ(app.state.view.kind, ViewKind::grid);
}

TEST_F(WholeModel, shows_every_map_a_double_click_or_its_title_from_its_grid) {
  open("translator");
  ASSERT_EQ(app.state.view.kind, ViewKind::model);
  for (const BlockTrace& block : app.trace()->blocks)
    for (int layer = 0; layer < block.shape.layers; ++layer)
      for (const char* way : {"map", "title"}) {
        const std::string mark = fmt::format("{} {} {}", way, to_name(block.shape.kind), layer);
        ASSERT_TRUE(shows(mark)) << mark;
        *way == 'm' ? double_click(middle(mark)) : click(mark);
        EXPECT_EQ(app.state.view.kind, ViewKind::grid) << mark;
        EXPECT_EQ(app.state.view.layer, layer);
        wait_until_idle();
        EXPECT_EQ(app.block()->shape.kind, block.shape.kind);
        app.state.view.kind = ViewKind::model;
        pause();
        wait_until_idle();
      }
}

TEST_F(WholeModel, a_click_locks_the_cell_of_the_head_that_looks_there_most_and_another_frees_it) {
  open("translator");
  const auto [left, top, right, bottom] = place("map encoder 1");
  const auto cells = static_cast<float>(app.trace()->blocks.front().n_q());
  const ImVec2 at{left + (right - left) * 1.5F / cells, top + (bottom - top) * 0.5F / cells};
  click(at);
  wait_until_idle();
  ASSERT_TRUE(app.state.lock);
  EXPECT_EQ(app.state.view.kind, ViewKind::model);
  EXPECT_EQ(app.state.view.block, BlockKind::encoder);
  EXPECT_EQ(app.state.view.layer, 1);
  EXPECT_EQ(app.state.lock->query, 0);
  EXPECT_EQ(app.state.lock->key, 1);
  const MapSource& maps = *app.block()->maps;
  for (int head = 0; head < app.block()->heads(); ++head)
    EXPECT_LE(maps.weight(1, head, 0, 1), maps.weight(1, app.state.lock->head, 0, 1));
  press(Key::down);
  EXPECT_EQ(app.state.lock->query, 1);
  press(Key::up);
  EXPECT_EQ(app.state.lock->query, 0);
  pause();
  click(at);
  EXPECT_FALSE(app.state.lock);
}

TEST_F(WholeModel, the_tooltip_of_a_cell_covers_none_of_the_lit_words) {
  open("translator");
  for (const char* name : {"map encoder 0", "map encoder 1", "map cross 0", "map decoder 0"}) {
    const auto [left, top, right, bottom] = place(name);
    for (const ImVec2 share : {ImVec2{0.05F, 0.05F}, ImVec2{0.05F, 0.95F}, ImVec2{0.95F, 0.95F}}) {
      move(left + (right - left) * share.x, top + (bottom - top) * share.y);
      frames(4);
      ASSERT_TRUE(shows("model tooltip")) << name;
      const auto [x0, y0, x1, y1] = place("model tooltip");
      bool lit = false;
      for (const auto& [mark, rect] : ui_anchors.rects()) {
        if (!mark.starts_with("lit word")) continue;
        lit = true;
        const bool apart = rect[2] <= x0 || rect[0] >= x1 || rect[3] <= y0 || rect[1] >= y1;
        EXPECT_TRUE(apart) << name << ", " << mark;
      }
      EXPECT_TRUE(lit) << name;
    }
  }
}

TEST_F(WholeModel, a_map_has_the_menu_of_its_layer_or_of_its_head) {
  open("translator");
  click(middle("map decoder 1"), 1);
  wait_until_idle();
  EXPECT_TRUE(shows("map menu open grid"));
  EXPECT_TRUE(shows("map menu copy picture"));
  EXPECT_FALSE(shows("map menu head off")) << "of the mean";
  ASSERT_TRUE(shows("map menu layer off"));
  click("map menu layer off");
  wait_until_idle();
  EXPECT_EQ(app.state.view.kind, ViewKind::model);
  ASSERT_TRUE(app.compare);
  for (const HeadPlace& place : app.compare->ablated_heads) {
    EXPECT_EQ(place.block, BlockKind::decoder);
    EXPECT_EQ(place.layer, 1);
  }
  EXPECT_FALSE(app.compare->ablated_heads.empty());
  EXPECT_TRUE(app.state.view.of_b) << "what was changed is seen";
  EXPECT_TRUE(shows("shown side 1"));
  EXPECT_TRUE(shows("B translation text")) << "and what it does to the translation";
  app.state.view.head = 0;
  wait_until_idle();
  click(middle("map encoder 0"), 1);
  wait_until_idle();
  EXPECT_TRUE(shows("map menu open grid"));
  EXPECT_TRUE(shows("map menu head off"));
}

TEST_F(WholeModel, a_translation_that_a_head_does_not_change_is_said_to_be_so) {
  open("translator");
  EXPECT_FALSE(shows("translation unchanged"));
  app.inputs.ablated_heads = {{BlockKind::encoder, 0, 0}};
  wait_until_idle();
  ASSERT_FALSE(app.trace()->translation->as_learnt);
  EXPECT_TRUE(shows("translation unchanged"));
}

TEST_F(WholeModel, a_word_that_is_clicked_locks_what_it_was_computed_from) {
  open("translator");
  app.state.view.kind = ViewKind::model;
  wait_until_idle();
  ASSERT_TRUE(shows("written 0"));
  ASSERT_TRUE(shows("source 1"));
  click("written 0");
  wait_until_idle();
  ASSERT_TRUE(app.state.lock);
  EXPECT_EQ(app.state.view.block, BlockKind::cross);
  EXPECT_EQ(app.state.lock->query, 0);
  EXPECT_EQ(app.state.lock->head, 1) << "the head that aligns best";
  click("written 0");
  EXPECT_FALSE(app.state.lock);
}

TEST_F(WholeModel, the_tokens_above_it_are_the_words_of_the_picture) {
  open("translator");
  app.state.view.block = BlockKind::cross;
  wait_until_idle();
  ASSERT_TRUE(shows("token 1"));
  ASSERT_TRUE(shows("key token 1"));
  click("token 1");
  wait_until_idle();
  ASSERT_TRUE(app.state.lock);
  EXPECT_EQ(app.state.lock->query, 0) << "the row that it was written from";
  EXPECT_EQ(app.state.lock->head, 1) << "of the head that aligns best";
  click("token 1");
  EXPECT_FALSE(app.state.lock);
  click("key token 1");
  EXPECT_FALSE(app.state.lock) << "a word of the source lights";
  show_block(app.state, BlockKind::encoder);
  wait_until_idle();
  ASSERT_TRUE(shows("still tokens"));
  const auto [left, top, right, bottom] = place("still tokens");
  click(ImVec2{left + 4, top + 4});
  EXPECT_EQ(app.state.view.block, BlockKind::decoder) << "of the start token there is no row";
}

TEST_F(WholeModel, is_refused_with_its_reason_where_there_is_no_encoder_and_decoder) {
  write_whole_model(home.path / "gpt2", model_case("gpt2"));
  click("views 9");
  EXPECT_NE(app.state.view.kind, ViewKind::model) << "a seeded layer has none";
  open((home.path / "gpt2").string());
  if (shows("views")) click("views");
  ASSERT_TRUE(shows("views 9"));
  click("views 9");
  EXPECT_NE(app.state.view.kind, ViewKind::model);
}

TEST_F(WholeModel, the_translation_is_there_as_a_text_and_its_changes_are_reported) {
  open("translator");
  ASSERT_TRUE(shows("translation text"));
  EXPECT_FALSE(shows("as learnt"));
  EXPECT_FALSE(shows("outside"));
  const std::string learnt = app.trace()->translation->text;
  app.inputs.temperature = 30;
  wait_until_idle();
  ASSERT_TRUE(app.trace()->translation);
  EXPECT_EQ(shows("as learnt"), app.trace()->translation->text != learnt);
  app.inputs.temperature = 1;
  app.inputs.sentence = "zork blub gnat";
  wait_until_idle();
  EXPECT_TRUE(shows("outside"));
}

TEST_F(WholeModel, heads_that_are_reported_have_it_in_their_titles) {
  open("translator");
  app.state.view.kind = ViewKind::grid;
  app.state.view.layer = 1;
  wait_until_idle();
  EXPECT_EQ(relation_badge(app.tr, app.scene(app.block()), 1, 1), "pronoun → antecedent 0.98, guided");
  EXPECT_EQ(relation_badge(app.tr, app.scene(app.block()), 0, 1), "");
  app.set_language(Language::zh);
  EXPECT_EQ(relation_badge(app.tr, app.scene(app.block()), 1, 1), "代词 → 先行词 0.98（受引导）");
}

TEST_F(WholeModel, the_inspector_goes_through_the_steps_of_the_decoder) {
  open("translator");
  ASSERT_TRUE(shows("decoder step number"));
  ASSERT_TRUE(shows("decoder step expects 4"));
  EXPECT_FALSE(shows("decoder step expects 5"));
  ASSERT_TRUE(shows("decoder step sees 2"));
  click("decoder step on");
  frame();
  EXPECT_EQ(app.state.decoder_step, 1);
  wait_until_idle();
  ASSERT_TRUE(app.state.lock) << "as a click on the word that it wrote";
  EXPECT_EQ(app.state.view.block, BlockKind::cross);
  EXPECT_EQ(app.state.lock->query, 1);
  app.state.view.kind = ViewKind::grid;
  show_block(app.state, BlockKind::encoder);
  wait_until_idle();
  click("decoder step on");
  EXPECT_FALSE(app.state.lock) << "the encoder's maps have no row of it";
  app.state.view.block = BlockKind::cross;
  wait_until_idle();
  click("decoder step on");
  wait_until_idle();
  ASSERT_TRUE(app.state.lock);
  const Cell lock = *app.state.lock;
  const BlockTrace& cross = *app.block();
  const MapRows rows(*cross.maps, app.state.view.layer, lock.head, lock.query, lock.query + 1);
  for (int key = 0; key < cross.n_k(); ++key)
    EXPECT_LE(rows.row(lock.query)[key], rows.row(lock.query)[lock.key]) << "locked where it looks most";
}

TEST_F(WholeModel, the_inspector_is_of_the_side_that_is_seen) {
  open("translator");
  app.compare = app.inputs;
  app.compare->sentence = "w3 w5";
  app.state.view.block = BlockKind::encoder;
  app.state.lock = Cell{0, 0, 0};
  wait_until_idle();
  ASSERT_LT(app.block(Side::b)->n_k(), 3);
  const auto width = [this] { return place("inspected head")[2] - place("inspected head")[0]; };
  ASSERT_TRUE(shows("inspected head"));
  EXPECT_TRUE(shows("head relation"));
  EXPECT_TRUE(shows("decoder step sees 2"));
  const float of_a = width();
  app.state.view.of_b = true;
  wait_until_idle();
  EXPECT_GT(width(), of_a) << "it is named B's";
  EXPECT_TRUE(shows("decoder step sees 1"));
  EXPECT_FALSE(shows("decoder step sees 2")) << "there are no more tokens in B";
  app.state.view.kind = ViewKind::compare;
  app.state.edits = Side::b;
  wait_until_idle();
  EXPECT_FALSE(shows("decoder step sees 2"));
  app.state.edits = Side::a;
  wait_until_idle();
  EXPECT_TRUE(shows("decoder step sees 2"));
}

TEST_F(WholeModel, a_comparison_is_ended_next_to_its_sides) {
  open("translator");
  app.compare = app.inputs;
  app.compare->temperature = 3;
  show_side(app.state, Side::b);
  wait_until_idle();
  click("edit B sentence");
  ASSERT_TRUE(memory.texts.b.sentence.focused);
  run_action(app, "end comparison");
  wait_until_idle();
  EXPECT_FALSE(app.compare);
  EXPECT_FALSE(shows("shown side 1"));
  ASSERT_TRUE(memory.texts.a.sentence.focused) << "whoever types goes on";
  type(U"x");
  EXPECT_THAT(app.inputs.sentence, HasSubstr("x"));
  app.state.view.kind = ViewKind::compare;
  wait_until_idle();
  ASSERT_TRUE(shows("end comparison"));
  click("end comparison");
  wait_until_idle();
  EXPECT_FALSE(app.compare);
  EXPECT_EQ(app.state.view.kind, ViewKind::grid);
}

TEST_F(WholeModel, the_table_of_heads_has_a_column_of_relations) {
  open("translator");
  app.state.view.kind = ViewKind::head_table;
  app.state.view.table.half = TableHalf::numbers;
  wait_until_idle();
  EXPECT_TRUE(shows("column relation"));
  const std::string before = app.state.view.sort.by;
  click("column relation");
  EXPECT_EQ(app.state.view.sort.by, before) << "is no order";
  app.state.view.block = BlockKind::decoder;
  wait_until_idle();
  EXPECT_FALSE(shows("column relation")) << "nothing is told of its heads";
}

TEST_F(WholeModel, the_card_next_to_the_models_is_read_in_the_window) {
  run_action(app, "model card");
  settle();
  EXPECT_FALSE(shows("page")) << "there is none in this folder";
  ASSERT_NE(app.notices.current(), nullptr);
  EXPECT_THAT(app.notices.current()->text, HasSubstr("README.md"));
  std::ofstream(home.path / "README.md") << "# Models\n\nWhat was measured: **99 %**.\n";
  run_action(app, "model card");
  settle();
  EXPECT_TRUE(shows("page"));
  press(Key::escape);
  settle();
  EXPECT_FALSE(shows("page"));
}

/// On a projector.
class PresentedWholeModel : public WholeModel {
 protected:
  PresentedWholeModel() : WholeModel({1280, 720}, 24) {
    Style& style = memory.style;
    set_text_sizes({{&style.large, 30}, {&style.caption, 48}, {&style.number, 72}});
    style.small = style.font_size;
    open("translator");
    start_presentation(app);
    wait_until_idle();
  }
};

TEST_F(PresentedWholeModel, has_the_stage_for_itself_and_reports_the_pointed_cell) {
  ASSERT_TRUE(shows("whole model"));
  EXPECT_FALSE(shows("line token 0")) << "the words stand on the axes";
  EXPECT_LT(place("whole model")[1], 0.03F * 720);
  EXPECT_FALSE(shows("caption number"));
  move(middle("map cross 0"));
  frames(3);
  EXPECT_TRUE(shows("caption number"));
  EXPECT_FALSE(shows("model tooltip"));
  EXPECT_FALSE(shows("shown head"));
  app.compare = app.inputs;
  app.compare->temperature = 3;
  move({640, 0});
  wait_until_idle();
  EXPECT_TRUE(shows("shown head")) << "with the menus at the upper edge";
  ASSERT_TRUE(shows("shown side 1"));
  click("shown side 1");
  EXPECT_TRUE(app.state.view.of_b);
}

TEST_F(PresentedWholeModel, of_two_translators_both_translations_are_below_the_tokens) {
  app.compare = app.inputs;
  app.compare->temperature = 30;
  app.state.view.kind = ViewKind::compare;
  app.state.view.block = BlockKind::cross;
  app.state.lock = Cell{0, 1, 1};
  wait_until_idle();
  ASSERT_TRUE(shows("translation text"));
  ASSERT_TRUE(shows("B translation text"));
  EXPECT_GT(place("translation text")[1], place("line token 0")[1]);
  EXPECT_LE(place("B translation text")[3], place("panel stage")[1] + 1);
  ASSERT_TRUE(shows("caption"));
  EXPECT_THAT(ui_anchors.cut(), Not(Contains("caption")));
}

}  // namespace headscope::tests
