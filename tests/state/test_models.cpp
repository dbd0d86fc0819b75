#include "app/state/actions/actions.h"
#include "app/state/document/adjust.h"
#include "app/state/document/document.h"
#include "app/state/document/file_commands.h"
#include "app/state/document/open_model.h"
#include "app/state/document/painting.h"
#include "app/state/lesson/play_lesson.h"
#include "app/state/text/source_card.h"
#include "app/state/view/navigation.h"
#include "core/inputs/names.h"
#include "core/scene/readable_numbers.h"
#include "core/scene/source_title.h"
#include "core/scene/view_kinds.h"
#include "tests/state/state_fixture.h"
#include "tests/support/model_folder.h"

namespace headscope::tests {

class ModelState : public StateFixture {
 protected:
  std::string model(const char* name, const char* folder = nullptr) {
    const fs::path path = home.path / (folder == nullptr ? name : folder);
    write_whole_model(path, model_case(name));
    return path.string();
  }
  void open(const std::string& folder) {
    command_open_path(app, folder);
    wait_until_idle();
  }
  std::string reported() const { return app.notices.current() == nullptr ? "" : app.notices.current()->text; }

  OwnHome home;
};

TEST_F(ModelState, opens_a_folder_as_a_source_and_leads_back) {
  app.inputs.sentence = "w3 w17 w5";
  app.inputs.temperature = 2;
  app.inputs.key_sentence = "w1";
  app.state.view.hidden_heads = {1};
  frames(2);
  const Inputs before = app.inputs;
  open(model("gpt2"));
  EXPECT_EQ(app.inputs.model, home.at("gpt2"));
  EXPECT_EQ(app.inputs.sentence, "w3 w17 w5") << "the text stays";
  EXPECT_EQ(app.inputs.temperature, 1) << "the model as it was trained";
  EXPECT_EQ(app.inputs.key_sentence, std::nullopt) << "which it does not read";
  EXPECT_TRUE(app.state.view.hidden_heads.empty());
  ASSERT_EQ(app.block()->n_q(), 3);
  EXPECT_EQ(app.block()->shape.layers, 2);
  EXPECT_EQ(app.settings.recent_models, std::vector{home.at("gpt2")});
  run_action(app, "notebook");
  frames(2);
  EXPECT_EQ(app.inputs, Inputs{});
  EXPECT_EQ(app.block()->heads(), 8);
  run_action(app, "undo");
  wait_until_idle();
  EXPECT_EQ(app.inputs.model, home.at("gpt2"));
  run_action(app, "undo");
  frames(2);
  EXPECT_EQ(app.inputs, before);
}

TEST_F(ModelState, a_refused_folder_is_reported_and_changes_nothing) {
  fs::create_directories(home.path / "empty");
  const std::string broken = model("gpt2", "broken");
  fs::resize_file(fs::path(broken) / "model.safetensors", 100);
  for (const auto& [folder, why] :
       {std::pair{home.at("empty"), "config.json is missing"}, {broken, "model.safetensors"}}) {
    open(folder);
    EXPECT_EQ(app.inputs, Inputs{});
    EXPECT_THAT(reported(), HasSubstr(why));
    EXPECT_EQ(std::ranges::count(reported(), '\n'), 0) << reported();
    EXPECT_FALSE(app.opening.busy());
  }
  open_model(app, model("bert"));
  app.opening.cancel();
  wait_until_idle();
  EXPECT_TRUE(app.inputs == Inputs{} || app.inputs.model == home.at("bert")) << "it may have been quicker";
}

TEST_F(ModelState, files_that_are_others_now_are_reported_and_read_again_when_they_are_opened) {
  app.inputs.sentence = "w3 w17 w5";
  const std::string folder = model("gpt2");
  open(folder);
  EXPECT_EQ(frames(2).error, "");
  const auto weight = [&] { return app.block()->maps->weight(0, 0, 2, 1); };
  const float before = weight();
  Json entry = model_case("gpt2");
  entry["name"] = "other";  // numbers of another draw, in the same places
  write_safetensors(fs::path(folder) / "model.safetensors", tensors_of(entry));
  fs::last_write_time(fs::path(folder) / "model.safetensors",
                      fs::file_time_type::clock::now() + std::chrono::seconds(2));
  EXPECT_THAT(frames(2).error, HasSubstr("was written to while in use"));
  open(folder);
  EXPECT_EQ(frames(2).error, "");
  EXPECT_NE(weight(), before);

  const std::string capture = home.at("c.npz");
  fs::copy_file(fmt::format("{}/fuzz/capture/plain.npz", TEST_DATA_DIR), capture);
  ASSERT_TRUE(open_file(app, capture));
  frames(3);
  EXPECT_EQ(app.block()->n_q(), 5);
  fs::copy_file(fmt::format("{}/fuzz/capture/several.npz", TEST_DATA_DIR), capture,
                fs::copy_options::overwrite_existing);
  ASSERT_TRUE(open_file(app, capture));
  frames(3);
  EXPECT_EQ(frames(2).error, "");
  EXPECT_EQ(app.block()->n_q(), 2);

  open(folder);
  EXPECT_EQ(frames(2).error, "");
  EXPECT_FALSE(app.inputs.captured());
}

TEST_F(ModelState, every_kind_of_model_goes_through_every_view) {
  for (const char* name : {"gpt2", "bert", "t5", "marian", "mistral", "llama3"}) {
    app.inputs = Inputs{};
    app.inputs.sentence = "w3 w17 w5 w41 w5";
    app.state.view.block = BlockKind::self;
    open(model(name));
    ASSERT_EQ(app.inputs.model, home.at(name)) << reported();
    if (app.trace()->source->about().reads_pairs) app.inputs.key_sentence = "w7 w8";
    if (app.trace()->blocks.size() > 1) app.inputs.target = "w9 w4";
    wait_until_idle();
    const auto trace = app.trace();  // which another view may have run again
    for (const BlockTrace& block : trace->blocks) {
      show_block(app.state, block.shape.kind);
      for (const ViewKindRow& row : view_kinds) {
        SCOPED_TRACE(std::string(name) + " " + row.name + " " + to_name(block.shape.kind));
        app.state.view.kind = row.value;
        app.state.view.layer = 1;
        app.state.lock = Cell{1, 0, 0};
        const Frame shown = frames(3);
        EXPECT_EQ(shown.error, "");
        EXPECT_EQ(app.block()->shape, block.shape);
        EXPECT_TRUE(!row.one_layer || shown.shown->cells() > 0);
      }
    }
  }
}

TEST_F(ModelState, switches_of_the_seeded_layer_rest) {
  open(model("gpt2"));
  for (const char* id : {"more heads", "fewer heads", "wider", "roll", "embedding", "cross", "weights normal",
                         "residual", "share layers"})
    EXPECT_FALSE(is_enabled(app, *find_action(app, id))) << id;
  EXPECT_TRUE(is_enabled(app, *find_action(app, "mask causal")));
  open(model("bert"));
  EXPECT_TRUE(is_enabled(app, *find_action(app, "cross"))) << "which reads pairs";
}

TEST_F(ModelState, cells_are_painted_in_the_block_in_view_alone) {
  app.inputs.sentence = "w3 w17 w5";
  open(model("t5"));
  const auto stroke = [&](BlockKind kind, bool block) {
    const auto trace = block_of(app.trace(), kind);
    paint_stroke(app.inputs, app.state.brush, *trace, -1, {0, 0}, {0, 0}, block);
  };
  stroke(BlockKind::cross, false);
  EXPECT_THAT(app.inputs.mask, testing::IsEmpty());
  stroke(BlockKind::cross, true);
  stroke(BlockKind::encoder, true);
  ASSERT_THAT(app.inputs.mask, SizeIs(2));
  EXPECT_EQ(app.inputs.mask[0].block, BlockKind::cross);
  EXPECT_EQ(app.inputs.mask[1].block, BlockKind::encoder);
  wait_until_idle();
  for (const BlockTrace& block : app.trace()->blocks)
    EXPECT_EQ(block.mask.blocked(0, 0, 0), block.shape.kind != BlockKind::decoder);
  stroke(BlockKind::cross, false);
  EXPECT_THAT(app.inputs.mask, SizeIs(1));
}

TEST_F(ModelState, a_target_of_ones_own_begins_with_what_was_generated) {
  app.inputs.sentence = "w3 w17";
  open(model("t5"));
  ASSERT_EQ(app.trace()->blocks.size(), 3U);
  set_target(app.inputs, true, *app.trace());
  ASSERT_TRUE(app.inputs.target);
  const auto generated = block_of(app.trace(), BlockKind::decoder)->n_q();
  wait_until_idle();
  EXPECT_EQ(block_of(app.trace(), BlockKind::decoder)->n_q(), generated);
  set_target(app.inputs, false, *app.trace());
  EXPECT_FALSE(app.inputs.target);
}

TEST_F(ModelState, a_session_finds_its_model_where_it_has_moved_or_is_reported) {
  app.inputs.sentence = "w3 w17";
  open(model("gpt2", "models/small"));
  bool others = false;
  fs::create_directories(home.path / "a");
  const std::string path = home.at("a/session.json");
  ASSERT_TRUE(save_file(app, path, false, others));
  EXPECT_THAT(read_file(path, 1 << 20), HasSubstr("\"../models/small\""));
  fs::rename(home.path / "models/small", home.path / "a/small");
  ASSERT_TRUE(open_file(app, path));
  wait_until_idle();
  EXPECT_EQ(app.inputs.model, home.at("a/small")) << "beside the session";
  fs::rename(home.path / "a/small", home.path / "elsewhere");
  ASSERT_TRUE(open_file(app, path));
  wait_until_idle();
  EXPECT_THAT(frame().error, HasSubstr("small does not exist"));
  EXPECT_FALSE(app.inputs.model.empty());
  ASSERT_TRUE(save_file(app, path, true, others));
  EXPECT_THAT(read_file(path, 1 << 20), AllOf(HasSubstr("models/small"), HasSubstr("model_weights")))
      << "nothing is dropped";
  app.compare = app.inputs;
  command_locate_source(app);
  ASSERT_TRUE(app.dialogs.files.choosing && app.dialogs.files.request.folders);
  answer_file(app, home.at("elsewhere"));
  wait_until_idle();
  EXPECT_EQ(frame().error, "");
  EXPECT_EQ(app.inputs.model, home.at("elsewhere"));
  EXPECT_EQ(app.compare->model, home.at("elsewhere"));
  EXPECT_EQ(app.block()->n_q(), 2);
}

TEST_F(ModelState, a_lesson_goes_on_without_a_model_and_finds_it_where_it_is_said_to_be) {
  const std::string lesson = home.at("own.md");
  std::ofstream(lesson) << R"(# A
## Seeded
```state
{"sentence": "a b"}
```
## Model
```state
{"sentence": "w3 w17", "model": "gone", "view": {"kind": "head", "layer": 1, "head": 0},
 "cell": {"head": 0, "query": 1, "key": 0}}
```
## The same
```state
{"temperature": 2}
```
## Seeded again
```state
{"model": "", "reset": true}
```
)";
  const auto refused = [&] {
    const auto mistake = step_refused(app);
    return mistake ? fmt::format("{}: {}", mistake->line, mistake->error.what()) : "";
  };
  ASSERT_TRUE(play_lesson(app, lesson));
  wait_until_idle();
  EXPECT_EQ(refused(), "");
  EXPECT_EQ(inputs_to_locate(app), nullptr);
  step_lesson(app, 1);
  wait_until_idle();
  EXPECT_THAT(refused(), AllOf(testing::StartsWith("7: "), HasSubstr("gone does not exist")));
  EXPECT_FALSE(is_free_play(app));
  EXPECT_EQ(app.state.view.layer, 1) << "which layers it has is not known";
  EXPECT_THAT(step_mistakes(app), IsEmpty()) << "told once";
  step_lesson(app, 2);
  wait_until_idle();
  EXPECT_EQ(refused(), "");
  EXPECT_EQ(app.block()->n_q(), 10) << "the others are played";
  step_lesson(app, -2);
  wait_until_idle();
  model("gpt2", "elsewhere");
  command_locate_source(app);
  ASSERT_TRUE(app.dialogs.files.choosing);
  answer_file(app, home.at("elsewhere"));
  wait_until_idle();
  EXPECT_EQ(refused(), "");
  EXPECT_FALSE(is_free_play(app)) << "it is the step as it was meant";
  EXPECT_EQ(app.state.view.layer, 1);
  EXPECT_EQ(app.state.lock, (Cell{0, 1, 0}));
  step_lesson(app, 1);
  wait_until_idle();
  EXPECT_EQ(refused(), "");
  EXPECT_EQ(app.block()->n_q(), 2) << "in all of its steps";
  const auto played = played_lesson(app);
  App next;
  resume_lesson(next, *played);
  EXPECT_EQ(next.inputs.model, home.at("elsewhere")) << "for the next start as well";
  EXPECT_EQ(next.lesson.step, 2);
}

