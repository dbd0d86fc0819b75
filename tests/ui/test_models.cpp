#include "app/panels/views/views.h"
#include "app/state/document/file_commands.h"
#include "app/state/document/open_model.h"
#include "app/state/view/available_views.h"
#include "core/scene/view_kinds.h"
#include "tests/support/model_folder.h"
#include "tests/support/model_inputs.h"
#include "tests/ui/app_fixture.h"

namespace headscope::tests {

class ModelPanels : public AppFixture {
 protected:
  using AppFixture::AppFixture;
  void open(const char* name) {
    const fs::path path = home.path / name;
    write_whole_model(path, model_case(name));
    command_open_path(app, path.string());
    wait_until_idle();
  }
  /// By its button, or in the list where there is no room for buttons.
  void choose(const std::string& list, std::size_t item) {
    if (shows(list)) click(list);
    click(fmt::format("{} {}", list, item));
  }
  Inputs& text(const std::string& sentence) {
    app.inputs.sentence = sentence;
    return app.inputs;
  }

  OwnHome home;
};

TEST_F(ModelPanels, every_view_shows_every_block_of_every_kind) {
  for (const char* name : {"gpt2", "bert", "t5", "marian"}) {
    text("w3 w17 w5 w41 w5");
    open(name);
    ASSERT_TRUE(app.inputs.trained()) << name;
    if (app.trace()->source->about().reads_pairs) app.inputs.key_sentence = "w7 w8";
    if (app.trace()->blocks.size() > 1) app.inputs.target = "w9 w4";
    wait_until_idle();
    EXPECT_TRUE(shows("source"));
    const std::size_t blocks = app.trace()->blocks.size();
    EXPECT_EQ(shows("blocks") || shows("blocks 0"), blocks > 1);
    for (std::size_t block = 0; block < blocks; ++block) {
      if (blocks > 1) choose("blocks", block);
      EXPECT_EQ(app.block()->shape.kind, app.trace()->blocks[block].shape.kind);
      for (std::size_t view = 0; view < view_kinds.size(); ++view) {
        SCOPED_TRACE(std::string(name) + " " + view_kinds[view].name + " " + std::to_string(block));
        if (why_no_view(app, view_kinds[view].value) != nullptr) continue;
        choose("views", view);
        settle();
        if (!shows("map 1")) continue;
        click("map 1");
        EXPECT_TRUE(app.state.lock);
        press(Key::right);
        press(Key::escape);
      }
      app.state.view.kind = ViewKind::grid;
      settle();
    }
    app.state.view.block = BlockKind::self;
  }
}

TEST_F(ModelPanels, that_hear_offer_a_spectrogram_and_no_sentence) {
  open("whisper");
  EXPECT_TRUE(shows("placeholder"));
  EXPECT_TRUE(shows("open sound"));
  EXPECT_FALSE(shows("sentence"));
  app.inputs.features = write_sound(home.path / "sound.npy", model_case("whisper"));
  wait_until_idle();
  EXPECT_TRUE(shows("map 1"));
  EXPECT_TRUE(shows("sound name"));
  EXPECT_FALSE(shows("sentence"));
}

TEST_F(ModelPanels, a_layer_without_a_softmax_says_what_it_lacks) {
  text("w3 w17 w5 w41 w5");
  open("qwen3_next");
  ASSERT_FALSE(app.block()->shape.is_softmax(app.state.view.layer));
  app.state.view.kind = ViewKind::steps;
  settle();
  click("steps pages 1");
  EXPECT_EQ(app.state.view.steps.page, StepsPage::cell) << "of a cost that it does not have";
  app.state.view.layer = 1;
  settle();
  click("steps pages 1");
  EXPECT_EQ(app.state.view.steps.page, StepsPage::cost);
}

TEST_F(ModelPanels, cells_of_both_sides_are_compared_without_a_softmax) {
  text("w3 w17 w5 w41 w5");
  open("qwen3_next");
  app.compare = app.inputs;
  app.compare->sentence = "w3 w17 w9 w41 w5";
  app.state.view.kind = ViewKind::compare;
  wait_until_idle();
  app.state.lock = Cell{1, 3, 1};
  settle();
  for (const char* title : {"A", "B", "B − A"})
    EXPECT_TRUE(shows(fmt::format("short arithmetic {} 1", title))) << title;
}

TEST_F(ModelPanels, a_card_takes_the_place_of_the_seeded_layer) {
  text("w3 w17 w5");
  EXPECT_TRUE(shows("heads more"));
  open("gpt2");
  EXPECT_FALSE(shows("heads more"));
  EXPECT_TRUE(shows("card summary"));
  click("section more");
  for (const char* line : {"name", "family", "decoder", "d_model", "vocabulary", "positions", "parameters"})
    EXPECT_TRUE(shows(std::string("card ") + line)) << line;
  for (const char* other : {"heads more", "seed", "card encoder", "card kv heads", "kind of weights",
                            "Second sentence (cross-attention)", "target"})
    EXPECT_FALSE(shows(other)) << other << ": GPT-2 has none";
  click("card path");
  EXPECT_EQ(clipboard, home.at("gpt2"));
  click("notebook");
  EXPECT_EQ(app.inputs, Inputs{});
  EXPECT_TRUE(shows("heads more"));
  EXPECT_FALSE(shows("card name"));
}

TEST_F(ModelPanels, heads_are_ablated_and_restored_in_the_left_panel) {
  text("w3 w17 w5");
  open("gpt2");
  click_each({"ablated heads", "ablate self 0.1"});
  wait_until_idle();
  ASSERT_TRUE(app.compare);
  EXPECT_EQ(app.compare->ablated_heads, (std::set<HeadPlace>{{BlockKind::self, 0, 1}}));
  EXPECT_EQ(app.state.view.kind, ViewKind::compare);
  press(Key::escape);
  EXPECT_LT(place("ablated heads")[3], place("editing")[1]) << "they are B's, whichever side is edited";
  click("way back");
  EXPECT_EQ(app.state.view.kind, ViewKind::grid);
  EXPECT_FALSE(shows("way back"));
  app.state.view.kind = ViewKind::compare;
  wait_until_idle();
  click("ablated by 1");
  EXPECT_EQ(app.compare->ablation, Ablation::mean);
  click("restore heads");
  EXPECT_TRUE(app.compare->ablated_heads.empty());
  EXPECT_TRUE(app.inputs.ablated_heads.empty());
}

TEST_F(ModelPanels, pairs_and_targets_have_boxes_of_their_own) {
  text("w3 w17 w5");
  open("bert");
  click("Second sentence (cross-attention)");
  wait_until_idle();
  ASSERT_TRUE(shows("key sentence"));
  EXPECT_EQ(app.block()->n_q(), 6) << "both are one text";
  EXPECT_TRUE(shows("token 5"));
  open("marian");
  EXPECT_FALSE(app.inputs.cross());
  EXPECT_FALSE(shows("key sentence")) << "what is generated is not edited";
  click("target");
  wait_until_idle();
  ASSERT_TRUE(shows("key sentence"));
  click("edit key sentence");
  press(Key::a, true);
  type(U"w9 w4");
  wait_until_idle();
  EXPECT_EQ(app.inputs.target, "w9 w4");
  choose("blocks", 2);
  EXPECT_EQ(app.block()->n_q(), 3);
  EXPECT_EQ(app.block()->n_k(), 3);
  EXPECT_TRUE(shows("token 2"));
  EXPECT_TRUE(shows("key token 2"));
}

TEST_F(ModelPanels, a_missing_model_asks_where_it_is) {
  app.inputs.model = home.at("gone");
  wait_until_idle();
  EXPECT_EQ(app.inputs.model, home.at("gone"));
  ASSERT_TRUE(shows("locate"));
  click("locate");
  EXPECT_TRUE(app.dialogs.files.choosing);
  EXPECT_TRUE(app.dialogs.files.request.folders);
}

TEST_F(ModelPanels, the_first_start_offers_a_model_and_a_capture) {
  app.settings.welcome = true;
  frames(2);
  click("welcome model");
  EXPECT_TRUE(app.dialogs.files.choosing && app.dialogs.files.request.folders);
  press(Key::escape);
  EXPECT_FALSE(app.dialogs.files.choosing);
  EXPECT_TRUE(shows("welcome model")) << "nothing was opened";
  open("gpt2");
  EXPECT_FALSE(shows("welcome model"));
}

/// The largest text in the lowest window.
class LowModelPanels : public ModelPanels {
 protected:
  LowModelPanels() : ModelPanels({1280, 720}, 27) {}
};

TEST_F(LowModelPanels, leave_a_map_that_can_be_read) {
  text("w3 w17 w5 w41 w5 w9 w4 w3 w17 w5");
  open("t5");
  app.state.view.kind = ViewKind::head;
  wait_until_idle();
  const auto map = place("map 1");
  EXPECT_GE(map[3] - map[1], 0.25F * 720);
  click_each({"blocks", "blocks 1"});
  frames(2);
  EXPECT_EQ(app.state.view.block, BlockKind::decoder);
  click("views 0");
  frames(2);
  EXPECT_EQ(app.state.view.kind, ViewKind::grid);
}

TEST_F(ModelPanels, nothing_moves_from_block_to_block) {
  text("w3 w17 w5");
  for (const char* name : {"t5", "marian"}) {
    open(name);
    const auto stage = place("panel stage");
    for (const std::size_t block : {1U, 2U, 0U}) {
      choose("blocks", block);
      frames(2);
      EXPECT_EQ(place("panel stage"), stage) << name << " " << block;
    }
    click("still tokens");  // the target's
    EXPECT_EQ(app.state.view.block, BlockKind::decoder);
    // The predictions are the decoder's, and labelled so.
    app.state.view.kind = ViewKind::lens;
    frames(2);
    click("blocks");
    EXPECT_FALSE(shows("blocks 0")) << "it shows the decoder's, whichever the other views show";
    EXPECT_EQ(app.state.view.block, BlockKind::decoder);
    app.state.view.kind = ViewKind::grid;
    app.state.view.block = BlockKind::encoder;
    frames(2);
  }
}

TEST_F(ModelPanels, the_scale_that_a_model_does_not_have_is_no_control) {
  text("w3 w17 w5");
  open("t5");
  click_each({"section more", "Divide scores by √d_k"});
  EXPECT_TRUE(app.inputs.scale);
  open("gpt2");
  click("Divide scores by √d_k");
  EXPECT_FALSE(app.inputs.scale);
}

TEST_F(UiFixture, words_say_how_their_weights_are_computed) {
  show([](Ui& ui) { draw_view_tools(ui); });
  EXPECT_FALSE(shows("info words rule"));
  auto words = std::make_shared<Trace>(*trace);
  words->blocks.front().words = true;
  show_trace(words);
  EXPECT_TRUE(shows("info words rule"));
}

TEST_F(ModelPanels, a_missing_model_has_no_synthetic_sizes) {
  text("w3 w17");
  app.inputs.model = home.at("gone");
  wait_until_idle();
  EXPECT_TRUE(shows("card name"));
  click("section more");
  EXPECT_TRUE(shows("card path"));
  EXPECT_FALSE(shows("card decoder"));
}

TEST_F(ModelPanels, the_chooser_goes_on_by_keyboard_and_stays_with_what_is_refused) {
  write_whole_model(home.path / "models" / "deep" / "good", model_case("gpt2"));
  fs::create_directories(home.path / "models" / "deep" / "bad");
  std::ofstream(home.path / "models" / "deep" / "bad" / "config.json") << R"({"model_type": "unheard-of"})";
  app.settings.recent_models = {home.at("models/one")};
  command_open_model(app);
  frames(3);
  type(U"deep");
  press(Key::enter);
  frames(3);
  type(U"bad");
  press(Key::enter);
  frames(3);
  EXPECT_TRUE(app.dialogs.files.choosing);
  EXPECT_TRUE(shows("chooser problem"));
  type(U"good");
  press(Key::enter);
  EXPECT_FALSE(app.dialogs.files.choosing);
  wait_until_idle();
  EXPECT_EQ(app.inputs.model, home.at("models/deep/good"));
}

TEST_F(LowModelPanels, compare_what_ablated_heads_change) {
  ImGui::GetIO().DisplaySize.y = 660;
  text("w3 w17 w5 w41 w5");
  open("gpt2");
  app.state.view.kind = ViewKind::compare;
  frames(2);
  app.compare->ablated_heads = {{BlockKind::self, 0, 1}};
  app.state.view.layer = 1;
  wait_until_idle();
  ASSERT_TRUE(shows("compare map 2"));
  choose("compare part", 1);
  EXPECT_FALSE(shows("compare map 2"));
  wait_until_idle();
  const auto first = place("first difference");
  EXPECT_GE(first[3] - first[1], 13);
  EXPECT_LE(first[3], 660);
  choose("compare part", 2);
  wait_until_idle();
  const auto table = place("shifted predictions");
  EXPECT_LE(table[2], place("panel stage")[2]);
  EXPECT_GE(table[3] - table[1], 3 * 27);
}

TEST_F(ModelPanels, the_menu_of_a_token_begins_with_an_entry) {
  text("w3 w17 w5");
  open("gpt2");
  const float below = place("token 1")[3] + memory.style.font_size * 0.15F;
  click(middle("token 1"), 1);
  EXPECT_LT(place("item mark padding")[1], below + ImGui::GetStyle().WindowPadding.y + 2) << "no rule above";
}

}  // namespace headscope::tests
