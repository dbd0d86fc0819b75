#include <cmath>
#include <nlohmann/json.hpp>

#include "app/panels/views/predictions.h"
#include "app/state/actions/actions.h"
#include "app/state/actions/present.h"
#include "app/state/view/available_views.h"
#include "core/source/source.h"
#include "tests/support/model_folder.h"
#include "tests/ui/app_fixture.h"
#include "tests/ui/places.h"

namespace headscope::tests {

/// The window with a small trained model.
class PredictionViews : public AppFixture {
 protected:
  PredictionViews() {
    write_whole_model(folder.path, model_case("gpt2"));
    app.inputs.model = folder.path.string();
    app.inputs.sentence = "w3 w17 w5 w3 w9";
    wait_until_idle();
  }
  void view(ViewKind kind) {
    app.state.view.kind = kind;
    wait_until_idle();
  }

  TempFolder folder;
};

TEST_F(PredictionViews, list_ten_of_a_layer_and_lead_to_its_heads) {
  view(ViewKind::lens);
  click("lens 1 3");
  frames(2);
  click("expected 0");
  frames(3);
  EXPECT_EQ(app.state.view.kind, ViewKind::contributions);
  EXPECT_EQ(app.state.view.predictions.position, 3);
  ASSERT_FALSE(app.state.view.predictions.token.empty());
  wait_until_idle();
  click("contribution self 1 2");
  EXPECT_EQ(app.state.view.kind, ViewKind::head);
  EXPECT_EQ(app.state.view.layer, 1);
  EXPECT_EQ(app.state.view.head, 2);
}

TEST_F(PredictionViews, lead_from_a_label_to_the_heads_of_an_encoder) {
  TempFolder labelled;
  write_whole_model(labelled.path, model_case("bert-tokens"));
  app.inputs.model = labelled.path.string();
  wait_until_idle();
  view(ViewKind::lens);
  click("lens 1 2");
  frames(2);
  click("expected 0");
  frames(3);
  EXPECT_EQ(app.state.view.kind, ViewKind::contributions);
  wait_until_idle();
  click("contribution self 0 3");
  EXPECT_EQ(app.state.view.kind, ViewKind::head);
  EXPECT_EQ(app.state.view.head, 3);
}

TEST_F(PredictionViews, fill_the_stage_that_is_presented) {
  start_presentation(app);
  view(ViewKind::lens);
  const auto cells = place("lens cells"), stage = place("panel stage");
  EXPECT_GE(cells[3] - cells[1], 0.7F * 1000);
  EXPECT_GE(place("lens 1 4")[2] - place("lens 1 0")[0], 0.9F * (stage[2] - stage[0]));
  EXPECT_TRUE(shows("lens colors"));
  view(ViewKind::contributions);
  const auto whole = place("contributions");
  EXPECT_GE(whole[3] - whole[1], 0.7F * 1000);
  EXPECT_LE(whole[3], stage[3] + 1);
  EXPECT_FALSE(shows("said token")) << "at the edge";
  point_to({640, 0});
  frames(3);
  EXPECT_TRUE(shows("said token"));
}

TEST_F(PredictionViews, have_the_labels_of_a_text_that_is_read_twice) {
  for (const char* name : {"bart-text", "bart-span", "t5-text"}) {
    SCOPED_TRACE(name);
    const TempFolder other;
    const auto entry = model_case(name);
    write_whole_model(other.path, entry);
    app.inputs.model = other.path.string();
    app.inputs.sentence = words_of(entry["ids"]);
    app.inputs.key_sentence = "w9 w2";
    wait_until_idle();
    ASSERT_FALSE(app.runners.a.error());
    EXPECT_TRUE(shows("sentence") && shows("key sentence"));
    for (const ViewKindRow& row : view_kinds) {
      for (const BlockKind block : {BlockKind::encoder, BlockKind::decoder, BlockKind::cross}) {
        app.state.view.block = block;
        view(row.value);
      }
      if (row.value == ViewKind::grid) {
        EXPECT_TRUE(shows("expected next 0"));
      }
    }
    app.inputs.key_sentence.reset();
    wait_until_idle();
    EXPECT_FALSE(shows("key sentence"));
  }
}

TEST_F(PredictionViews, begin_with_a_whole_column_also_at_the_end_of_what_is_scrolled) {
  std::string sentence;
  for (int i = 0; i < 24; ++i) sentence += fmt::format("w{} ", i % 20);
  app.inputs.sentence = sentence;
  view(ViewKind::lens);
  ASSERT_FALSE(shows("lens 1 0"));
  const auto last = place("lens 1 23"), cells = place("lens cells");
  const float column = (last[0] - place("lens 1 13")[0]) / 10;
  app.state.lock = Cell{0, 0, 0};
  wait_until_idle();
  const float margin = place("lens 1 0")[0] - cells[0];
  const float columns = (last[2] - cells[0] - margin) / column;
  EXPECT_NEAR(columns, std::round(columns), 0.05);
}

TEST_F(PredictionViews, stay_where_somebody_reads) {
  std::string sentence;
  for (int i = 0; i < 24; ++i) sentence += fmt::format("w{} ", i % 20);
  app.inputs.sentence = sentence;
  view(ViewKind::lens);
  ASSERT_TRUE(shows("lens 1 23")) << "the last tells what comes next";
  ASSERT_FALSE(shows("lens 1 0"));
  const auto at = place("lens 1 23");
  app.state.lock = Cell{0, 22, 0};
  frames(4);
  EXPECT_EQ(place("lens 1 23"), at) << "it is in view";
  app.state.lock = Cell{0, 0, 0};
  wait_until_idle();
  ASSERT_TRUE(shows("lens 1 0"));
  app.state.lock.reset();
  app.inputs.sentence = sentence + "w5";
  wait_until_idle();
  EXPECT_TRUE(shows("lens 1 0")) << "what is typed at the end is not followed from elsewhere";
}

TEST_F(PredictionViews, are_explained_next_to_the_cell) {
  view(ViewKind::lens);
  move(middle("lens 1 3"));
  const auto cell = place("lens 1 3"), tooltip = place("expected tokens");
  EXPECT_FALSE(overlap(cell, tooltip));
  EXPECT_TRUE(tooltip[0] >= cell[2] || tooltip[2] <= cell[0]);
  EXPECT_LE(tooltip[3] - tooltip[1], 0.3F * 1000);
}

TEST_F(PredictionViews, have_the_heads_as_points_that_open) {
  app.state.view.table.half = TableHalf::scatter;
  view(ViewKind::head_table);
  click("point 1 2");
  EXPECT_EQ(app.state.view.kind, ViewKind::head);
  EXPECT_EQ(app.state.view.layer, 1);
  EXPECT_EQ(app.state.view.head, 2);
}

TEST_F(PredictionViews, show_no_number_computed_from_weights_that_were_cut_short) {
  std::filesystem::resize_file(folder.path / "model.safetensors", 4096);
  for (const ViewKind kind : {ViewKind::lens, ViewKind::contributions}) {
    view(kind);
    EXPECT_TRUE(shows("error"));
    EXPECT_FALSE(shows("lens 1 3") || shows("contribution self 1 2"));
  }
}

TEST_F(PredictionViews, say_why_a_seeded_layer_expects_nothing) {
  app.inputs.model.clear();
  view(ViewKind::lens);
  EXPECT_FALSE(ui_anchors.rects().contains("lens 0 0"));
  view(ViewKind::contributions);
  EXPECT_FALSE(ui_anchors.rects().contains("generate"));
}

TEST_F(PredictionViews, go_on_with_the_text) {
  app.generation.settings.max_tokens = 2;
  click("generate");
  while (app.generation.running()) frame();
  frames(2);
  EXPECT_EQ(app.block()->n_q(), 7);
}

TEST_F(PredictionViews, are_in_the_inspector_at_rest_with_heads_to_look_at) {
  move(640, 999);
  wait_until_idle();
  for (const char* mark : {"inspector hint", "section expected next", "expected place", "mean surprise",
                           "section notable heads"})
    EXPECT_TRUE(shows(mark)) << mark;
  EXPECT_TRUE(shows("expected next 4"));
  EXPECT_LE(place("expected next 4")[3], place("section notable heads")[1]);
  const bool notable = shows("notable head 0");
  EXPECT_NE(notable, shows("differing head 0"));
  const std::string first = notable ? "notable head 0" : "differing head 0";
  move(middle(first));
  frames(2);
  EXPECT_TRUE(shows(first)) << "pointing at it does not take it away";
  const auto pointed = memory.pointed_head;
  click(first);
  EXPECT_EQ(app.state.view.kind, ViewKind::head);
  EXPECT_EQ(std::pair(app.state.view.layer, app.state.view.head.value()),
            std::pair(pointed.layer, pointed.head));
}

TEST_F(PredictionViews, stay_where_they_are_whichever_cell_is_in_focus) {
  move(640, 999);
  frames(3);
  const auto expected = place("section expected next"), row = place("inspected row"),
             head = place("inspected head");
  EXPECT_TRUE(shows("section notable heads"));
  for (const Cell& cell : {Cell{0, 1, 0}, Cell{0, 0, 0}, Cell{1, 4, 2}, Cell{0, 4, 4}}) {
    app.state.lock = cell;
    frames(3);
    EXPECT_EQ(place("section expected next"), expected);
    EXPECT_EQ(place("inspected head")[1], head[1]);
    EXPECT_EQ(place("inspected row")[1], row[1]);
    EXPECT_TRUE(shows("expected next 4"));
    EXPECT_TRUE(shows("section notable heads")) << "from there one goes on to the next head";
  }
  app.inputs.model.clear();
  wait_until_idle();
  EXPECT_FALSE(shows("section expected next")) << "a seeded layer expects nothing";
  EXPECT_TRUE(shows("inspected row"));
}

TEST_F(PredictionViews, of_an_untrained_layer_are_differences_of_its_heads) {
  app.inputs = Inputs{};
  move(640, 999);
  wait_until_idle();
  EXPECT_TRUE(shows("inspector hint"));
  EXPECT_TRUE(shows("differing head 3"));
  EXPECT_FALSE(shows("notable head 0"));
}

TEST_F(PredictionViews, of_a_text_that_the_model_does_not_know_offer_another) {
  EXPECT_FALSE(shows("unknown tokens"));
  const std::string before = "the cat sat w3";
  app.inputs.sentence = before;
  wait_until_idle();
  EXPECT_TRUE(shows("unknown tokens"));
  click("known text");
  wait_until_idle();
  EXPECT_EQ(app.inputs.sentence, app.trace()->source->known_text());
  EXPECT_THAT(app.block()->tokens, testing::Each(testing::Field(&Token::unknown, false)));
  EXPECT_FALSE(shows("unknown tokens"));
  run_action(app, "undo");
  wait_until_idle();
  EXPECT_EQ(app.inputs.sentence, before);
  app.inputs.sentence = "the cat w3 w5";
  wait_until_idle();
  EXPECT_FALSE(shows("unknown tokens")) << "it knows half of it";
}

}  // namespace headscope::tests