TEST_F(ModelState, a_text_is_called_what_its_box_is_called) {
  open(model("gpt2"));
  app.inputs.sentence = sentence_of(33);
  for (const auto& [language, text] :
       {std::pair{Language::en, "sentence has 33 tokens; this model has positions for at most 32"},
        {Language::zh, "句子有 33 个词元；此模型最多有 32 个位置"}}) {
    app.set_language(language);
    wait_until_idle();
    EXPECT_EQ(frame().error, text);
  }
}

TEST_F(ModelState, the_model_of_the_last_session_ends_no_complaint_about_another_file) {
  Session session;
  session.inputs.model = model("gpt2");
  app.set_session(session);
  app.notices.error(Notice::About::opening, input_error("{}: cannot be read", "bad.json"));
  wait_until_idle();
  EXPECT_EQ(app.trace()->inputs.model, home.at("gpt2"));
  EXPECT_EQ(reported(), "bad.json: cannot be read");
  open(model("bert"));
  EXPECT_EQ(reported(), "");
}

TEST_F(ModelState, changed_weights_are_reported) {
  open(model("gpt2", "m"));
  bool others = false;
  const std::string path = home.at("session.json");
  ASSERT_TRUE(save_file(app, path, false, others));
  app.notices.dismiss();
  ASSERT_TRUE(open_file(app, path));
  wait_until_idle();
  EXPECT_EQ(reported(), "");
  write_whole_model(home.path / "m", model_case("gpt2-scaled"));
  new_session(app);
  frames(2);
  ASSERT_TRUE(open_file(app, path));
  wait_until_idle();
  EXPECT_THAT(reported(), HasSubstr("the weights are not those"));
}

