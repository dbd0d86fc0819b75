#include "app/state/actions/ablated_heads.h"
#include "core/analysis/expectations.h"
#include "tests/support/model_folder.h"
#include "tests/ui/app_fixture.h"
#include "tests/ui/places.h"

namespace headscope::tests {
namespace {

/// The window with a small trained model.
class CauseViews : public AppFixture {
 protected:
  CauseViews() {
    write_whole_model(folder.path, model_case("gpt2"));
    app.inputs.model = folder.path.string();
    app.inputs.sentence = "w3 w17 w5 w3 w9";
    wait_until_idle();
    view(ViewKind::causes);
  }
  void view(ViewKind kind) {
    app.state.view.kind = kind;
    wait_until_idle();
  }
  /// Chooses from a list.
  void choose(const std::string& list, const std::string& line) {
    click(list);
    frames(2);
    click(line);
    wait_until_idle();
  }

  TempFolder folder;
};

TEST_F(CauseViews, open_the_head_of_a_cell_with_what_it_looks_at) {
  ASSERT_TRUE(shows("cause self 6"));
  click("cause self 6");
  EXPECT_EQ(app.state.view.kind, ViewKind::head);
  EXPECT_EQ(app.state.view.layer, 1);
  EXPECT_EQ(app.state.view.head, 2);
  ASSERT_TRUE(app.state.lock);
  EXPECT_EQ(app.state.lock->query, 4);
}

TEST_F(CauseViews, show_the_head_of_the_cell_pointed_at_large) {
  const auto before = place("large head");
  point_to(middle("cause self 6"));
  point_to({1, 1});
  EXPECT_EQ(place("large head"), before) << "nothing moves";
  click("large head");
  EXPECT_EQ(app.state.view.kind, ViewKind::head);
  EXPECT_EQ(app.state.view.layer, 1);
  EXPECT_EQ(app.state.view.head, 2);
  view(ViewKind::causes);
  app.state.view.causes.places = CausePlaces::key;
  wait_until_idle();
  EXPECT_FALSE(shows("large head")) << "all are of one head";
}

TEST_F(CauseViews, switch_a_head_off_by_its_menu) {
  click(middle("cause self 6"), 1);
  frames(2);
  click("map menu head off");
  wait_until_idle();
  EXPECT_TRUE(are_ablated(app, {HeadPlace{BlockKind::self, 1, 2}}));
  EXPECT_EQ(app.state.view.kind, ViewKind::compare);
}

TEST_F(CauseViews, take_edges_keys_positions_and_paths) {
  for (const auto& [places, last] : {std::pair{"cause places 1", "cause self 39"},
                                     {"cause places 2", "cause self 24"},
                                     {"cause places 3", "cause self 4"}}) {
    choose("cause places", places);
    EXPECT_TRUE(shows(last)) << places;
  }
  choose("cause places", "cause places 4");
  EXPECT_FALSE(shows("cause self 0"));
}

TEST_F(CauseViews, show_cells_as_they_are_found) {
  std::string words = "w3";
  for (int i = 1; i < 30; ++i) words += i % 2 == 0 ? " w17" : " w5";
  app.inputs.sentence = words;
  wait_until_idle();
  app.state.view.causes.places = CausePlaces::edge;
  // A fast machine may have found all before the second frame.
  ImVec2 pending{};
  while (!shows("cause self 899")) {
    frames(1);
    if (shows("pending self 899")) pending = middle("pending self 899");
  }
  if (pending.x > 0) {
    EXPECT_EQ(middle("cause self 899").x, pending.x);
    EXPECT_EQ(middle("cause self 899").y, pending.y);
  }
}

TEST_F(CauseViews, ask_for_another_text_to_patch_from) {
  choose("change", "change output");
  ASSERT_TRUE(app.compare) << "B begins as a copy";
  EXPECT_TRUE(shows("B sentence"));
  EXPECT_FALSE(shows("cause self 0")) << "the texts are the same";
  app.compare->sentence = "w3 w11 w5 w3 w9";
  wait_until_idle();
  EXPECT_TRUE(shows("cause self 7"));
  app.compare->sentence = "w3 w11";
  wait_until_idle();
  EXPECT_FALSE(shows("cause self 0"));
}

/// An encoder–decoder in place of that model.
class CausesOfTranslators : public CauseViews {
 protected:
  CausesOfTranslators() {
    app.inputs.model = "translator-guided";
    app.inputs.sentence = "The animal didn't cross the street because it was tired";
    app.state.view.predictions = {"它", "", 6};
    view(ViewKind::causes);
  }
};

TEST_F(CausesOfTranslators, read_one_target_in_both_runs) {
  app.compare = app.inputs;
  app.compare->sentence = "The cat sat on the mat because it was wide";
  app.state.view.kind = ViewKind::compare;
  wait_until_idle();
  const auto length = [](const Trace& trace) { return predicting_block(trace).n_q(); };
  ASSERT_NE(length(*app.trace(Side::b)), length(*app.trace())) << "two translations";
  app.state.view.causes.change = CauseChange::output;
  view(ViewKind::causes);
  EXPECT_EQ(length(*app.trace(Side::b)), length(*app.trace()));
  EXPECT_EQ(app.compare->target, std::nullopt) << "only read, not written";
  EXPECT_TRUE(shows("cause encoder 0"));
  view(ViewKind::compare);
  EXPECT_NE(length(*app.trace(Side::b)), length(*app.trace())) << "its own again";
}

TEST_F(CausesOfTranslators, show_paths_from_block_to_block) {
  choose("cause places", "cause places 4");
  EXPECT_FALSE(shows("cause encoder 0"));
  app.state.view.causes.change = CauseChange::zero;
  ASSERT_TRUE(shows("path cross 1 6"));
  click("path cross 1 6");
  EXPECT_EQ(app.state.view.block, BlockKind::cross);
}

TEST_F(CauseViews, keep_the_question_of_the_other_views_of_predictions) {
  app.state.view.predictions = {"w7", "w11", 3};
  view(ViewKind::causes);
  EXPECT_TRUE(shows("said token") && shows("said against"));
  click("cause self 0");
  ASSERT_TRUE(app.state.lock);
  EXPECT_EQ(app.state.lock->query, 3) << "the position that was asked about";
}

TEST_F(CauseViews, keep_the_question_behind_a_button_in_a_low_window) {
  EXPECT_TRUE(shows("said token"));
  ImGui::GetIO().DisplaySize.y = 35 * ImGui::GetFontSize();
  frames(3);
  EXPECT_FALSE(shows("said token"));
  click("question");
  frames(2);
  EXPECT_TRUE(shows("said token") && shows("said against"));
}

TEST_F(CauseViews, show_one_part_of_the_circuits_and_a_token_of_their_own) {
  app.state.view.predictions.token = "w7";
  view(ViewKind::circuits);
  EXPECT_TRUE(shows("circuit pair 0 0") && shows("circuit line 1 0"));
  choose("circuit part", "circuit part 1");
  EXPECT_EQ(app.state.view.circuits.part, CircuitPart::tokens);
  EXPECT_FALSE(shows("circuit pair 0 0"));
  enter("typed token", U"w5");
  EXPECT_EQ(app.state.view.circuits.token, "w5");
  EXPECT_EQ(app.state.view.predictions.token, "w7") << "the question of causes stays";
}

TEST_F(CauseViews, show_the_circuits_of_a_head_and_go_on_to_another) {
  view(ViewKind::circuits);
  app.state.view.layer = 1;
  wait_until_idle();
  ASSERT_TRUE(shows("circuits"));
  click("circuit 0 3");
  wait_until_idle();
  EXPECT_EQ(app.state.view.layer, 0);
  EXPECT_EQ(app.state.view.head, 3);
  EXPECT_EQ(app.state.view.kind, ViewKind::circuits);
}

TEST_F(CauseViews, say_what_a_seeded_layer_lacks) {
  app.inputs.model.clear();
  wait_until_idle();
  EXPECT_FALSE(shows("cause self 0"));
}

}  // namespace
}  // namespace headscope::tests
