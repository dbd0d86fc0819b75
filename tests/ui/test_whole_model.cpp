#include <fstream>

#include "core/inputs/names.h"
#include "tests/support/on_board.h"
#include "tests/ui/app_fixture.h"

namespace headscope::tests {

class WholeModel : public AppFixture {
 protected:
  WholeModel() : models_(home.path) {
    write_whole_model(home.path / "translator", translator_case());
    app.inputs.sentence = "w3 zork w5";
  }
  void open(const std::string& model) {
    command_open_path(app, model);
    finish();
  }
  void finish() {
    for (int i = 0; i < 10; ++i) {
      frame();
      app.opening.wait();
    }
    settle();
  }

  OwnHome home;

 private:
  ModelsIn models_;
};

TEST_F(WholeModel, is_opened_from_the_menu_by_the_name_that_sessions_keep) {
  run_action(app, "model translator");
  finish();
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
  finish();
  ASSERT_TRUE(shows("welcome translator"));
  click("welcome translator");
  finish();
  EXPECT_EQ(app.inputs.model, "translator");
  EXPECT_FALSE(shows("welcome translator"));
}

TEST_F(WholeModel, shows_every_map_one_click_from_its_grid) {
  open("translator");
  press(Key::digit_0, true);
  finish();
  ASSERT_EQ(app.state.view.kind, ViewKind::model);
  for (const BlockTrace& block : app.trace()->blocks)
    for (int layer = 0; layer < block.shape.layers; ++layer) {
      const std::string mark = fmt::format("map {} {}", to_name(block.shape.kind), layer);
      ASSERT_TRUE(shows(mark)) << mark;
      click(mark);
      EXPECT_EQ(app.state.view.kind, ViewKind::grid);
      EXPECT_EQ(app.state.view.layer, layer);
      finish();
      EXPECT_EQ(app.block()->shape.kind, block.shape.kind);
      app.state.view.kind = ViewKind::model;
      finish();
    }
}

TEST_F(WholeModel, a_word_that_is_clicked_locks_what_it_was_made_from) {
  open("translator");
  app.state.view.kind = ViewKind::model;
  finish();
  ASSERT_TRUE(shows("written 0"));
  ASSERT_TRUE(shows("source 1"));
  click("written 0");
  finish();
  ASSERT_TRUE(app.state.lock);
  EXPECT_EQ(app.state.view.block, BlockKind::cross);
  EXPECT_EQ(app.state.lock->query, 0);
  EXPECT_EQ(app.state.lock->head, 1) << "the head that aligns best";
  click("written 0");
  EXPECT_FALSE(app.state.lock);
}

TEST_F(WholeModel, is_refused_with_its_reason_where_there_is_no_encoder_and_decoder) {
  write_whole_model(home.path / "gpt2", model_case("gpt2"));
  EXPECT_FALSE(shows("views 7")) << "of a seeded layer there is no such tab";
  open((home.path / "gpt2").string());
  ASSERT_TRUE(shows("views 9"));
  click("views 9");
  EXPECT_NE(app.state.view.kind, ViewKind::model);
}

TEST_F(WholeModel, the_translation_stands_there_as_a_text_and_its_changes_are_told) {
  open("translator");
  ASSERT_TRUE(shows("translation text"));
  EXPECT_FALSE(shows("as learnt"));
  EXPECT_FALSE(shows("outside"));
  const std::string learnt = app.trace()->translation->text;
  app.inputs.temperature = 30;
  finish();
  ASSERT_TRUE(app.trace()->translation);
  EXPECT_EQ(shows("as learnt"), app.trace()->translation->text != learnt);
  app.inputs.temperature = 1;
  app.inputs.sentence = "zork blub gnat";
  finish();
  EXPECT_TRUE(shows("outside"));
}

TEST_F(WholeModel, heads_that_are_told_of_have_it_in_their_titles) {
  open("translator");
  app.state.view.layer = 1;
  finish();
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
  EXPECT_FALSE(app.state.lock) << "the encoder's maps have no row of it";
  app.state.view.block = BlockKind::cross;
  finish();
  click("decoder step on");
  finish();
  ASSERT_TRUE(app.state.lock);
  const Cell lock = *app.state.lock;
  const BlockTrace& cross = *app.block();
  const MapRows rows(*cross.maps, app.state.view.layer, lock.head, lock.query, lock.query + 1);
  for (int key = 0; key < cross.n_k(); ++key)
    EXPECT_LE(rows.row(lock.query)[key], rows.row(lock.query)[lock.key]) << "locked where it looks most";
}

TEST_F(WholeModel, the_table_of_heads_has_a_column_of_relations) {
  open("translator");
  app.state.view.kind = ViewKind::head_table;
  app.state.view.table = TableHalf::numbers;
  finish();
  EXPECT_TRUE(shows("column relation"));
  const std::string before = app.state.view.sort;
  click("column relation");
  EXPECT_EQ(app.state.view.sort, before) << "is no order";
  app.state.view.block = BlockKind::decoder;
  finish();
  EXPECT_FALSE(shows("column relation")) << "nothing is told of its heads";
}

TEST_F(WholeModel, the_card_beside_the_models_is_read_in_the_window) {
  run_action(app, "model card");
  settle();
  EXPECT_FALSE(shows("model card")) << "there is none in this folder";
  ASSERT_NE(app.notices.current(), nullptr);
  EXPECT_THAT(app.notices.current()->text, HasSubstr("README.md"));
  std::ofstream(home.path / "README.md") << "# Models\n\nWhat was measured: **99 %**.\n";
  run_action(app, "model card");
  settle();
  EXPECT_TRUE(shows("model card"));
  press(Key::escape);
  settle();
  EXPECT_FALSE(shows("model card"));
}

}  // namespace headscope::tests