TEST_F(ModelState, what_config_says_is_known_before_the_run) {
  const std::string folder = model("marian");
  EXPECT_EQ(app.opening.config(app.inputs), nullptr);
  app.inputs.model = folder;
  frame();
  app.opening.wait();
  // Open, and not run yet.
  const auto config = app.opening.config(app.inputs);
  ASSERT_NE(config, nullptr);
  wait_until_idle();
  EXPECT_EQ(app.opening.config(app.inputs)->d_model, config->d_model);
  app.inputs.model = home.at("gone");
  wait_until_idle();
  EXPECT_EQ(app.opening.config(app.inputs), nullptr);
}

TEST_F(ModelState, a_card_has_what_config_says_and_after_the_run_what_it_counts) {
  const auto values = [](const SourceCard& card) {
    std::map<std::string, std::string> found;
    for (const SourceCard::Line& line : card.lines) found[line.mark] = line.value;
    return found;
  };
  app.inputs.sentence = "w3 w17 w5";
  open(model("marian"));
  const auto config = app.opening.config(app.inputs);
  const SourceCard card = model_card(app.tr, app.inputs, config.get(), app.trace().get());
  EXPECT_EQ(card.name, "marian");
  EXPECT_EQ(card.path, home.at("marian"));
  auto lines = values(card);
  EXPECT_EQ(lines["family"], "Marian");
  EXPECT_EQ(lines["encoder"], layers_and_heads(app.tr, config->encoder.layers, config->encoder.heads));
  EXPECT_EQ(lines["decoder"], layers_and_heads(app.tr, config->decoder.layers, config->decoder.heads));
  EXPECT_EQ(lines["d_model"], fmt::format("{} (d_k = {})", config->d_model, config->head_dim));
  EXPECT_EQ(lines["parameters"], printed_count(static_cast<double>(app.trace()->source->about().parameters)));
  lines.erase("parameters");
  lines.erase("multiply-adds");
  EXPECT_EQ(values(model_card(app.tr, app.inputs, config.get(), nullptr)), lines);
  EXPECT_TRUE(model_card(app.tr, app.inputs, nullptr, nullptr).lines.empty()) << "nothing is invented";
}

TEST_F(ModelState, actions_without_effect_say_why) {
  const auto refused = [&](const char* id) { return find_action(app, id)->refused(app); };
  EXPECT_EQ(refused("scale"), "");
  EXPECT_EQ(refused("more heads"), "");
  EXPECT_NE(refused("words"), "");
  EXPECT_NE(refused("generate"), "");
  EXPECT_EQ(refused("chosen head off"), "") << "a seeded layer's heads are ablated, too";
  app.inputs.sentence = "w3 w17 w5";
  open(model("t5"));
  EXPECT_NE(refused("scale"), "");
  EXPECT_NE(refused("more heads"), "");
  EXPECT_NE(refused("cross"), "");
  EXPECT_EQ(refused("words"), "");
  EXPECT_EQ(refused("target"), "");
  EXPECT_NE(refused("generate"), "") << "the target is what it writes already";
  run_action(app, "target");
  wait_until_idle();
  EXPECT_EQ(refused("generate"), "");
  open(model("gpt2"));
  EXPECT_EQ(refused("scale"), "");
  EXPECT_NE(refused("target"), "");
}

TEST_F(ModelState, a_b_of_another_model_goes_with_it) {
  open(model("bert"));
  app.compare = app.inputs;
  frames(2);
  open(model("gpt2"));
  EXPECT_FALSE(app.compare);
}

TEST_F(ModelState, the_start_offers_what_to_open_until_something_is) {
  app.settings.welcome = true;
  command_open_model(app);
  EXPECT_NE(app.dialogs.files.request.help, "");
  answer_file(app, "");
  wait_until_idle();
  EXPECT_TRUE(app.settings.welcome);
  open(model("gpt2"));
  EXPECT_FALSE(app.settings.welcome);
}

TEST_F(ModelState, what_cannot_be_opened_is_reported_before_it_is_chosen) {
  EXPECT_EQ(why_not_taken(app, model("gpt2")), "");
  EXPECT_EQ(why_not_taken(app, home.at("gpt2/config.json")), "");
  EXPECT_THAT(why_not_taken(app, home.at("none.json")), HasSubstr("none.json"));
  fs::remove(home.path / "gpt2" / "model.safetensors");
  EXPECT_THAT(why_not_taken(app, home.at("gpt2")), HasSubstr("no weights"));
  std::ofstream(home.path / "gpt2" / "config.json") << R"({"model_type": "unheard-of"})";
  EXPECT_THAT(why_not_taken(app, home.at("gpt2")), HasSubstr("unheard-of is not known"));
  std::ofstream(home.path / "a.npz") << "nothing";
  EXPECT_THAT(why_not_taken(app, home.at("a.npz")), HasSubstr("a.npz"));
  std::ofstream(home.path / "a.npy") << "nothing";
  EXPECT_THAT(why_not_taken(app, home.at("a.npy")), HasSubstr("a.npy"));
  std::ofstream(home.path / "a.json") << "{}";
  EXPECT_THAT(why_not_taken(app, home.at("a.json")), HasSubstr("version is missing"));
  EXPECT_TRUE(app.inputs.seeded() && app.notices.list().empty()) << "nothing is done";
}

TEST_F(ModelState, with_an_example_opens_with_it_unless_something_was_typed) {
  Json entry = model_case("gpt2");
  entry["config"]["headscope"] = {{"sentence", "w3 w17 w5"}};
  write_whole_model(home.path / "first", entry);
  entry["config"]["headscope"] = {{"sentence", "w4 w6"}};
  write_whole_model(home.path / "second", entry);
  open(home.at("first"));
  EXPECT_EQ(app.inputs.sentence, "w3 w17 w5") << "in place of the notebook's";
  open(home.at("second"));
  EXPECT_EQ(app.inputs.sentence, "w4 w6") << "in place of another example";
  run_action(app, "undo");
  wait_until_idle();
  EXPECT_EQ(std::pair(app.inputs.model, app.inputs.sentence),
            std::pair(home.at("first"), std::string("w3 w17 w5")));
  run_action(app, "undo");
  frames(2);
  EXPECT_EQ(app.inputs, Inputs{}) << "one step back";
  app.inputs.sentence = "w9 w8";
  frames(2);
  open(home.at("first"));
  EXPECT_EQ(app.inputs.sentence, "w9 w8");
  open(model("gpt2"));
  EXPECT_EQ(app.inputs.sentence, "w9 w8");
}

}  // namespace headscope::tests
